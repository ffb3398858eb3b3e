"""A source that may show several logs -> the evidence of each.

Logs under heads take turns (`tail -f`), so several scans are under way at a time. Only so many
are kept open; the evidence of one that was closed is joined with what comes later.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace

from assistant.evidence.keep import FULL, LIGHT, MANY_FILES, Keep
from assistant.evidence.merge import merge_files, thinned
from assistant.evidence.types import FileEvidence
from assistant.patterns import Engine
from assistant.rules.types import PatternSpec
from assistant.scan import health
from assistant.scan.blocks import LINE_LIMIT, Cutter
from assistant.scan.scanner import Scan
from assistant.sources import LogSource
from assistant.sources.names import Names
from assistant.sources.sections import OUTSIDE, Shown, Splitter, pieces, shortened

#: Scans that are kept open, and the bytes that one is given at a time: each holds some blocks.
_OPEN, _BLOCK = 64, 1 << 18


def scan_shown(source: LogSource, shown: Shown, engine: Engine, specs: Sequence[PatternSpec],
               keep: Keep = FULL,
               advance: Callable[[int], None] | None = None) -> list[FileEvidence]:
    """The evidence of the logs that a source shows, or of itself if it shows none.

    A line's number is counted in its own log, from the line below its first head on.

    Args:
        engine, specs, keep, advance: as for scan_stream.

    Raises:
        OSError: the source cannot be opened.
    """
    splitter = Splitter(shown.anywhere)
    scans = _Scans(engine, specs, keep)
    notes: set[str] = set()
    with source.open() as stream:
        try:
            most = health.most(stream, health.size(stream))
            for found, size in pieces(stream, splitter, most):
                for name, data in found.items():
                    scans.feed(name, data)
                if advance is not None:
                    advance(size)
        except health.read_errors() as error:
            notes.add(health.describe(error))
    if not splitter.names:
        whole = scans.evidence(OUTSIDE, source.name)
        return [replace(whole, mtime=source.mtime,
                        notes=tuple(sorted({*whole.notes, *source.notes, *notes})))]
    notes.add(f"{splitter.note}: {source.name}")
    short, unique = shortened(splitter.names), Names()
    names = [*((OUTSIDE, unique.unique(source.name)) for _ in range(OUTSIDE in scans.names)),
             *((name, unique.unique(shown.prefix + short[name])) for name in splitter.names)]
    found_all = [scans.evidence(name, label) for name, label in names]
    if len(found_all) >= MANY_FILES:
        found_all = [thinned(one, LIGHT) for one in found_all]
    return [replace(one, mtime=source.mtime, notes=tuple(sorted({*one.notes, *notes})))
            for one in found_all]


class _Scans:
    """The scans of several logs by name."""

    def __init__(self, engine: Engine, specs: Sequence[PatternSpec], keep: Keep) -> None:
        self._engine, self._specs, self._keep = engine, specs, keep
        self._open: OrderedDict[str, tuple[Scan, Cutter]] = OrderedDict()
        self._closed: dict[str, FileEvidence] = {}

    @property
    def names(self) -> frozenset[str]:
        """Of the logs that were given anything."""
        return frozenset(self._open) | frozenset(self._closed)

    def feed(self, name: str, data: bytes) -> None:
        """The next bytes of a log."""
        scan, cutter = self._of(name)
        block = len(data) if name == OUTSIDE else _BLOCK
        for start in range(0, len(data), block or 1):
            for found in cutter.push(data[start:start + block]):
                scan.take(found)

    def evidence(self, name: str, label: str) -> FileEvidence:
        """What a log yielded, under its final name; no more of it comes."""
        if name in self._open or name not in self._closed:
            self._close(name)
        return replace(self._closed.pop(name), name=label)

    def _of(self, name: str) -> tuple[Scan, Cutter]:
        made = self._open.pop(name, None)
        if made is None:
            if len(self._open) >= _OPEN:
                self._close(next(iter(self._open)))
            before = self._closed.get(name)
            lines, time = (before.lines, before.last_time) if before is not None else (0, None)
            made = (Scan(self._engine, self._specs, self._keep, time),
                    Cutter(LINE_LIMIT, 1 + lines))
        self._open[name] = made
        return made

    def _close(self, name: str) -> None:
        scan, cutter = self._of(name)
        del self._open[name]
        for block in cutter.rest():
            scan.take(block)
        found = scan.finish(name, cutter, set(), None)
        before = self._closed.get(name)
        self._closed[name] = found if before is None else merge_files([before, found], self._keep)
