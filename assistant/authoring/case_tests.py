"""Runs the cases of packs: the logs of whole jobs through the engine, all rules in force."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator, Sequence
from typing import Any

from assistant.authoring.bench import Bench
from assistant.authoring.cases import EXPECTATION, Case
from assistant.authoring.rule_tests import Result, differences, quoted
from assistant.diagnose.types import Diagnosis
from assistant.rules.build import words
from assistant.rules.paths import show_path
from assistant.rules.types import Rule


def run(case: Case, bench: Bench, rules: dict[str, Rule]) -> Iterator[Result]:
    """A result for each thing that the case expects.

    Args: rules: those in force, by id.
    """
    try:
        diagnosis = _diagnosis(case, bench)
    except Exception as error:  # told as a result, so that the others still run
        yield Result(case.name, "the case itself", case.position, "broken",
                     (f"{type(error).__name__}: {error}",))
        return
    expect = case.expect
    for wanted in expect.get("found", ()):
        yield _found(case, wanted, diagnosis, rules)
    for glob in words(expect.get("not_found")):
        own = [f for f in diagnosis.findings if fnmatch.fnmatchcase(f.rule.id, glob)]
        yield Result(glob, f"case {case.name}", case.position, "noisy" if own else "passed",
                     tuple([own[0].rule.id, *quoted(own[0])] if own else ()))
    if "verdict" in expect:
        yield from _verdict(case, words(expect["verdict"]), diagnosis)


def _verdict(case: Case, wanted: Sequence[str], diagnosis: Diagnosis) -> Iterator[Result]:
    fits = diagnosis.verdict in wanted
    found = ", ".join(finding.rule.id for finding in diagnosis.findings) or "nothing"
    yield Result("verdict", f"case {case.name}", case.position, "passed" if fits else "wrong",
                 () if fits else (f"verdict: expected {' or '.join(wanted)}, found "
                                  f"{diagnosis.verdict}", f"found: {found}"))


def _found(case: Case, wanted: dict[str, Any], diagnosis: Diagnosis,
           rules: dict[str, Rule]) -> Result:
    rule_id = wanted["rule"]
    expect = {key: value for key, value in wanted.items() if key != "rule"}
    own = [finding for finding in diagnosis.findings if finding.rule.id == rule_id]
    name = f"case {case.name}"
    if rule_id not in rules:
        return Result(rule_id, name, case.position, "broken", ("there is no such rule",))
    if not own:
        others = ", ".join(finding.rule.id for finding in diagnosis.findings) or "nothing"
        return Result(rule_id, name, case.position, "missing", (
            f"found instead: {others}",
            f"see: kbtriage rules explain {rule_id} {show_path(case.logs)}"))
    best = min((differences(expect, finding, diagnosis) for finding in own), key=len)
    return Result(rule_id, name, case.position, "wrong" if best else "passed", tuple(best))


def _diagnosis(case: Case, bench: Bench) -> Diagnosis:
    from assistant.evidence.types import Evidence, Skipped
    from assistant.scan.one import scan_logs
    from assistant.sources import LogSource, find

    scanned = [found for source in find([str(case.logs)])
               if isinstance(source, LogSource) and source.name != EXPECTATION
               for found in scan_logs(source, bench.engine, bench.specs)]
    return bench.diagnosis(bench.job(Evidence(tuple(
        file for file in scanned if not isinstance(file, Skipped)))))
