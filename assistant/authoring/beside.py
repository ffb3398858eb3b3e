"""Tests that stand in a file of their own: NAME.test.yaml beside NAME.yaml."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from assistant.rules import schema, yaml_source
from assistant.rules.build import build_tests
from assistant.rules.packs import SUFFIXES, TESTS
from assistant.rules.paths import show_path
from assistant.rules.reading import Content, WrittenRule, log_problems
from assistant.rules.suggest import instead
from assistant.rules.types import Position, Problem, RuleTest
from assistant.rules.yaml_source import Document


def file_beside(path: Path) -> Path | None:
    """The file of tests beside a file of rules, None without one."""
    candidates = (path.with_name(f"{path.stem}{TESTS}{suffix}") for suffix in SUFFIXES)
    return next((one for one in candidates if one.is_file()), None)


def with_tests(content: Content, path: Path, shown: str) -> Content:
    """What a file of rules holds, its rules with the tests that stand beside it.

    Args: path: of the file of rules; shown: how to call it.
    """
    file = file_beside(path)
    if file is None or not content.rules:
        return content
    name = str(Path(shown).with_name(file.name))
    document, problems = _read(file, name)
    more: dict[str, list[RuleTest]] = {}
    usable = document.value["tests"] if not problems else []
    for number, value in enumerate(usable):
        place = ("tests", number)
        problem = next(log_problems(document, place, value), None) or _not_one(
            value, document, place, content.rules)
        if problem is not None:
            problems.append(problem)
            continue
        rule_id = value.get("rule", content.rules[0].rule.id)
        more.setdefault(rule_id, []).extend(build_tests([value], [document.at(place)]))
    return dataclasses.replace(
        content, rules=tuple(_extended(rule, more.get(rule.rule.id, [])) for rule in content.rules),
        problems=(*content.problems, *problems))


def orphans(paths: Sequence[str]) -> Iterator[Problem]:
    """Files of tests below some paths that lie beside no file of rules."""
    for text in paths:
        root = Path(text)
        for path in sorted(root.rglob(f"*{TESTS}.y*ml")) if root.is_dir() else ():
            names = [f"{path.stem.removesuffix(TESTS)}{suffix}" for suffix in SUFFIXES]
            hidden = any(part.startswith(".") for part in path.relative_to(root).parts)
            if not hidden and not any(path.with_name(name).is_file() for name in names):
                yield Problem(Position(show_path(path), 1, 1), "tests-without-rule", "error",
                              f"no rules stand beside these tests: there is no {names[0]}",
                              f"rename it after the file of its rules: NAME{TESTS}.yaml "
                              "beside NAME.yaml")


def _read(file: Path, shown: str) -> tuple[Document, list[Problem]]:
    try:
        data = file.read_bytes()
    except OSError as error:
        position = Position(shown, 1, 1)
        return yaml_source.read_bytes(b"", shown), [Problem(
            position, "unreadable", "error", f"the file cannot be read: {error.strerror or error}",
            "check its permissions")]
    document = yaml_source.read_bytes(data, shown)
    problems = [*document.problems]
    if document.value is not None or not problems:
        problems += schema.check(document, "tests")
    return document, problems


def _not_one(value: dict[str, Any], document: Document, place: tuple[str | int, ...],
             rules: Sequence[WrittenRule]) -> Problem | None:
    """Why it cannot be told which rule a test is for."""
    ids = [rule.rule.id for rule in rules]
    if "rule" not in value and len(ids) > 1:
        return Problem(document.key(place), "missing-key", "error",
                       "which rule is this test for? The file beside holds several",
                       f"add `rule: {ids[0]}`")
    if "rule" in value and value["rule"] not in ids:
        return Problem(document.at((*place, "rule")), "unknown-rule", "error",
                       f"the file beside holds no rule `{value['rule']}`",
                       instead(value["rule"], ids))
    return None


def _extended(written: WrittenRule, tests: Sequence[RuleTest]) -> WrittenRule:
    rule = dataclasses.replace(written.rule, tests=(*written.rule.tests, *tests))
    return dataclasses.replace(written, rule=rule)
