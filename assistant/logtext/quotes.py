"""Which lines of an event are worth quoting, as they stand in the log."""

from __future__ import annotations

import re

from assistant.evidence.types import TEXT_LIMIT, Event

#: Lines remembered while an event is read, and lines quoted of it.
_REMEMBERED = 240
_QUOTED = 12

_RULE = re.compile(r"[-_=*^~|+\s]*")
_CODE = re.compile(r"(?:^|[^0-9A-Za-z_])E[0-9A-Z][0-9]{4}(?![0-9A-Za-z_])")


class Quotes:
    """Collects the lines of one event while it is read."""

    def __init__(self) -> None:
        self._lines: dict[int, str] = {}

    def add(self, number: int, line: bytes) -> None:
        """Remember a line of the event; blank lines and rules of dashes say nothing."""
        if len(self._lines) < _REMEMBERED:
            # As in every quotation: NUL, which some programs cannot take, is shown as its picture.
            text = line.decode("utf-8", "replace").rstrip("\r\n").replace("\0", "\u2400")
            if not _RULE.fullmatch(text):
                self._lines[number] = text[:TEXT_LIMIT]

    def of(self, event: Event) -> tuple[tuple[int, str], ...]:
        """(line, text) of up to twelve lines: that of title and message, the innermost
        frame, the exceptions before it, lines with an error code, then the rest in order."""
        lines = {n: text for n, text in self._lines.items() if n <= event.end_line}
        coded = [n for n, text in lines.items() if _CODE.search(text)]
        after = [n for n in lines if n >= event.message_line]
        wanted = [event.message_line, *([event.innermost.at] if event.innermost else []),
                  *(line for _, _, line in event.chain[-3:]), *coded[:4], *after, *lines]
        chosen = [n for n in dict.fromkeys(wanted) if n in lines]
        return tuple((n, lines[n]) for n in chosen[:_QUOTED])
