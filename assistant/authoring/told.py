"""What came of tests: as text, as JSON, and as JUnit's XML for CI systems."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from assistant.authoring.outcome import Outcome
from assistant.authoring.rule_tests import Result
from assistant.render.as_json import dumps

#: Version of the layout of the JSON form.
VERSION = 1
_NOT_YOURS = (
    "    the jobs that kbtriage brings are not yours: give healthy logs of your own (--healthy "
    "DIR, one job an entry),",
    "    and ask for something that only your jobs print (`and`)")
_ABSENCE = "    a rule that misses a line fires on every job that never prints it;"
_BOUND = ("    `above` and `below` fit one kind of job and hardware; `spike`, `slower_than` and "
          "`unlike` compare a job with itself;")


def text(outcome: Outcome, *, verbose: bool = False, own_logs: bool = False) -> str:
    """A line for each failure with its details, and a summary.

    Args:
        verbose: name passed tests, too.
        own_logs: the healthy logs are those of the user.
    """
    return "\n".join([*_lines(outcome, verbose, own_logs), summary(outcome)]) + "\n"


def _lines(outcome: Outcome, verbose: bool, own_logs: bool) -> Iterator[str]:
    for result in outcome.results if verbose else outcome.failed:
        yield f"{result.position}: {result.status}: {result.rule}: {result.test}"
        yield from (f"    {detail}" for detail in result.details)
    for noise in outcome.noise:
        yield f"noise: {noise.rule}: {noise.job}"
        yield from (f"    {line}" for line in noise.lines)
    if (outcome.absences or outcome.bounds) and not own_logs:
        yield from ([_ABSENCE] if outcome.absences else [])
        yield from ([_BOUND] if outcome.bounds else [])
        yield from _NOT_YOURS
    for survivor in outcome.strictness.survivors if outcome.strictness else ():
        yield f"{survivor.position}: survived: {survivor.rule}: {survivor.change}"
        yield f"    {survivor.cure}"
    for gap in outcome.coverage.gaps if outcome.coverage else ():
        yield f"{gap.position}: not shown: {gap.rule}: {gap.what}"


def summary(outcome: Outcome) -> str:
    """One line: how much was tried and what came of it."""
    failed = len(outcome.failed)
    told = [f"{len(outcome.results) - failed} passed, {failed} failed"]
    if outcome.jobs is not None:
        told.append(f"{outcome.jobs} healthy jobs, {len(outcome.noise)} blamed")
    if outcome.strictness is not None:
        told.append(f"{outcome.strictness.tried} broken rules, "
                    f"{len(outcome.strictness.survivors)} survived")
    if outcome.coverage is not None:
        found = outcome.coverage
        told.append(f"{found.tested} of {found.rules} rules have tests, which show "
                    f"{found.shown} of {found.all} signals and branches")
    return "; ".join(told)


def json_text(outcome: Outcome) -> str:
    """All of it as JSON."""
    values: dict[str, Any] = {
        "version": VERSION, "wrong": outcome.wrong, "summary": summary(outcome),
        "results": [{"rule": one.rule, "test": one.test, "status": one.status,
                     "place": str(one.position), "details": list(one.details)}
                    for one in outcome.results],
        "healthy": None if outcome.jobs is None else {
            "jobs": outcome.jobs, "noise": [
                {"rule": one.rule, "job": one.job, "lines": list(one.lines)}
                for one in outcome.noise]},
        "strict": None if outcome.strictness is None else {
            "tried": outcome.strictness.tried, "survivors": [
                {"rule": one.rule, "place": str(one.position), "change": one.change,
                 "cure": one.cure} for one in outcome.strictness.survivors]},
        "coverage": None if outcome.coverage is None else {
            "rules": outcome.coverage.rules, "tested": outcome.coverage.tested,
            "shown": outcome.coverage.shown, "all": outcome.coverage.all, "gaps": [
                {"rule": one.rule, "place": str(one.position), "what": one.what}
                for one in outcome.coverage.gaps]},
    }
    return dumps(values) + "\n"


def junit(outcome: Outcome) -> str:
    """JUnit's XML: a suite a rule, one of the healthy logs, one of broken rules."""
    root = ElementTree.Element("testsuites", name="kbtriage rules test")
    by_rule: dict[str, list[Result]] = {}
    for result in outcome.results:
        by_rule.setdefault(result.rule, []).append(result)
    for rule, results in by_rule.items():
        _suite(root, rule, [(one.test, str(one.position),
                             "" if one.status == "passed" else one.status, one.details)
                            for one in results])
    if outcome.jobs is not None:
        _suite(root, "healthy logs", [(f"{one.rule}: {one.job}", one.job, "noise", one.lines)
                                      for one in outcome.noise]
               or [(f"{outcome.jobs} healthy jobs", "", "", ())])
    if outcome.strictness is not None:
        _suite(root, "broken rules", [
            (f"{one.rule}: {one.change}", str(one.position), "survived", (one.cure,))
            for one in outcome.strictness.survivors]
            or [(f"{outcome.strictness.tried} broken rules", "", "", ())])
    for name in ("tests", "failures"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    ElementTree.indent(root)
    return ('<?xml version="1.0" encoding="UTF-8"?>\n'
            + ElementTree.tostring(root, encoding="unicode") + "\n")


def _suite(root: ElementTree.Element, name: str,
           tests: list[tuple[str, str, str, tuple[str, ...]]]) -> None:
    """A suite of (test, place, what is wrong or nothing, details)."""
    suite = ElementTree.SubElement(root, "testsuite", {
        "name": _clean(name), "tests": str(len(tests)),
        "failures": str(sum(bool(wrong) for _, _, wrong, _ in tests)), "errors": "0",
        "skipped": "0", "time": "0"})
    for test, place, wrong, details in tests:
        case = ElementTree.SubElement(suite, "testcase", {
            "classname": _clean(name), "name": _clean(test), "time": "0"})
        if place:
            case.set("file", _clean(place.split(":")[0]))
        if wrong:
            failure = ElementTree.SubElement(case, "failure", {
                "type": wrong, "message": _clean(details[0] if details else wrong)})
            failure.text = _clean("\n".join([place, *details]))


def _clean(text: str) -> str:
    """The text without characters that XML 1.0 refuses."""
    return "".join(c if c in "\t\n\r" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd"
                   or c >= "\U00010000" else "\N{REPLACEMENT CHARACTER}" for c in text)
