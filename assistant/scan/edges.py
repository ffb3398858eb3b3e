"""The first and the last lines of a file: its head, its tail, and whose log it is."""

from __future__ import annotations

import io
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from assistant.evidence.merge import HEAD_LINES, TAIL_LINES, most_frequent
from assistant.evidence.types import Line
from assistant.logtext import prefix
from assistant.scan.blocks import Block
from assistant.scan.record import keep
from assistant.scan.shown import shown

#: How many lines that are not blank are looked at from each end for the processes' ids.
LINES = 200

_LF = 10
#: Blocks that may be put off, and bytes at the end of one that are looked at to see whether
#: those before it can be forgotten.
_PENDING, _GLANCE = 4, 1 << 16
#: Bytes of blanks that are passed over at once from the end.
_STRIDE = 4096

_Numbered = tuple[int, bytes]


class Edges:
    """Collects both ends of a file while its blocks go by."""

    def __init__(self) -> None:
        self._first: list[_Numbered] = []
        self._last: deque[_Numbered] = deque(maxlen=LINES)
        # The blocks that may hold the last lines, to be looked at when they are known to.
        self._pending: list[Block] = []

    def enter(self, block: Block) -> None:
        """Look at both ends of the next block."""
        if len(self._first) < LINES:
            for number, line in _forward(block):
                if self._first and self._first[-1][0] == number:
                    continue  # a further piece of a long line
                if len(self._first) == LINES:
                    break
                self._first.append((number, line))
        self._pending.append(block)
        if _holds_all(block):
            del self._pending[:-1]
        elif len(self._pending) > _PENDING:
            self._settle()

    def _settle(self) -> None:
        """Look at the ends of the blocks that were put off."""
        for block in self._pending:
            new: list[_Numbered] = []
            for entry in _backward(block):
                new.append(entry)
                if len(new) == LINES:
                    break
            if new and self._last and self._last[-1][0] == new[-1][0]:
                self._last.pop()  # its last piece stands for a long line
            self._last.extend(reversed(new))
        self._pending.clear()

    @property
    def head(self) -> tuple[Line, ...]:
        """The first lines that are not blank."""
        return tuple(map(_line, self._first[:HEAD_LINES]))

    @property
    def tail(self) -> tuple[Line, ...]:
        """The last lines that are not blank."""
        self._settle()
        return tuple(map(_line, list(self._last)[-TAIL_LINES:]))

    @property
    def pids(self) -> tuple[tuple[int, int], ...]:
        """(pid, how many prefixes name it) in the lines of both ends."""
        return pids_of([self.ends()])

    def ends(self) -> Ends:
        """The lines of both ends that are looked at for pids."""
        self._settle()
        return Ends(tuple(self._first), tuple(self._last))


class Ends(NamedTuple):
    """The first and the last LINES lines that are not blank: (number, bytes) of each."""

    first: Sequence[_Numbered]
    last: Sequence[_Numbered]


def pids_of(parts: Sequence[Ends]) -> tuple[tuple[int, int], ...]:
    """The pids of a file of which these are the ends of all parts, in order, with numbers as
    in the whole file: as FileEvidence.pids."""
    first = [entry for part in parts for entry in part.first][:LINES]
    last = [entry for part in parts for entry in part.last][-LINES:]
    seen = first[-1][0] if first else 0
    return most_frequent([Counter(_pids(
        [*first, *(entry for entry in last if entry[0] > seen)]))])


def _holds_all(block: Block) -> bool:
    """Whether the last LINES lines that are not blank stand in this block, at a quick look."""
    lines = block.raw[-_GLANCE:].split(b"\n")[1:]
    return sum(not line.isspace() for line in lines if line) >= LINES


def _line(entry: _Numbered) -> Line:
    number, line = entry
    head = prefix.parse(line)
    return Line(number, shown(line), head.time if head else None)


def _pids(lines: Iterable[_Numbered]) -> Iterator[int]:
    for _, line in lines:
        pid = prefix.pid(line)
        if pid is not None:
            yield pid


def _forward(block: Block) -> Iterator[_Numbered]:
    """Number and first segment of each line that is not blank."""
    for number, line in enumerate(io.BytesIO(block.raw), block.line):
        if not line.isspace():
            yield number, keep(next(filter(bytes.strip, line.split(b"\r"))).rstrip(b"\n"))


def _backward(block: Block) -> Iterator[_Numbered]:
    """Number and last segment of each line that is not blank, from the end."""
    raw, end, number = block.raw, len(block.raw), block.line + block.ends
    while (kept := _trimmed(raw, end)) > 0:
        number -= raw.count(b"\n", kept, end)
        line_start = raw.rfind(b"\n", 0, kept) + 1
        start = raw.rfind(b"\r", line_start, kept) + 1 or line_start
        yield number, keep(raw[start:kept])
        end = line_start


def _trimmed(raw: bytes, end: int) -> int:
    """Where `raw[:end]` ends without the blanks at its end."""
    if end > 1 and raw[end - 1] == _LF and raw[end - 2] not in b" \t\n\r\v\f":
        return end - 1
    stride = _STRIDE
    while end > 0:
        start = max(0, end - stride)
        kept = len(raw[start:end].rstrip())
        if kept:
            return start + kept
        end, stride = start, stride * 2
    return 0
