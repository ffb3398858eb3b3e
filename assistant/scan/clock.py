"""The time of a line that carries none: that of the nearest line above that has one.

Lines are looked at only where a time is asked for, each at most once, so that a file costs
little if most of its lines have a stamp, and linear time if none has.
"""

from __future__ import annotations

import re

from assistant.logtext import prefix
from assistant.scan.blocks import Block

#: Every stamp holds this. (It begins with a literal, which is quick to search.)
_STAMP = re.compile(rb":\d\d:\d\d")
#: Longest head of a record that is looked at.
HEAD_BYTES = 4096
#: Lines that are tried one by one before lines without a stamp are passed over in bulk.
_TRIES = 32


class Clock:
    """Times of one file, asked for in the order of its lines.

    Attributes:
        time: time of the last stamped line before the place reached.
    """

    def __init__(self, time: float | None = None) -> None:
        self.time = time
        self._block = Block(b"", b"", 1)
        self._reached = 0
        self._first: tuple[Block, int, float] | None = None
        self._last: tuple[Block, int] | None = None

    def enter(self, block: Block) -> None:
        """Go on to the next block."""
        self.before(len(self._block.data))
        self._block, self._reached = block, 0
        if self._first is None:
            self._first = _first_stamped(block)

    def before(self, offset: int) -> float | None:
        """Time of the nearest stamped line that ends before this place of the block."""
        if offset > self._reached:
            found = last_stamped(self._block.data, self._reached, offset)
            if found is not None:
                self._set(*found)
            self._reached = offset
        return self.time

    def passed(self, start: int, end: int, time: float | None) -> float | None:
        """Tell that the line from `start` to `end` was read and has this time or none.

        Returns:
            Its own time, else that of the nearest stamped line above.
        """
        if time is None:
            time = self.before(start)
        else:
            self._set(start, time)
        self._reached = max(self._reached, end)
        return time

    def ends(self) -> tuple[tuple[int, float], tuple[int, float]] | None:
        """(line, time) of the first and the last stamped line; call it once all is read."""
        self.before(len(self._block.data))
        if self._first is None or self._last is None or self.time is None:
            return None
        first_block, first_offset, first_time = self._first
        last_block, last_offset = self._last
        return ((first_block.number(first_offset), first_time),
                (last_block.number(last_offset), self.time))

    def _set(self, offset: int, time: float) -> None:
        self.time, self._last = time, (self._block, offset)


def _time(data: bytes, start: int, end: int) -> float | None:
    head = prefix.parse(data[start:min(end, start + HEAD_BYTES)])
    return head.time if head is not None else None


def _first_stamped(block: Block) -> tuple[Block, int, float] | None:
    data, position = block.data, 0
    while (match := _STAMP.search(data, position)) is not None:
        start = data.rfind(b"\n", 0, match.start()) + 1
        end = data.find(b"\n", match.end())
        end = len(data) if end < 0 else end
        time = _time(data, start, end)
        if time is not None:
            return block, start, time
        position = end
    return None


def last_stamped(data: bytes, low: int, high: int) -> tuple[int, float] | None:
    """Start and time of the last stamped line between two line starts."""
    end = high
    for _ in range(_TRIES):
        if end <= low:
            return None
        start = max(low, data.rfind(b"\n", low, end - 1) + 1)
        time = _time(data, start, end - 1 if data[end - 1] == 10 else end)
        if time is not None:
            return start, time
        end = start
    for place in reversed([match.start() for match in _STAMP.finditer(data, low, end)]):
        if place < end:
            start = max(low, data.rfind(b"\n", low, place) + 1)
            time = _time(data, start, end)
            if time is not None:
                return start, time
            end = start
    return None
