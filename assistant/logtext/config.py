"""The configuration that mindformers prints as JSON behind `Current config:`.

Read line by line, not as one JSON text: records of other threads can stand between its lines
and a process can die before the last brace, and what was read so far still counts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from assistant.logtext import prefix, wrappers

#: The words before the opening brace.
START = b"Current config: {"
#: Longest dump that is read, in bytes, and how many lines that are none of it.
MAX_BYTES = 64 * 1024
MAX_FOREIGN_LINES = 1000

_PAIR = re.compile(rb'"([^"\r]{1,200})": ?(.{1,4000})')
_INSERTED = re.compile(rb"\[(?:DEBUG|INFO|WARNING|ERROR|CRITICAL)\] ?[A-Z_]{2,32}\(\d"
                       rb"|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} - ")


class ConfigReader:
    """Reads one dump. Make it with the line that holds START, feed it the lines below."""

    def __init__(self, first: bytes) -> None:
        """Args: first: the line with START; without it there is nothing to read."""
        self.values: dict[str, str] = {}
        """What was read so far, nested keys joined by points, elements of a list by number."""
        self._keys: list[str] = []
        self._counts: list[int] = []
        self._bytes = 0
        self._foreign = 0
        at = first.find(START)
        self.open = at >= 0
        """Whether more lines are wanted."""
        if at >= 0:
            self._one_line(first[at + len(START) - 1:])

    def feed(self, line: bytes) -> bool:
        """Take the next line of the file; False when the dump was complete before it or with
        it, or is given up. Foreign lines are passed over."""
        if not self.open:
            return False
        self._bytes += len(line)
        text = wrappers.strip(line)[0]
        if prefix.parse(text) is not None or not self._take(_own_part(text)):
            self._foreign += 1
        if self._bytes > MAX_BYTES or self._foreign > MAX_FOREIGN_LINES:
            self.open = False
        return self.open

    def _one_line(self, text: bytes) -> None:
        """A dump that is complete on its first line."""
        if len(text) > MAX_BYTES:
            self.open = False
        elif text.rstrip().endswith(b"}"):
            try:
                self.values = dict(_flatten(json.loads(text), ""))
            except (ValueError, RecursionError):
                return
            self.open = False

    def _take(self, text: bytes) -> bool:
        """One line of indented JSON; False if it is none."""
        text = text.removesuffix(b",")
        if text in (b"}", b"]"):
            if self._keys:
                self._keys.pop()
                self._counts.pop()
            else:
                self.open = False
            return True
        pair = _PAIR.fullmatch(text)
        if pair is not None:
            key, value = pair[1].decode("utf-8", "replace"), pair[2]
        elif self._keys and text and text[0] in b'{["-0123456789tfnNI':
            # An element of a list.
            key, value = str(self._counts[-1]), text
            self._counts[-1] += 1
        else:
            return False
        if value in (b"{", b"["):
            self._keys.append(key)
            self._counts.append(0)
        else:
            self.values[".".join([*self._keys, key])] = _scalar(value)
        return True


def _own_part(text: bytes) -> bytes:
    """The line without a record that another thread put behind it."""
    inserted = _INSERTED.search(text)
    return (text[:inserted.start()] if inserted else text).strip()


def _scalar(text: bytes) -> str:
    """A JSON value as text: strings without quotation marks, the rest as printed."""
    if text.startswith(b'"'):
        try:
            return str(json.loads(text))
        except ValueError:
            pass
    return text.decode("utf-8", "replace")


def _flatten(value: Any, key: str) -> Iterator[tuple[str, str]]:
    """The leaves of a JSON value, as `_take` would name and print them."""
    items: Any = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = list(enumerate(value))
    if not items:
        yield key, value if isinstance(value, str) else json.dumps(value)
    for name, inner in items:
        yield from _flatten(inner, f"{key}.{name}" if key else str(name))
