"""The scan of a file that still grows: bytes go in as they are written, evidence comes out."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence

from assistant.evidence.keep import FULL, Keep
from assistant.evidence.types import FileEvidence
from assistant.patterns import Engine
from assistant.rules.types import PatternSpec
from assistant.scan.blocks import LINE_LIMIT, Cutter
from assistant.scan.scanner import Scan

#: Bytes scanned at a time: some blocks are held as long as the scan lives.
_BLOCK_SIZE = 1 << 18


class Following:
    """The scan of one file from its start; only new bytes are ever looked at.

    Args:
        engine, specs, keep, line_limit: as for scan_stream.
    """

    def __init__(self, engine: Engine, specs: Sequence[PatternSpec], keep: Keep = FULL,
                 line_limit: int = LINE_LIMIT) -> None:
        self._engine = engine
        self._specs = specs
        self._scan = Scan(engine, specs, keep)
        self._cutter = Cutter(line_limit)

    @property
    def size(self) -> int:
        """Bytes fed."""
        return self._cutter.size

    def feed(self, data: bytes) -> None:
        """The next bytes of the file."""
        for start in range(0, len(data), _BLOCK_SIZE):
            for block in self._cutter.push(data[start:start + _BLOCK_SIZE]):
                self._scan.take(block)

    def evidence(self, name: str, mtime: float | None = None, notes: Iterable[str] = (), *,
                 ended: bool = False) -> FileEvidence:
        """What the bytes so far yield.

        Args:
            name, mtime, notes: as in FileEvidence.
            ended: whether to judge the file as if it ended here: as one that was read whole.
                Otherwise what may yet become something else is left out: a line without its
                end, a traceback or a dump under way.
        """
        if not ended:
            return self._scan.so_far(name, self._cutter, set(notes), mtime)
        # More may come all the same, so the end is put to a copy.
        shared = {id(part): part for part in (self._engine, self._specs)}
        scan, cutter = copy.deepcopy((self._scan, self._cutter), shared)
        for block in cutter.rest():
            scan.take(block)
        return scan.finish(name, cutter, set(notes), mtime)
