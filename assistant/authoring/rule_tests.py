"""Runs the tests inside rules: their small logs through the whole engine, all rules in force."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from assistant.authoring.bench import Bench, Suite
from assistant.diagnose.judge import Judged
from assistant.diagnose.run import conclude
from assistant.diagnose.types import Diagnosis, Finding
from assistant.render.quote import gist
from assistant.report.values import signal_ranks
from assistant.rules.build import words
from assistant.rules.types import Position, Rule, RuleTest

#: How many lines of a wrong finding are quoted.
_QUOTES = 3


@dataclass(frozen=True, slots=True)
class Result:
    """How one test ended.

    Attributes:
        rule: the rule's id. test: the test's name. position: where it stands.
        status: `passed`; `missing`: the rule should have been found and was not; `noisy`: it
            should not have been found and was; `wrong`: it was found, but not as expected;
            `broken`: the engine itself failed.
        details: what was found instead, a line each.
    """

    rule: str
    test: str
    position: Position
    status: str
    details: tuple[str, ...] = ()


def run_suite(tested: Suite, wanted: Callable[[Rule], bool] = lambda rule: True) -> list[Result]:
    """Runs the tests of the wanted rules of a suite."""
    return [run_test(tested.bench, written.rule, test) for written in tested.written
            if wanted(written.rule) for test in written.rule.tests]


def run_test(bench: Bench, rule: Rule, test: RuleTest) -> Result:
    """Runs one test of a rule."""
    try:
        judged = bench.judged(bench.job(bench.evidence(test.logs)), rule)
        diagnosis = conclude(judged)
    except Exception as error:  # told as a result, so that the other tests still run
        frame = traceback.extract_tb(error.__traceback__)[-1]
        return Result(rule.id, test.name, test.position, "broken", (
            f"{type(error).__name__}: {error} ({frame.filename}:{frame.lineno})",))
    status, details = judge(rule, test, diagnosis)
    if status == "missing":
        details = _instead(bench, rule, test, judged, diagnosis)
    return Result(rule.id, test.name, test.position, status, tuple(details))


def judge(rule: Rule, test: RuleTest, diagnosis: Diagnosis) -> tuple[str, list[str]]:
    """The status of a test, and its details, by what the rules said of its logs."""
    own = [finding for finding in diagnosis.findings if finding.rule.id == rule.id]
    if test.expect is None:
        return ("noisy", quoted(own[0])) if own else ("passed", [])
    if not own and _told_by_another(rule, test.expect, diagnosis):
        return "passed", []
    if not own:
        return "missing", []
    tried = [differences(test.expect, finding, diagnosis) for finding in own]
    best = min(tried, key=len)
    return ("wrong", best) if best else ("passed", [])


def _told_by_another(rule: Rule, expect: Mapping[str, Any], diagnosis: Diagnosis) -> bool:
    """Whether a code of a catalogue is told by a rule that knows the very line: a row of a
    catalogue is a last resort, and its code need only be recognised."""
    codes = set(expect.get("codes", ()))
    return rule.usually is not None and bool(codes) and any(
        codes <= set(finding.codes) for finding in diagnosis.findings)


def differences(expect: Mapping[str, Any], finding: Finding, diagnosis: Diagnosis) -> list[str]:
    """In what a finding is not as expected, a line each."""
    names = {node.key: node.name for node in diagnosis.job.nodes}
    nodes = sorted(names.get(key, key) for key in finding.nodes)
    lines = [f"{quote.file}:{quote.line}" for quote in finding.evidence]
    told: list[str] = []
    if "ranks" in expect and sorted(expect["ranks"]) != list(finding.ranks):
        told.append(f"ranks: expected {sorted(expect['ranks'])}, found {list(finding.ranks)}")
    if "nodes" in expect and sorted(expect["nodes"]) not in (nodes, sorted(finding.nodes)):
        told.append(f"nodes: expected {sorted(expect['nodes'])}, found {nodes}")
    given = {**finding.values, **signal_ranks(finding)}
    for name, value in expect.get("captures", {}).items():
        if given.get(name) != str(value):
            found = given.get(name)
            told.append(f"{name}: expected {str(value)!r}, found "
                        + ("nothing" if found is None else repr(found)))
    if "role" in expect and expect["role"] != finding.role:
        by = f", explained by {finding.explained_by}" if finding.explained_by else ""
        told.append(f"role: expected {expect['role']}, found {finding.role}{by}")
    told += [f"line: {line} is not among the evidence: {', '.join(lines) or 'none'}"
             for line in words(expect.get("line")) if line not in lines]
    told += [f"codes: {code} is not among {list(finding.codes)}"
             for code in expect.get("codes", ()) if code not in finding.codes]
    if "verdict" in expect and expect["verdict"] != diagnosis.verdict:
        told.append(f"verdict: expected {expect['verdict']}, found {diagnosis.verdict}")
    return told


def quoted(finding: Finding) -> list[str]:
    """The first lines of a finding's evidence, with their places."""
    return [f"{quote.file}:{quote.line}: {gist(quote.text)[:200]}"
            for quote in finding.evidence[:_QUOTES]] or ["found without a line as evidence"]


def _instead(bench: Bench, rule: Rule, test: RuleTest, judged: Judged,
             diagnosis: Diagnosis) -> list[str]:
    """What there was when the rule was not found: its signals one by one, other findings."""
    from assistant.explain.brief import brief
    from assistant.explain.build import account

    told = brief(account(rule, judged, bench.scan(test.logs)))
    others = ", ".join(finding.rule.id for finding in diagnosis.findings)
    told.append(f"found instead: {others}" if others else "nothing was found")
    told.append("ranks: " + (", ".join(
        f"{process.key} {process.state}" for process in diagnosis.job.processes[:8]) or "none"))
    return told
