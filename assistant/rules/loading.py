"""Packs -> the RuleSet in force: read (or taken from the cache), merged, changed by site files."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from assistant.rules import cache as kept
from assistant.rules.build import build_family, build_landmark, build_rule
from assistant.rules.changes import Change
from assistant.rules.codebook import CodeBook
from assistant.rules.packs import PACK_FILE, SITE_FILE, Layer
from assistant.rules.ruleset import RuleSet
from assistant.rules.site import Row, apply_site, changed
from assistant.rules.types import Family, Landmark, Position, Problem, Rule

#: Largest file of rules that is read.
MAX_BYTES = 32 << 20


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
        cache_dir = _default_cache()
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
        pack = _Pack(layer, cache_dir if cache else None, progress)
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


def pack_content(layer: Layer, cache_dir: Path | None = None) -> Mapping[str, Any]:
    """What the files of one layer hold, as JSON values (see layer.parse).

    Args: cache_dir: where parsed files are kept; None: in the user's cache folder.
    """
    return _Pack(layer, cache_dir or _default_cache()).content


def _default_cache() -> Path | None:
    from assistant.patterns import default_cache_dir

    base = default_cache_dir()
    return base / "rules" if base is not None else None


class _Row(Row):
    """A row, and the pack whose catalogue holds it."""

    def __init__(self, pack: _Pack, code: str) -> None:
        super().__init__(code)
        self.pack = pack


class _Pack:
    """One layer's files. Attributes: layer; content: what they hold, as JSON values."""

    def __init__(self, layer: Layer, cache_dir: Path | None,
                 progress: Callable[[int, int], None] | None = None) -> None:
        self.layer = layer
        self._cache_dir = cache_dir
        self._progress = progress
        self._parts: list[tuple[str, bytes]] = []
        self._key = ""
        self._rows: list[Any] | None = None
        self.content: Mapping[str, Any] = self._read()

    @property
    def refused(self) -> bool:
        """Whether its pack.yaml cannot be used, or wants another kbtriage."""
        return self.layer.file(PACK_FILE) is not None and not self.content["pack"]

    def rows(self) -> Mapping[str, tuple[Any, Any]]:
        """The rows of its catalogues: (values, position) by id. They lie apart in the cache,
        since most starts need none of them."""
        rows = self._rows or kept.load(self._cache_dir, _rows_of(self._key))
        if rows is None:
            rows = self._parse()["rows"]
        return {values["id"]: (values, place) for values, place in rows}

    def _read(self) -> Mapping[str, Any]:
        layer = self.layer
        if layer.trouble:
            position = [str(layer.root), 1, 1]
            return {"rules": [], "codes": {}, "landmarks": [], "families": [], "site": {},
                    "pack": {}, "problems": [[position, "bad-pack", "error",
                                  f"the pack {layer.name} cannot be used: {layer.trouble}",
                                  "mend or uninstall the package that brings it"
                                  if layer.place == "package" else "check its permissions"]]}
        files = [file for file in (layer.file(PACK_FILE), layer.file(SITE_FILE))
                 if file is not None]
        failed: list[Any] = []
        for path in (*files, *layer.files()):
            data = _bytes(path)
            if data is None:
                failed.append([[layer.shown(path), 1, 1], "too-large", "error",
                               f"the file holds more than {MAX_BYTES >> 20} MB",
                               "split it into several files"])
            elif isinstance(data, bytes):
                self._parts.append((layer.shown(path), data))
            else:
                failed.append([[layer.shown(path), 1, 1], "unreadable", "error",
                               f"the file cannot be read: {data.strerror or data}",
                               "check its permissions"])
        failed += [[[layer.shown(path), 1, 1], *_ODD[why](path)] for path, why in layer.odd()]
        self._key = kept.key(self._parts)
        content: dict[str, Any] = kept.load(self._cache_dir, self._key) or self._parse()
        return {**content, "problems": [*failed, *content["problems"]]}

    def _parse(self) -> dict[str, Any]:
        """The slow way, after which all is kept."""
        from assistant.rules.layer import parse  # brings the YAML and schema readers

        content = parse(self.layer.name, self._parts, self._progress)
        self._rows = content.pop("rows")
        kept.save(self._cache_dir, self._key, content)
        if self._rows:
            kept.save(self._cache_dir, _rows_of(self._key), self._rows)
        return {**content, "rows": self._rows}


def reserved_name(path: Path) -> tuple[str, str, str, str]:
    """Code, level, message and cure for a file of rules that has a reserved name."""
    return ("reserved-name", "error",
            f"a file called {path.name} is read at the top of a pack only, and passed over here",
            "give a file of rules another name; if it is meant for the pack, move it there, "
            "beside `rules/`")


def _unreadable(path: Path) -> tuple[str, str, str, str]:
    return ("unreadable", "error", "the folder cannot be read", "check its permissions")


_ODD = {"reserved": reserved_name, "unreadable": _unreadable}


def _rows_of(key: str) -> str:
    """The key under which the rows of a pack's catalogues are kept."""
    return f"{key}-rows"


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


def _place(pack: _Pack, rule_id: str) -> Position:
    """Where a row of a pack's catalogue stands."""
    return Position(*pack.rows()[rule_id][1])


def _bytes(path: Path) -> bytes | OSError | None:
    """The content of a file, why it cannot be read, or None for one that is too large."""
    try:
        with open(path, "rb", buffering=0) as stream:  # half the time of a buffered read
            return None if os.fstat(stream.fileno()).st_size > MAX_BYTES else stream.readall()
    except OSError as error:
        return error


def _problem(values: Sequence[Any]) -> Problem:
    position, code, level, message, cure = values
    return Problem(Position(*position), code, level, message, cure)


def show_path(path: str | os.PathLike[str]) -> str:
    """A path as a person would write it: relative where it lies below the working folder."""
    text = os.fspath(path)
    try:
        relative = os.path.relpath(text)
    except ValueError:  # another drive
        return text
    return text if relative.startswith("..") else relative
