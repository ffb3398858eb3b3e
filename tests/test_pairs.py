"""No two rules give the same line of a real job as a cause, unless one explains the other.

The same holds of the tests inside rules (tests/authoring/test_built_in.py) and of the jobs
of tests/cases/lab, as reported (tests/test_cases.py).
"""

from __future__ import annotations

from pathlib import Path

from assistant import diagnose, job, scan, sources
from assistant.rules import load, packs
from tests import scoring

CASES = scoring.cases(Path(__file__).parent / "cases")


def test_no_two_rules_give_the_same_line_as_a_cause(tmp_path: Path) -> None:
    rules = load([packs.built_in()])
    assert len(CASES) > 100
    told = []
    for case in CASES:
        logs = case / str(scoring.expectation(case).get("input", "."))
        evidence = scan.scan_all(sources.find([str(logs)]), rules, inputs=(),
                                 cache_dir=tmp_path)
        found = diagnose.diagnose(job.build(evidence, rules.landmarks), rules).findings
        told += [(case.name, *pair) for pair in scoring.blamed_twice(found)]
    assert told == []
