"""Packs -> the RuleSet in force: read (or taken from the cache), merged, changed by site files."""

from __future__ import annotations

import dataclasses
import datetime
import fnmatch
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from assistant.rules import cache as kept
from assistant.rules.build import build_family, build_landmark, build_rule
from assistant.rules.packs import PACK_FILE, SITE_FILE, Layer
from assistant.rules.types import Family, Landmark, Position, Problem, Rule, RuleSet


def load(layers: Sequence[Layer], *, cache: bool = True, cache_dir: Path | None = None,
         today: datetime.date | None = None) -> RuleSet:
    """The rules of all layers, later ones replacing earlier ones by id.

    A broken rule is left out and named in the set's problems. Rules come without their
    tests (see assistant/authoring for those).

    Args:
        cache: whether parsed files may be kept between runs.
        cache_dir: where; None: in the user's cache folder.
        today: the day by which silences are judged.
    """
    if cache_dir is None and cache:
        from assistant.patterns import default_cache_dir

        base = default_cache_dir()
        cache_dir = base / "rules" if base is not None else None
    rules: dict[str, Rule] = {}
    landmarks: dict[str, Landmark] = {}
    families: list[Family] = []
    problems: list[Problem] = []
    site: dict[str, str] = {}
    silenced: dict[str, str] = {}
    for layer in layers:
        content = _read(layer, cache_dir if cache else None)
        problems += [_problem(values) for values in content["problems"]]
        for values, place in content["rules"]:
            rule = build_rule(values, Position(*place), layer.name)
            rules.pop(rule.id, None)  # a replacement takes its own layer's place
            rules[rule.id] = rule
        for values in content["landmarks"]:
            landmarks[values["name"]] = build_landmark(values)
        families += [build_family(values, Position(*place), layer.name)
                     for values, place in content["families"]]
        file = layer.file(SITE_FILE)
        if content["site"] and file is not None:
            problems += _apply(content["site"], str(file), rules, site, silenced,
                               today or datetime.date.today())
    return RuleSet(tuple(rules.values()), tuple(landmarks.values()), tuple(problems), site,
                   silenced, tuple(families))


def _read(layer: Layer, cache_dir: Path | None) -> Mapping[str, Any]:
    """What a layer's files hold, as JSON values."""
    if layer.trouble:
        position = [str(layer.root), 1, 1]
        return {"rules": [], "landmarks": [], "families": [], "site": {}, "problems": [
            [position, "bad-pack", "error", f"the pack {layer.name} cannot be used: "
             f"{layer.trouble}", "mend or uninstall the package that brings it"]]}
    files = [file for file in (layer.file(PACK_FILE), layer.file(SITE_FILE)) if file is not None]
    parts: list[tuple[str, bytes]] = []
    failed: list[Any] = []
    for path in (*files, *layer.files()):
        data = _bytes(path)
        if isinstance(data, bytes):
            parts.append((str(path), data))
        else:
            failed.append([[str(path), 1, 1], "unreadable", "error",
                           f"the file cannot be read: {data.strerror or data}",
                           "check its permissions"])
    name = kept.key(parts)
    content: dict[str, Any] | None = kept.load(cache_dir, name)
    if content is None:
        from assistant.rules.layer import parse  # brings the YAML and schema readers

        content = parse(layer.name, parts)
        kept.save(cache_dir, name, content)
    return {**content, "problems": [*failed, *content["problems"]]}


def _bytes(path: Path) -> bytes | OSError:
    try:
        return path.read_bytes()
    except OSError as error:
        return error


def _problem(values: Sequence[Any]) -> Problem:
    position, code, level, message, cure = values
    return Problem(Position(*position), code, level, message, cure)


def _apply(values: Mapping[str, Any], file: str, rules: dict[str, Rule], site: dict[str, str],
           silenced: dict[str, str], today: datetime.date) -> list[Problem]:
    """Applies a site file to the rules so far; what it names and is not there is a warning."""
    problems = []
    site.update(values.get("site", {}))
    for glob, change in values.get("overrides", {}).items():
        names = fnmatch.filter(rules, glob)
        if not names:
            problems.append(_no_rule(file, "overrides", glob))
        for name in names:
            if not change.get("enabled", True):
                del rules[name]
                continue
            rule = rules[name]
            rules[name] = dataclasses.replace(
                rule, severity=change.get("severity", rule.severity),
                article=change.get("article", rule.article),
                title={**rule.title, **change.get("title", {})})
    for silence in values.get("silences", ()):
        names = fnmatch.filter(rules, silence["rule"])
        if not names:
            problems.append(_no_rule(file, "silences", silence["rule"]))
        if today.isoformat() > silence["until"]:
            continue
        for name in names:
            silenced[name] = f"silenced until {silence['until']}: {silence['reason']}"
            # Noted and never blamed: its lines stay explained, and nobody is woken by it.
            rules[name] = dataclasses.replace(rules[name], severity="info", verdict="none")
    return problems


def _no_rule(file: str, key: str, glob: str) -> Problem:
    return Problem(Position(file, 1, 1), "unknown-rule", "warning",
                   f"`{key}` names `{glob}`, and no rule has that id",
                   "see `kbtriage rules list`")


def show_path(path: str | os.PathLike[str]) -> str:
    """A path as a person would write it: relative where it lies below the working folder."""
    text = os.fspath(path)
    try:
        relative = os.path.relpath(text)
    except ValueError:  # another drive
        return text
    return text if relative.startswith("..") else relative
