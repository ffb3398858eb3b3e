"""What site.yaml changes: rules of other packs, without touching their files, and silences."""

from __future__ import annotations

import dataclasses
import datetime
import fnmatch
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from assistant.rules.changes import Change
from assistant.rules.suggest import closest
from assistant.rules.types import Position, Problem, Rule

#: What a silence makes of a rule: noted and never blamed. Its lines stay explained, and nobody
#: is woken by it.
_SILENT: Mapping[str, Any] = {"severity": "info", "verdict": "none"}


@dataclasses.dataclass(slots=True)
class Row:
    """A row of a catalogue before it is built: its code, and what site files change in it."""

    code: str
    changes: list[Mapping[str, Any]] = dataclasses.field(default_factory=list)


RowT = TypeVar("RowT", bound=Row)


def places(spots: Mapping[tuple[str | int, ...], Position], values: Mapping[str, Any],
           ) -> dict[str, list[list[int]]]:
    """Where the overrides and silences of a site file stand: (line, column) each, in order.

    Args: spots: position by path, of keys and list items.
    """
    return {key: [[spots[key, name].line, spots[key, name].column]
                  for name in (entries if isinstance(entries, dict) else range(len(entries)))]
            for key, entries in values.items() if key in ("overrides", "silences")}


def apply_site(values: Mapping[str, Any], where: Mapping[str, Sequence[Sequence[int]]], file: str,
               rules: dict[str, Rule], rows: dict[str, RowT],
               changes: dict[str, list[Change]], pack: str,
               today: datetime.date) -> list[Problem]:
    """Applies a site file to the rules so far; what it names and is not there is a warning.

    Args:
        values: what the file holds. where: see `places`. file: the name to show.
        rules, rows: changed in place.
        changes: rule id to what is done to it, added to. pack: the name to note there.
        today: the day by which silences are judged.
    """
    problems: list[Problem] = []

    def named(key: str, number: int, glob: str) -> list[str]:
        names = fnmatch.filter([*rules, *rows], glob)
        if not names:
            problems.append(_no_rule(Position(file, *where[key][number]), key, glob,
                                     [*rules, *rows]))
        return names

    for number, (glob, change) in enumerate(values.get("overrides", {}).items()):
        for name in named("overrides", number, glob):
            on = change.get("enabled", True)
            changes.setdefault(name, []).append(Change(
                "overridden" if on else "off", pack, Position(file, *where["overrides"][number]),
                keys=tuple(key for key in change if key != "enabled")))
            if on:
                _change(name, change, rules, rows)
            else:
                rules.pop(name, None)
                rows.pop(name, None)
    for number, silence in enumerate(values.get("silences", ())):
        names = named("silences", number, silence["rule"])
        if today.isoformat() > silence["until"]:
            problems.append(Problem(
                Position(file, *where["silences"][number]), "expired-silence", "warning",
                f"the silence of `{silence['rule']}` ended on {silence['until']}",
                "remove it, or give it another date"))
            continue
        for name in names:
            changes.setdefault(name, []).append(Change(
                "silenced", pack, Position(file, *where["silences"][number]),
                until=silence["until"], reason=silence["reason"]))
            _change(name, _SILENT, rules, rows)
    return problems


def changed(rule: Rule, change: Mapping[str, Any]) -> Rule:
    """A rule with what an override says of it."""
    steps = change.get("steps", {})
    replaced = {lang: tuple(texts) for lang, texts in steps.get("replace", {}).items()}
    added = {} if replaced else rule.added_steps
    return dataclasses.replace(
        rule, severity=change.get("severity", rule.severity),
        article=change.get("article", rule.article),
        verdict=change.get("verdict", rule.verdict),
        title={**rule.title, **change.get("title", {})},
        steps=replaced or rule.steps,
        added_steps=dict(_joined(added, steps.get("append", {}))))


def _joined(earlier: Mapping[str, tuple[str, ...]],
            more: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for lang in {**earlier, **more}:
        yield lang, (*earlier.get(lang, ()), *more.get(lang, ()))


def _change(name: str, change: Mapping[str, Any], rules: dict[str, Rule],
            rows: Mapping[str, Row]) -> None:
    if name in rules:
        rules[name] = changed(rules[name], change)
    else:
        rows[name].changes.append(change)


def _no_rule(position: Position, key: str, glob: str, known: Sequence[str]) -> Problem:
    near = closest(glob, known)
    return Problem(position, "unknown-rule", "warning",
                   f"`{key}` names `{glob}`, and no rule has that id",
                   f"did you mean `{near}`?" if near else "see `kbtriage rules list`")
