"""How inputs are called in reports: short, printable, one name for one log."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Sequence


def printable(text: str) -> str:
    """A path with everything replaced that could not be shown, or would show as something else."""
    return "".join(char if char.isprintable() or unicodedata.category(char) == "Zs" else "\ufffd"
                   for char in text)


def member_name(path: str) -> str:
    """The path of an archive's member as a name only: relative, without `.` and `..`."""
    parts = [part for part in path.split("/") if part not in ("", ".", "..")]
    return printable("/".join(parts)) or "unnamed"


def labels(paths: Sequence[str]) -> list[str]:
    """A label a path: as many of its last parts as keep all of them apart, at least one."""
    split = [os.path.abspath(path).strip(os.sep).split(os.sep) for path in paths]
    longest = max(map(len, split), default=1)
    for count in range(1, longest + 1):
        found = ["/".join(parts[-count:]) for parts in split]
        if len(set(found)) == len(found):
            return found
    return ["/".join(parts) for parts in split]


class Names:
    """Gives each log a name of its own; a name that is taken gets `#2`, `#3` ..."""

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}

    def unique(self, name: str) -> str:
        count = self._taken.get(name, 0) + 1
        self._taken[name] = count
        return name if count == 1 else self.unique(f"{name}#{count}")
