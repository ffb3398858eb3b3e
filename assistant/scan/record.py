"""One line of note while a scan is under way, and the Hit that it becomes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from assistant.evidence.types import TEXT_LIMIT, Event, Hit
from assistant.logtext import wrappers
from assistant.logtext.prefix import Prefix
from assistant.scan.clock import HEAD_BYTES
from assistant.scan.shown import shown

#: Named groups that took part in a match: (name, text), in name order.
Captures = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Match:
    """A pattern that matched a line.

    Attributes:
        spec: index of its PatternSpec.
        captures: what its named groups caught.
        text: the line around the match where the line is too long to be shown, else None.
    """

    spec: int
    captures: Captures
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A line, or one segment of it, with the head of the log record that it begins.

    Attributes:
        number: line number.
        line: its bytes; of a long line only the start.
        time: own time, else that of the nearest line above that has one.
        prefix: the head, None if it has none.
    """

    number: int
    line: bytes
    time: float | None
    prefix: Prefix | None

    def hit(self, captures: Captures = (), event: Event | None = None,
            text: str | None = None) -> Hit:
        """The line as a Hit; `text` overrides what is quoted. The rank that a launcher states
        on some line of an event is that of all its lines."""
        level = component = pid = None
        if self.prefix is not None:
            _, level, component, pid, _, _, _ = self.prefix
        if text is None:
            text = _shown(self.line)
        rank = wrappers.find(self.line).rank
        if event is None:
            return Hit(self.number, text, self.time, captures, level, component, pid, None, rank)
        return Hit(self.number, text, self.time, captures, level, component, pid, event.line,
                   event.rank if rank is None else rank)


@lru_cache(maxsize=1024)
def _shown(line: bytes) -> str:
    """One text for all patterns that match a line: half of the evidence is such texts."""
    return shown(line)


def keep(line: bytes) -> bytes:
    """As much of a line as a Record holds."""
    return line if len(line) <= HEAD_BYTES else line[:HEAD_BYTES]


def is_long(line: bytes) -> bool:
    """Whether a line may be too long to be shown whole."""
    return len(line) > TEXT_LIMIT
