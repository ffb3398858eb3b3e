"""Packs -> the RuleSet in force: merged, later ones above earlier ones, changed by site files."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from assistant.rules.build import build_family, build_landmark, build_rule
from assistant.rules.changes import Change
from assistant.rules.codebook import CodeBook
from assistant.rules.content import PackContent, default_cache
from assistant.rules.packs import SITE_FILE, Layer
from assistant.rules.ruleset import RuleSet
from assistant.rules.site import Row, apply_site, changed
from assistant.rules.types import Family, Landmark, Position, Problem, Rule


def load(layers: Sequence[Layer], *, cache: bool = True, cache_dir: Path | None = None,
         today: datetime.date | None = None,
         progress: Callable[[int, int], None] | None = None) -> RuleSet:
    """The rules of all layers, later ones replacing earlier ones by id.

    A broken rule is left out and named in the set's problems. Rules come without their
    tests (see assistant/authoring for those). The rows of catalogues are read and built
    when the set's code book is asked for them.

    Args:
        cache: whether parsed files may be kept between runs.
        cache_dir: where; None: in the user's cache folder.
        today: the day by which silences are judged.
        progress: called with (bytes done, bytes in all) while files are parsed that the cache
            does not know.
    """
    if cache_dir is None and cache:
        cache_dir = default_cache()
    rules: dict[str, Rule] = {}
    rows: dict[str, _Row] = {}
    landmarks: dict[str, Landmark] = {}
    families: list[Family] = []
    problems: list[Problem] = []
    site: dict[str, str] = {}
    private: dict[str, str] = {}
    changes: dict[str, list[Change]] = {}
    refused: list[Path] = []
    for layer in layers:
        pack = PackContent(layer, cache_dir if cache else None, progress)
        content = pack.content
        if pack.refused:
            refused.append(layer.root)
        problems += [_problem(values) for values in content["problems"]]
        # A replacement takes its own layer's place.
        for values, place in content["rules"]:
            rule = build_rule(values, Position(*place), layer.name)
            earlier = _taken_out(rule.id, rules, rows)
            if earlier:
                changes[rule.id] = [Change("replaced", layer.name, rule.position, earlier)]
            rules[rule.id] = rule
        for rule_id, code in content["codes"].items():
            earlier = _taken_out(rule_id, rules, rows)
            if earlier:
                changes[rule_id] = [Change("replaced", layer.name, _place(pack, rule_id), earlier)]
            rows[rule_id] = _Row(pack, code)
        for values in content["landmarks"]:
            landmarks[values["name"]] = build_landmark(values)
        families += [build_family(values, Position(*place), layer.name)
                     for values, place in content["families"]]
        file = layer.file(SITE_FILE)
        if content["site"] and file is not None:
            site.update(content["site"].get("site", {}))
            private.update(content["site"].get("redact", {}))
            told = apply_site(content["site"], content["places"], layer.shown(file), rules,
                              rows, changes, layer.name, today or datetime.date.today())
            # A name that nothing has may be that of a rule left out here, which is told already.
            spoilt = any(level == "error" for _, _, level, _, _ in content["problems"])
            problems += [one for one in told if not (spoilt and one.code == "unknown-rule")]
    book = CodeBook({name: row.code for name, row in rows.items()},
                    lambda ids: _built(rows, ids))
    return RuleSet(
        rules=tuple(rules.values()), landmarks=tuple(landmarks.values()),
        problems=tuple(problems), site=site,
        changes={rule_id: tuple(done) for rule_id, done in changes.items()},
        families=tuple(families), codes=book, private=private, refused=tuple(refused))


class _Row(Row):
    """A row, and the pack whose catalogue holds it."""

    def __init__(self, pack: PackContent, code: str) -> None:
        super().__init__(code)
        self.pack = pack


def _built(rows: Mapping[str, _Row], ids: Collection[str]) -> dict[str, Rule]:
    """The rules of some rows, with what site files change in them."""
    written = {id(pack): pack.rows() for pack in {id(rows[name].pack): rows[name].pack
                                                  for name in ids}.values()}
    found: dict[str, Rule] = {}
    for name in ids:
        row = rows[name]
        values, place = written[id(row.pack)][name]
        rule = build_rule(values, Position(*place), row.pack.layer.name)
        for change in row.changes:
            rule = changed(rule, change)
        found[name] = rule
    return found


def _taken_out(rule_id: str, rules: dict[str, Rule], rows: dict[str, _Row]) -> str:
    """Takes out the rule of an earlier pack, and gives that pack's name; "" if none has it."""
    rule, row = rules.pop(rule_id, None), rows.pop(rule_id, None)
    return rule.source if rule is not None else row.pack.layer.name if row is not None else ""


def _place(pack: PackContent, rule_id: str) -> Position:
    """Where a row of a pack's catalogue stands."""
    return Position(*pack.rows()[rule_id][1])


def _problem(values: Sequence[Any]) -> Problem:
    position, code, level, message, cure = values
    return Problem(Position(*position), code, level, message, cure)
