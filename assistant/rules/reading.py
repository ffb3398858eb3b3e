"""One YAML file of rules or landmarks -> what it holds, and everything that is wrong with it.

What is checked here keeps a rule from working at all: its form, its condition, its
expressions, the names it refers to. A rule with such a mistake is left out; its
neighbours are not. What makes a rule merely poor is the linter's business.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assistant.rules import build, catalogue, condition, schema, yaml_source
from assistant.rules.expressions import captures, expressions
from assistant.rules.given import GROUPING
from assistant.rules.suggest import instead, listed
from assistant.rules.types import Landmark, Position, Problem, Rule
from assistant.rules.yaml_source import Document, Path

#: Name of the files that hold landmarks instead of rules.
LANDMARK_FILES = ("landmarks.yaml", "landmarks.yml")
#: Keys of a signal that name one of its own captures.
CAPTURE_KEYS = ("rank_from", "pid_from", "device_from", "host_from", "missing_from", "group_from",
                "differs", "same", "waits_for", "waits_for_device")
#: Keys of a signal that say nothing without one of these others.
COMPANIONS = {"same": ("differs",), "group_from": ("rank_from", "waits_for", "missing_from"),
              "rank_base": ("rank_from",), "rank_stride": ("rank_from",)}
#: Keys of a signal that name another signal.
SIGNAL_KEYS = ("before", "after")
#: A file without any of these keys was never meant to be a rule.
_HEADS = frozenset(("rules", "id", "signals", "when", "catalogue"))


@dataclass(frozen=True)
class WrittenRule:
    """A rule that works, as it was written.

    Attributes:
        rule: as data, with its tests.
        value: the plain values; document, path: where they stand.
    """

    rule: Rule
    value: Mapping[str, Any]
    document: Document
    path: Path

    def at(self, *keys: str | int) -> Position:
        """Where the value under `keys` stands."""
        return self.document.at((*self.path, *keys))

    def key(self, *keys: str | int) -> Position:
        """Where the key of that value stands."""
        return self.document.key((*self.path, *keys))


@dataclass(frozen=True)
class WrittenLandmark:
    """A landmark that works, as it was written: its plain values and their document."""

    landmark: Landmark
    value: Mapping[str, Any]
    document: Document
    path: Path


@dataclass(frozen=True)
class Content:
    """What a file holds: the rules and landmarks that work, and what is wrong.

    Attributes:
        families: place and plain values of each family of codes.
    """

    document: Document
    rules: tuple[WrittenRule, ...] = ()
    landmarks: tuple[WrittenLandmark, ...] = ()
    problems: tuple[Problem, ...] = ()
    families: tuple[tuple[Position, Mapping[str, Any]], ...] = ()


def read_content(data: bytes, file: str, source: str = "") -> Content:
    """The rules or landmarks in the bytes of a file; `file` is the name to show,
    `source` the pack's name. Never raises."""
    document = yaml_source.read_bytes(data, file)
    if document.value is None and document.problems:
        return Content(document, problems=document.problems)
    marks = (posixpath.basename(file.replace("\\", "/")) in LANDMARK_FILES
             or (isinstance(document.value, dict) and "landmarks" in document.value))
    if not marks and isinstance(document.value, dict) and not _HEADS & document.value.keys():
        return Content(document, problems=(*document.problems, Problem(
            document.at(()), "not-a-rule", "error", "this is not a rule",
            "a rule has the keys id, title, category, severity, article, signals and when")))
    codes = isinstance(document.value, dict) and "catalogue" in document.value
    kind = "landmarks" if marks else "catalogue" if codes else "rule"
    problems = [*document.problems, *schema.check(document, kind)]
    rules: list[WrittenRule] = []
    landmarks: list[WrittenLandmark] = []
    if codes:
        return _catalogue(document, problems, source)
    for path, value in _entries(document.value, "landmarks" if marks else "rules"):
        if _touches(problems, document, path):
            continue
        found = list(_landmark_problems(document, path, value) if marks
                     else _rule_problems(document, path, value))
        problems += found
        if found:
            continue
        if marks:
            landmarks.append(WrittenLandmark(build.build_landmark(value), value, document, path))
            continue
        tests = [document.at((*path, "tests", n)) for n in range(len(value.get("tests", ())))]
        rule = build.build_rule(value, document.at((*path, "id")), source,
                                build.build_tests(value.get("tests"), tests))
        rules.append(WrittenRule(rule, value, document, path))
    problems.sort(key=lambda problem: (problem.position.line, problem.position.column))
    return Content(document, tuple(rules), tuple(landmarks), tuple(dict.fromkeys(problems)))


def _catalogue(document: Document, problems: list[Problem], source: str) -> Content:
    """A catalogue of codes; a row that does not fit the schema is left out."""
    def usable(path: Path) -> bool:
        return not _touches(problems, document, path)

    rules = []
    for path, value in catalogue.rows(document.value, usable):
        place = document.at((*path, "code"))
        tests = build.build_tests(value["tests"], [place] * len(value["tests"]))
        rules.append(WrittenRule(build.build_rule(value, place, source, tests), value,
                                 document, path))
    families = tuple((document.at(path), value)
                     for path, value in catalogue.families(document.value, usable))
    return Content(document, tuple(rules), (), tuple(problems), families)


