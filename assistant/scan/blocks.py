"""A binary stream -> blocks of whole lines.

LF ends a line; only LF is counted. CR ends a segment of a line (a progress bar redraws
itself with CR; CRLF leaves an empty segment, which nobody sees). A line longer than the
limit is cut in pieces of exactly the limit, counted from the line's start, so that nothing
downstream ever holds more than a block, and results do not depend on the block size.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import BinaryIO

#: Bytes read at a time, and the longest line that stays whole.
BLOCK_SIZE = 1 << 22
LINE_LIMIT = 1 << 20

#: Bytes between places of a block at which its line ends are counted.
_STRIDE = 4096

#: See keep_memory.
_LARGEST = 24 << 20

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def keep_memory() -> None:
    """Let this process keep the memory of one block for the next one.

    The GNU C library gives large pieces back to the system as soon as they are free, and the
    system clears each page that it gives out anew, which takes as long as reading. Once it
    has seen a larger piece come and go, it keeps those of a block (mallopt(3), "dynamic mmap
    threshold"). The piece is never touched.
    """
    bytes(_LARGEST)


@dataclass(frozen=True)
class Block:
    """Consecutive lines of a file, or one piece of a line that is too long.

    Attributes:
        data: its bytes, every CR turned into LF: each segment ends with LF, the last one
            perhaps with the end of the data.
        raw: the bytes as read, of the same length; LFs in it count the lines.
        line: 1-based number of the line in which it begins.
        fresh: whether it begins at the start of that line.
        piece: whether it holds a piece of a long line (that line's last piece can be
            followed by other lines).
    """

    data: bytes
    raw: bytes
    line: int
    fresh: bool = True
    piece: bool = False

    def number(self, place: int) -> int:
        """Number of the line that holds this place."""
        marked = place // _STRIDE
        return (self.line + self._marks[marked]
                + self.raw.count(b"\n", marked * _STRIDE, place))

    @property
    def ends(self) -> int:
        """How many lines end in it."""
        return self._marks[-1]

    @cached_property
    def _marks(self) -> list[int]:
        """How many lines end before each multiple of the stride, and in all."""
        count, size = self.raw.count, len(self.raw)
        return list(accumulate((count(b"\n", place, place + _STRIDE)
                                for place in range(0, size, _STRIDE)), initial=0))


class Cutter:
    """Cuts bytes that come bit by bit into blocks.

    Attributes:
        size: bytes pushed. lines: lines that ended in the blocks so far.
        terminated: whether the last block ended with LF, or there was none.
    """

    def __init__(self, line_limit: int = LINE_LIMIT, first_line: int = 1) -> None:
        self._limit = line_limit
        self._line = first_line
        self._fresh = True
        self._carry = b""
        self.size = 0
        self.lines = 0
        self.terminated = True

    def push(self, data: bytes) -> Iterator[Block]:
        """The blocks that can be cut now that these bytes came."""
        self.size += len(data)
        end = data.rfind(b"\n") + 1
        if end:
            # One copy of the bytes; there is no line end in what was carried over.
            whole = b"".join((self._carry, memoryview(data)[:end]))
            self._carry = data[end:]
            yield from self._cut(whole)
        else:
            self._carry += data
        while len(self._carry) > self._limit:
            piece, self._carry = self._carry[:self._limit], self._carry[self._limit:]
            yield self._block(piece, piece=True)

    def rest(self) -> Iterator[Block]:
        """What is left when no more bytes come: a last line without LF."""
        if self._carry:
            carry, self._carry = self._carry, b""
            yield self._block(carry, piece=not self._fresh)

    def _cut(self, whole: bytes) -> Iterator[Block]:
        """Whole lines as one block, but for lines that are too long."""
        start = position = 0
        while position < len(whole):
            # Hop to the last line end in reach: lines between need not be looked at.
            end = whole.rfind(b"\n", position, position + self._limit + 1)
            if end >= 0:
                position = end + 1
                continue
            if position > start:
                yield self._block(whole[start:position], piece=not self._fresh)
            yield self._block(whole[position:position + self._limit], piece=True)
            start = position = position + self._limit
        if position > start:
            yield self._block(whole[start:], piece=not self._fresh)

    def _block(self, raw: bytes, piece: bool) -> Block:
        if self._line == 1 and self._fresh:
            raw = raw.removeprefix(_BYTE_ORDER_MARK)
        data = raw.replace(b"\r", b"\n") if b"\r" in raw else raw
        block = Block(data, raw, self._line, self._fresh, piece)
        self._fresh = self.terminated = raw.endswith(b"\n")
        self._line += block.ends
        self.lines += block.ends
        return block


class BlockReader(Cutter):
    """Reads a stream to its end; iterate over it once, then look at the totals.

    Args:
        most: bytes after which it stops, None: at the end of the stream only.
    """

    def __init__(self, stream: BinaryIO, block_size: int = BLOCK_SIZE,
                 line_limit: int = LINE_LIMIT, first_line: int = 1,
                 most: int | None = None) -> None:
        super().__init__(line_limit, first_line)
        self._stream = stream
        self._block_size = block_size
        self._most = most
        self._failure: Exception | None = None

    def __iter__(self) -> Iterator[Block]:
        """The blocks in order.

        What the stream raises on reading comes through after all that was read before.
        """
        while chunk := self._fill():
            yield from self.push(chunk)
        yield from self.rest()
        if self._failure is not None:
            raise self._failure

    def _fill(self) -> bytes:
        """As many bytes as a block has, fewer only at the end, at the most that is wanted, or
        before a failure."""
        # One call of `read` for all would lose what it got before it failed.
        read = getattr(self._stream, "read1", self._stream.read)
        chunks: list[bytes] = []
        missing = self._block_size
        if self._most is not None:
            missing = min(missing, self._most - self.size)
        try:
            while missing > 0 and self._failure is None and (chunk := read(missing)):
                chunks.append(chunk)
                missing -= len(chunk)
        except Exception as failure:
            self._failure = failure
        return b"".join(chunks)
