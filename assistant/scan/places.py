"""Where a line stands: the number and the bytes of the line that begins somewhere in a block."""

from __future__ import annotations

from assistant.scan.blocks import Block
from assistant.scan.clock import last_stamped


class BlockPlaces:
    """Answers for one block.

    Args:
        before: time of the last stamped line before the block.
    """

    def __init__(self, block: Block, before: float | None) -> None:
        self._block = block
        self._before = before

    def number(self, start: int) -> int:
        """Number of the line that begins here."""
        return self._block.number(start)

    def line(self, start: int) -> bytes:
        """The bytes from here to the end of the line."""
        data = self._block.data
        end = data.find(b"\n", start)
        return data[start:] if end < 0 else data[start:end]

    def time(self, start: int) -> float | None:
        """The time of the nearest stamped line above."""
        found = last_stamped(self._block.data, 0, start)
        return self._before if found is None else found[1]
