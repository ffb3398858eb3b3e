"""Regular expressions of rules: where they stand in a rule's values, and their named groups."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from assistant.rules.yaml_source import Path

#: Keys of a signal that hold regular expressions, besides the head keys.
_KEYS = ("message", "text", "frame", "title")
_HEADS = ("log", "exception", "error")
_TOKEN = re.compile(r"\\Q.*?(?:\\E|\Z)|\\.|\[\^?\]?(?:\[:\w+:\]|\\.|[^\]\\])*\]"
                    r"|\(\?P?<(?P<name>[A-Za-z_]\w*)>", re.DOTALL)


def groups(expression: str) -> list[tuple[str, int]]:
    """The named groups of an expression, each with the offset of its name.

    Escapes, `\\Q...\\E` and character classes are passed over.
    """
    return [(found["name"], found.start("name"))
            for found in _TOKEN.finditer(expression) if found["name"]]


def expressions(signal: Mapping[str, Any], path: Path) -> Iterator[tuple[Path, str]]:
    """All expressions of a signal's values, each with its path; `path` is the signal's."""
    for head in _HEADS:
        value = signal.get(head)
        if isinstance(value, list):
            yield from (((*path, head, n), item) for n, item in enumerate(value)
                        if isinstance(item, str))
        elif isinstance(value, str) and not (head == "error" and value == "any"):
            yield (*path, head), value
    for key in _KEYS:
        if isinstance(signal.get(key), str):
            yield (*path, key), signal[key]


def captures(signal: Mapping[str, Any]) -> list[str]:
    """The named groups in all expressions of a signal's values, each once."""
    return list(dict.fromkeys(name for _, expression in expressions(signal, ())
                              for name, _ in groups(expression)))
