"""Cases of a pack: `cases/NAME/` holds the logs of a job, and expect.yaml what must be found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.rules import schema, yaml_source
from assistant.rules.packs import CASES, SUFFIXES, given
from assistant.rules.paths import show_path
from assistant.rules.types import Position, Problem
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
