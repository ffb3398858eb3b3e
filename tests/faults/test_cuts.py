"""A report rests on what is there: some cuts of each case (all of them: `make cuts`)."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from bench.cuts import CASES, Checker, cuts, logs_of, unsupported

SOME = sorted(file.parent for file in CASES.rglob("expect.yaml"))[::12]


@pytest.fixture(scope="module")
def checker() -> Checker:
    return Checker()


@pytest.mark.parametrize("case", SOME, ids=lambda case: case.name)
def test_cut_anywhere(case: Path, checker: Checker) -> None:
    assert [wrong for wrong in cuts(case, checker, 10, random.Random(case.name)) if wrong] == []


@pytest.mark.parametrize("case", SOME, ids=lambda case: case.name)
def test_a_benign_line_changes_no_cause(case: Path, checker: Checker) -> None:
    """At the end of a log, without a time: nobody can say when it was printed."""
    contents = logs_of(case)
    files = {name: checker.scan(name, content) for name, content in contents.items()}
    before = [(f.rule.id, f.ranks) for f in checker.diagnose(files).findings if f.role == "cause"]
    name = max(contents, key=lambda name: len(contents[name]))
    files[name] = checker.scan(name, contents[name].rstrip(b"\n") + b"\nall is as usual\n")
    after = [(f.rule.id, f.ranks) for f in checker.diagnose(files).findings if f.role == "cause"]
    assert after == before


def test_what_is_not_there_is_found_out(checker: Checker) -> None:
    contents = logs_of(CASES / "lab" / "exc-rank2")
    found = checker.diagnose({name: checker.scan(name, text) for name, text in contents.items()})
    assert list(unsupported(found, contents)) == []
    assert list(unsupported(found, {**contents, "worker_2.log": b"short\n"}))
    cause = found.findings[0]
    told = replace(cause.evidence[0], text="never written")
    wrong = replace(found, findings=(replace(cause, evidence=(told,)),))
    assert "never written" in next(unsupported(wrong, contents))
