"""Which version of kbtriage knows which key of the files that people write.

schema/history.json has it: keys that are not named there are as old as the language (`first`).

    "added":   {"rule.some_key": "0.3"}                            a key, and its first version
    "removed": {"rule.old_key": {"in": "0.4", "instead": "..."}}   since when it is gone, the cure
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any

from assistant import __version__
from assistant.rules.versions import fits


@cache
def table() -> Mapping[str, Any]:
    """The history of the keys, as the file has it."""
    folder = resources.files("assistant.rules") / "schema"
    loaded: Mapping[str, Any] = json.loads((folder / "history.json").read_text("utf-8"))
    return loaded


def told(kind: str, key: str) -> str:
    """The cure for a key that this version does not know and another one does; else "".

    Args: kind: the kind of file, one of schema.KINDS.
    """
    name = f"{kind}.{key}"
    if gone := table()["removed"].get(name):
        return f"kbtriage knew it before {gone['in']}; {gone['instead']}"
    if since := table()["added"].get(name):
        return (f"kbtriage {since} knows it, and this is {__version__}: "
                "install a newer kbtriage, or remove the key")
    return ""


def since(kind: str, key: str) -> str:
    """The first version that knows a key."""
    return str(table()["added"].get(f"{kind}.{key}", table()["first"]))


def too_new(kind: str, value: Any, requires: str,
            path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """(path, first version) of the keys in a value that a version admitted by `requires`
    does not know: the language's versions before that of the key are tried."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            first = since(kind, str(key))
            if any(fits(version, requires) for version in _before(first)):
                yield (*path, key), first
            yield from too_new(kind, inner, requires, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from too_new(kind, inner, requires, (*path, number))


def _before(version: str) -> list[str]:
    """The versions of the language that came before one."""
    known = {str(table()["first"]), *map(str, table()["added"].values())}
    return [one for one in known if fits(one, f"<{version}")]
