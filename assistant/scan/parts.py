"""A large file, scanned in parts that several processes take: the result is that of a scan of
the whole.

A file is cut before lines with a time, where most likely nothing is under way. Each part tells
how it hangs together with its neighbours (a Seam). Where a cut turns out to have gone through
something (a traceback, the lines of one step), the two parts are scanned again as one.
"""

from __future__ import annotations

import io
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import NamedTuple

from assistant.evidence.keep import Keep
from assistant.evidence.merge import merge_files
from assistant.evidence.series import EMPTY_SERIES
from assistant.evidence.shift import shifted
from assistant.evidence.types import FileEvidence
from assistant.logtext import prefix, steps
from assistant.patterns import Engine
from assistant.rules.types import PatternSpec
from assistant.scan import health
from assistant.scan.blocks import BlockReader
from assistant.scan.clock import HEAD_BYTES
from assistant.scan.collect import counted
from assistant.scan.edges import Ends, pids_of
from assistant.scan.scanner import Scan, Seam
from assistant.sources import LogSource

#: Fewest bytes of a part: a smaller one is not worth the trouble.
PART_BYTES = 1 << 26
#: Bytes in which a place for a cut is looked for.
_REACH = 1 << 20
#: Lines of them that are looked at.
_LINES = 2000


@dataclass(frozen=True, slots=True)
class Part:
    """Some lines of a file.

    Attributes:
        source: the file.
        start, end: its bytes, counted from the start of the file; the last part's end is the
            size that the file had.
        last: whether nothing is behind it, so that what the file grows by belongs to it.
    """

    source: LogSource
    start: int
    end: int
    last: bool

    @property
    def size(self) -> int:
        """How many bytes it has."""
        return self.end - self.start


class Scanned(NamedTuple):
    """What a part yielded: evidence whose lines are numbered from 1, and its seam."""

    evidence: FileEvidence
    seam: Seam


def cut(source: LogSource, size: int) -> list[Part]:
    """A file in parts of about so many bytes; one that is not worth it, or cannot be read from
    its middle (compressed, in another encoding), gives none."""
    if source.path is None or source.size is None or source.size < 2 * size:
        return []
    try:
        with source.open() as file:
            if not isinstance(file, io.FileIO):
                return []
            whole = os.fstat(file.fileno()).st_size
            number = whole // size
            wanted = (place * whole // number for place in range(1, number))
            found = {at for place in wanted if (at := _place(file, place, whole)) is not None}
    except OSError:
        return []  # who scans it will tell
    places = [0, *sorted(found), whole]
    return [Part(source, start, end, end == whole)
            for start, end in pairwise(places)] if found else []


def _place(file: io.FileIO, start: int, size: int) -> int | None:
    """Where to cut behind `start`: before a line with a time.

    Best is one behind a step line, so that what a monitor prints before the next one stays
    with that; else one behind another line with a time, where no traceback ends.
    """
    data = os.pread(file.fileno(), min(_REACH, size - start), start)
    quiet: int | None = None
    stamped: int | None = None
    at = data.find(b"\n") + 1
    before = stepped = False
    for _ in range(_LINES if at else 0):
        end = data.find(b"\n", at)
        if end < 0:
            break
        line = data[at:min(end, at + HEAD_BYTES)]
        head = prefix.parse(line)
        timed = head is not None and head.time is not None
        if timed and stepped:
            return start + at
        if timed and before and quiet is None:
            quiet = start + at
        if timed and stamped is None:
            stamped = start + at
        before = timed
        stepped = any(found.kind != "monitor" for found in steps.parse_all(line))
        at = end + 1
    return stamped if quiet is None else quiet


def scan_part(part: Part, engine: Engine, specs: Sequence[PatternSpec],
              keep: Keep) -> Scanned | None:
    """Scan a part; None if it cannot be read to its end, so that the whole has to be."""
    try:
        with part.source.open() as file:
            if not isinstance(file, io.FileIO):
                return None
            file.seek(part.start)
            reader = BlockReader(file, most=part.size + (health.GROWTH if part.last else 0))
            scan = Scan(engine, specs, keep)
            for block in reader:
                scan.take(block)
            if reader.size < part.size:
                return None
            notes = health.changes(part.end, health.size(file)) if part.last else set()
            seam = scan.seam()
            return Scanned(scan.finish(part.source.name, reader, notes, part.source.mtime), seam)
    except Exception:  # the scan of the whole will say what it is
        return None


class Split:
    """A file under way in parts.

    Args:
        parts: all of them, in order.
        keep: with which they are scanned.

    Attributes:
        again: whether parts are scanned once more, as one.
    """

    def __init__(self, parts: Sequence[Part], keep: Keep) -> None:
        self._parts = tuple(parts)
        self._keep = keep
        self.again = False
        self._found: dict[Part, Scanned] = {}

    def take(self, part: Part, found: Scanned) -> list[Part]:
        """Take what a part yielded.

        Returns:
            Parts that have to be scanned, now that this is known, in the place of others.
        """
        self._found[part] = found
        if len(self._found) < len(self._parts):
            return []
        torn = set(_torn([self._found[one].seam for one in self._parts]))
        if not torn:
            return []
        joined = [0, *(place for place in range(1, len(self._parts)) if place not in torn)]
        parts = tuple(replace(self._parts[first], end=self._parts[behind - 1].end,
                              last=self._parts[behind - 1].last)
                      for first, behind in zip(joined, [*joined[1:], len(self._parts)],
                                               strict=True))
        self._parts, self.again = parts, True
        self._found = {one: found for one, found in self._found.items() if one in parts}
        return [one for one in parts if one not in self._found]

    def joined(self) -> FileEvidence | None:
        """The evidence of the file, None while parts are missing."""
        if len(self._found) < len(self._parts):
            return None
        found = [self._found[part] for part in self._parts]
        before = list(accumulate((one.evidence.lines for one in found), initial=0))
        stepped = any(one.seam.steps.stepped for one in found)
        parts = [shifted(_without_monitors(one) if stepped else one.evidence, by)
                 for one, by in zip(found, before, strict=False)]
        whole = merge_files(parts, self._keep)
        source = self._parts[0].source
        repeats = sum((one.seam.repeats for one in found), Counter[bytes]())
        return replace(
            whole, notes=(*source.notes, *whole.notes),
            events=counted(whole.events, repeats),
            pids=pids_of([_shifted(one.seam.edges, by)
                          for one, by in zip(found, before, strict=False)]))


def _torn(seams: Sequence[Seam]) -> Iterator[int]:
    """Places of the parts that must not be told from the one before."""
    crowded = any(seam.crowded for seam in seams)
    last: int | None = None
    for place, (before, seam) in enumerate(pairwise(seams), 1):
        last = last if before.steps.last is None else before.steps.last
        monitored = seam.steps.monitored
        if (crowded or before.open or before.steps.unstepped or seam.steps.leaning
                or (monitored is not None and monitored == last)):
            yield place


def _without_monitors(found: Scanned) -> FileEvidence:
    """Rows that monitors alone would make count only in a file without step lines."""
    if found.seam.steps.stepped:
        return found.evidence
    return replace(found.evidence, series=EMPTY_SERIES)


def _shifted(ends: Ends, by: int) -> Ends:
    return Ends(tuple((number + by, line) for number, line in ends.first),
                tuple((number + by, line) for number, line in ends.last))
