"""The files of one pack -> JSON values: rules and landmarks that work, site file, problems.

The slow way, for a pack that the cache does not know; it brings in the YAML parser and
the schema checker.
"""

from __future__ import annotations

import datetime
import posixpath
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from assistant.rules import schema, site, yaml_source
from assistant.rules.packs import PACK_FILE, SITE_FILE
from assistant.rules.reading import read_content
from assistant.rules.types import Position, Problem
from assistant.rules.versions import fits

#: Rules of one pack at most: each is looked for in every line of every log.
MAX_RULES = 10_000

Places = dict[str, list[list[int]]]


def parse(name: str, files: Sequence[tuple[str, bytes]],
          progress: Callable[[int, int], None] | None = None) -> dict[str, Any]:
    """What the files (name, content) of the pack `name` hold, ready for the cache.

    Args: progress: called with (bytes done, bytes in all); thousands of rules take a while.

    Keys: `rules` ((values, position) each, without tests), `rows` (the same, of the rows of
    catalogues), `codes` (id of such a row to its code), `landmarks` (values), `families`
    ((values, position) each), `pack` (values of pack.yaml), `site` (those of site.yaml) with
    `places` (see site.py), `problems` (position, code, level, message, cure).
    """
    content: dict[str, Any] = {"rules": [], "rows": [], "codes": {}, "landmarks": [],
                               "families": [], "pack": {}, "site": {}, "places": {}}
    problems: list[Problem] = []
    seen: dict[str, Position] = {}
    done, whole = 0, sum(len(data) for _, data in files)
    for file, data in files:
        if progress is not None:
            progress(done, whole)
        done += len(data)
        base = posixpath.basename(file.replace("\\", "/"))
        if base == PACK_FILE:
            values, found = read_pack(data, file)
            problems += found
            if values is None:
                return {**content, "problems": _plain(problems)}
            content["pack"] = values
            continue
        if base == SITE_FILE:
            content["site"], content["places"], found = read_site(data, file)
            problems += found
            continue
        read = read_content(data, file, name)
        problems += read.problems
        for written in read.rules:
            rule = written.rule
            if len(seen) >= MAX_RULES:
                return {**content, "problems": _plain([*problems, _too_many(rule.position)])}
            first = seen.setdefault(rule.id, rule.position)
            if first != rule.position:
                problems.append(duplicate(rule.id, rule.position, first))
                continue
            values = {key: value for key, value in written.value.items() if key != "tests"}
            if rule.usually is None:
                content["rules"].append((values, _place(rule.position)))
            else:
                content["rows"].append((values, _place(rule.position)))
                content["codes"][rule.id] = values["signals"]["code"]["code"]
        content["landmarks"] += [mark.value for mark in read.landmarks]
        content["families"] += [(value, _place(position)) for position, value in read.families]
    return {**content, "problems": _plain(problems)}


def _too_many(position: Position) -> Problem:
    return Problem(position, "too-many-rules", "error",
                   f"the pack holds more than {MAX_RULES:,} rules; those from here on are left out",
                   "split the pack; where rules differ in a code only, write a catalogue")


def read_pack(data: bytes, file: str) -> tuple[dict[str, Any] | None, list[Problem]]:
    """The values of a pack.yaml, None if it is broken or wants another kbtriage."""
    from assistant import __version__

    document = yaml_source.read_bytes(data, file)
    problems = [*document.problems]
    if document.value is not None or not problems:
        problems += schema.check(document, "pack")
    if problems:
        return None, problems
    wanted = document.value.get("requires", "")
    if wanted and not fits(__version__, wanted):
        return None, [Problem(document.at(("requires",)), "other-version", "error",
                              f"this pack wants kbtriage {wanted}, and this is {__version__}",
                              "install a version of kbtriage or of the pack that fits")]
    return dict(document.value), []


def read_site(data: bytes, file: str) -> tuple[dict[str, Any], Places, list[Problem]]:
    """The values of a site.yaml, where they stand (see site.places), and what is wrong; a file
    with a mistake gives no values."""
    document = yaml_source.read_bytes(data, file)
    problems = [*document.problems]
    if document.value is not None or not problems:
        problems += schema.check(document, "site")
    if not problems:
        problems += [*_no_days(document), *_expressions(document)]
    if problems:
        return {}, {}, problems
    spots = {path: document.key(path) for path in document.spans}
    return dict(document.value), site.places(spots, document.value), []


def _expressions(document: yaml_source.Document) -> Iterator[Problem]:
    """Expressions of what is private that cannot be used."""
    from assistant.patterns import check

    for name, expression in document.value.get("redact", {}).items():
        trouble = check(expression)
        if trouble is not None:
            yield Problem(document.inside(("redact", name), trouble.offset), "bad-expression",
                          "error", trouble.message, trouble.cure)


def _no_days(document: yaml_source.Document) -> Iterator[Problem]:
    """Dates of silences that no calendar has, such as 2026-02-30."""
    for number, silence in enumerate(document.value.get("silences", ())):
        if not _is_day(silence["until"]):
            yield Problem(document.at(("silences", number, "until")), "bad-form", "error",
                          f"{silence['until']} is no day of the calendar", "write another date")


def _is_day(text: str) -> bool:
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        return False
    return True


def duplicate(rule_id: str, position: Position, first: Position) -> Problem:
    """The problem of two rules of one pack with the same id."""
    return Problem(position, "duplicate-id", "error",
                   f"the id `{rule_id}` is taken: {first}",
                   f"give this rule another id, such as `{rule_id}-2`, or remove one of the two")


def _plain(problems: Sequence[Problem]) -> list[Any]:
    return [[_place(p.position), p.code, p.level, p.message, p.cure] for p in problems]


def _place(position: Position) -> list[Any]:
    return [position.file, position.line, position.column]