def _entries(value: Any, key: str) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """The rules (or landmarks) of a document, each with its path."""
    if isinstance(value, dict) and isinstance(value.get(key), list):
        yield from (((key, n), item) for n, item in enumerate(value[key])
                    if isinstance(item, dict))
    elif isinstance(value, dict) and key == "rules" and key not in value:
        yield (), value


def _touches(problems: list[Problem], document: Document, path: Path) -> bool:
    """Whether a problem stands inside the value at `path` (or anywhere, for a whole file)."""
    span = document.spans.get(path)
    if not path or span is None:
        return bool(problems)
    breaks = document.text.count("\n", span.start, span.end)
    last = span.line + breaks
    return any((span.line, span.column) <= (p.position.line, p.position.column)
               and p.position.line <= last for p in problems)


def _landmark_problems(document: Document, path: Path,
                       value: Mapping[str, Any]) -> Iterator[Problem]:
    yield from _expression_problems(document, value, path)


def _rule_problems(document: Document, path: Path, value: Mapping[str, Any]) -> Iterator[Problem]:
    signals = value["signals"]
    try:
        condition.parse(value["when"])
        for name, offset in condition.references(value["when"]):
            if name not in signals:
                yield _unknown_signal(document.inside((*path, "when"), offset), name, signals)
    except condition.ConditionError as error:
        yield Problem(document.inside((*path, "when"), error.offset), "bad-condition", "error",
                      error.message, error.cure)
    blamed = value.get("blame", ())
    if isinstance(blamed, str):
        if blamed not in signals:
            yield _unknown_signal(document.at((*path, "blame")), blamed, signals)
    else:
        for number, name in enumerate(blamed):
            if name not in signals:
                yield _unknown_signal(document.at((*path, "blame", number)), name, signals)
    for name, signal in signals.items():
        yield from _signal_problems(document, (*path, "signals", name), signal, signals)
    for number, test in enumerate(value.get("tests", ())):
        yield from log_problems(document, (*path, "tests", number), test)
    known = [name for signal in signals.values() for name in captures(signal)]
    grouped = value.get("group_by", ())
    for number, name in enumerate([grouped] if isinstance(grouped, str) else grouped):
        if name not in known and name not in GROUPING:
            where = (*path, "group_by") if isinstance(grouped, str) else (
                *path, "group_by", number)
            yield Problem(document.at(where), "unknown-capture", "error",
                          f"no signal captures `{name}`", instead(name, known))


def log_problems(document: Document, path: Path, test: Mapping[str, Any]) -> Iterator[Problem]:
    """What is wrong with the time lines in the logs of a test."""
    from assistant.rules.timeline import TimelineError, render

    def trouble(name: str, text: str) -> TimelineError | None:
        try:
            render(name, text)
        except TimelineError as error:
            return error
        return None

    for name, text in test.get("logs", {}).items():
        error = trouble(name, text)
        if error is not None:
            yield Problem(document.at((*path, "logs", name)), "bad-timeline", "error",
                          f"line {error.line} of {name}: {error.message}", error.cure)


def _signal_problems(document: Document, path: Path, signal: Mapping[str, Any],
                     signals: Mapping[str, Any]) -> Iterator[Problem]:
    yield from _expression_problems(document, signal, path)
    own = path[-1]
    for key in SIGNAL_KEYS:
        name = signal.get(key)
        if name == own:
            yield Problem(document.at((*path, key)), "unknown-signal", "error",
                          f"`{key}` names its own signal", "name another signal of the rule")
        elif name is not None and name not in signals:
            yield _unknown_signal(document.at((*path, key)), name,
                                  [other for other in signals if other != own])
    if "within" in signal and not any(key in signal for key in SIGNAL_KEYS):
        yield Problem(document.key((*path, "within")), "within-alone", "error",
                      "`within` needs a signal to count from",
                      "add `before:` or `after:` with the name of another signal")
    known = captures(signal)
    for key in CAPTURE_KEYS:
        for name in build.words(signal.get(key)):
            if name not in known:
                yield Problem(document.at((*path, key)), "unknown-capture", "error",
                              f"this signal captures no `{name}`",
                              instead(name, known) if known else f"add a group `(?P<{name}>...)`")
    for one, others in COMPANIONS.items():
        if one in signal and not any(key in signal for key in others):
            yield Problem(document.key((*path, one)), "key-alone", "error",
                          f"`{one}` says nothing by itself", f"add one of: {listed(others)}")


def _expression_problems(document: Document, signal: Mapping[str, Any],
                         path: Path) -> Iterator[Problem]:
    from assistant.patterns import check

    for place, expression in expressions(signal, path):
        if expression == ".*" and "exception" in place[len(path):]:
            continue  # any type: it is matched whole, and sought in no line
        trouble = check(expression)
        if trouble is not None:
            yield Problem(document.inside(place, trouble.offset), "bad-expression", "error",
                          trouble.message, trouble.cure)


def _unknown_signal(position: Position, name: str, signals: Any) -> Problem:
    return Problem(position, "unknown-signal", "error", f"there is no signal `{name}`",
                   instead(name, signals, "the signals are"))
