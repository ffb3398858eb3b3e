"""Cases of a pack: `cases/NAME/` holds the logs of a job, and expect.yaml what must be found."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.authoring.bench import Bench
from assistant.authoring.rule_tests import Result, differences, quoted
from assistant.diagnose.types import Diagnosis
from assistant.rules import schema, yaml_source
from assistant.rules.build import words
from assistant.rules.packs import CASES, SUFFIXES, given
from assistant.rules.ruleset import show_path
from assistant.rules.types import Position, Problem, Rule
from assistant.rules.unpack import is_packed

EXPECTATION = "expect.yaml"


@dataclass(frozen=True, slots=True)
class Case:
    """One case: its name, the path of its logs, what is expected, and where that stands."""

    name: str
    logs: Path
    expect: dict[str, Any]
    position: Position


def folders(paths: Sequence[str]) -> list[Path]:
    """The folders below the packs at some paths that hold a case, by path.

    A path inside a pack's `rules/` means its cases, too; one file of rules means none.
    """
    found: dict[Path, None] = {}
    for text in paths:
        root = given(text).root if is_packed(text) else Path(text)
        if not root.is_dir():
            continue
        for top in (root, root.parent) if root.name == "rules" else (root,):
            found.update((path.parent, None) for path in sorted(
                (top / CASES).glob(f"**/{EXPECTATION}")))
    return list(found)


def problems(paths: Sequence[str]) -> Iterator[Problem]:
    """What is wrong with the expectations of the cases."""
    for folder in folders(paths):
        yield from _read(folder)[1]


def load(paths: Sequence[str]) -> list[Case]:
    """The cases whose expectations can be read."""
    return [case for folder in folders(paths) if (case := _read(folder)[0]) is not None]


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
    from assistant.scan.one import scan_source
    from assistant.sources import LogSource, find

    scanned = [scan_source(source, bench.engine, bench.specs)
               for source in find([str(case.logs)])
               if isinstance(source, LogSource) and source.name != EXPECTATION]
    return bench.diagnosis(bench.job(Evidence(tuple(
        file for file in scanned if not isinstance(file, Skipped)))))


def _read(folder: Path) -> tuple[Case | None, list[Problem]]:
    file = folder / EXPECTATION
    shown = show_path(file)
    try:
        data = file.read_bytes()
    except OSError as error:
        return None, [Problem(Position(shown, 1, 1), "unreadable", "error",
                              f"the file cannot be read: {error.strerror or error}",
                              "check its permissions")]
    document = yaml_source.read_bytes(data, shown)
    found = [*document.problems]
    if document.value is not None or not found:
        found += schema.check(document, "case")
    if found:
        return None, found
    value = dict(document.value)
    logs = folder / str(value.get("input", "."))
    name = folder.name
    if not any(path.is_file() and path.suffix not in SUFFIXES for path in logs.rglob("*")) and (
            not logs.is_file()):
        return None, [Problem(document.at(("input",)) if "input" in value else Position(
            shown, 1, 1), "no-logs", "error", f"the case {name} holds no logs",
            "put the logs beside expect.yaml, or name their folder with `input:`")]
    return Case(name, logs, value, document.at(())), []
