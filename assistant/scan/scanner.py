"""One log file -> its evidence, in one pass over its bytes.

An engine finds the lines of note of each block: those that may match a pattern, and those
that the readers of logtext want to see. Only these are looked at one by one; while an event
or a configuration dump is open, every line is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import BinaryIO, NamedTuple

from assistant.evidence.keep import FULL, Keep
from assistant.evidence.types import Event, FileEvidence
from assistant.logtext import codes, errorline, prefix
from assistant.logtext.config import ConfigReader
from assistant.patterns import Engine
from assistant.rules.types import PatternSpec
from assistant.scan import health
from assistant.scan.blocks import BLOCK_SIZE, LINE_LIMIT, Block, BlockReader, Cutter
from assistant.scan.clock import HEAD_BYTES, Clock
from assistant.scan.collect import ErrorCollector, EventCollector, HitCollector
from assistant.scan.compile import TRIGGERS
from assistant.scan.edges import Edges, Ends
from assistant.scan.patience import Patience
from assistant.scan.pending import EventLines, Waiting
from assistant.scan.places import BlockPlaces
from assistant.scan.record import Match, Record, is_long, keep
from assistant.scan.shown import shown
from assistant.scan.steplines import StepCollector, StepEnds

_STEP, _TRAINER, _MONITOR, _EVENT, _ERROR, _CONFIG = map(
    TRIGGERS.index, ("@step", "@trainer", "@monitor", "@event", "@error", "@config"))
_STEPS = frozenset((_STEP, _TRAINER, _MONITOR))
_FIRST_SPEC = len(TRIGGERS)
#: An error block of CANN whose code says nothing: a pattern for what stands outside of such
#: blocks means its lines as well.
_CANN, _GENERAL = "cann", "cann-general"


def scan_stream(name: str, stream: BinaryIO, engine: Engine, specs: Sequence[PatternSpec], *,
                mtime: float | None = None, keep: Keep = FULL, first_line: int = 1,
                block_size: int = BLOCK_SIZE, line_limit: int = LINE_LIMIT,
                advance: Callable[[int], None] | None = None) -> FileEvidence:
    """The evidence of one file.

    Args:
        name: as in FileEvidence.
        stream: the (decompressed) bytes; read to its end, never sought, not closed. A file
            that grows meanwhile is read to the size it had, and a bounded way beyond.
        engine: made by compile.build_engine from the same specs.
        keep: how much is kept.
        first_line: number of the first line, if this is a part of a file.
        block_size, line_limit: see blocks.py.
        advance: called with the number of bytes after each block.

    A stream that fails on reading gives the evidence of what was read and a note.
    """
    notes: set[str] = set()
    before = health.size(stream)
    reader = BlockReader(stream, block_size, line_limit, first_line,
                         health.most(stream, before))
    scan = Scan(engine, specs, keep)
    try:
        for block in reader:
            scan.take(block)
            if advance is not None:
                advance(len(block.raw))
    except health.read_errors() as error:
        notes.add(health.describe(error))
    notes.update(health.changes(before, health.size(stream)))
    return scan.finish(name, reader, notes, mtime)


class _Bulk(NamedTuple):
    """How step lines are read in bulk.

    Attributes:
        step_group: the engine's group of the step lines' trigger, -1 where a pattern in it may
            not match all that has a step line's layout.
        step_specs: the patterns in that group.
        loud_groups: groups of lines that have a part in what the step lines around them mean.
    """

    step_group: int
    step_specs: tuple[int, ...]
    loud_groups: frozenset[int]


class Seam(NamedTuple):
    """How what was scanned of a file hangs together with the rest of it.

    Attributes:
        open: whether an event or a dump is under way.
        crowded: whether something was not counted because there was too much of it.
        steps: what hangs over of the step lines. edges: the lines of both ends.
        repeats: how often each event was met, by its mark.
    """

    open: bool
    crowded: bool
    steps: StepEnds
    edges: Ends
    repeats: Counter[bytes]


class Scan:
    """The scan of one file under way: give it all blocks in order, then finish it. `time`: of the
    nearest line with one above the first block."""

    def __init__(self, engine: Engine, specs: Sequence[PatternSpec], keep: Keep = FULL,
                 time: float | None = None) -> None:
        self._engine = engine
        self._specs = specs
        self._keep = keep
        self._block = Block(b"", b"", 1)
        self._clock = Clock(time)
        self._edges = Edges()
        self._text = health.TextCheck()
        self._hits: dict[str, HitCollector] = {}
        self._events = EventCollector()
        self._errors = ErrorCollector()
        self._steps = StepCollector(keep)
        self._lines = EventLines(self._events.add, self._settled)
        # The dump under way with its line, and the last one that held something.
        self._config: ConfigReader | None = None
        self._config_start = 0
        self._config_line = 0
        self._config_values: dict[str, str] = {}
        self._places = BlockPlaces(self._block, None)
        self._step_group, self._step_specs, self._loud_groups = _bulk(engine, specs)
        self._patience = Patience()
        # Whether an event or a dump is open, so that no line may be passed over.
        self._every_line = False

    def take(self, block: Block) -> None:
        """Read the next block."""
        self._block = block
        self._text.take(block)
        self._edges.enter(block)
        self._clock.enter(block)
        self._places = BlockPlaces(block, self._clock.time)
        data, members, size = block.data, self._engine.members, len(block.data)
        lines = self._engine.lines(data)
        # Segments of a line have no numbers of their own: they are read one by one.
        whole = data is block.raw and block.fresh and not block.piece
        count, i, position = len(lines), 0, 0
        # Lines read already, and from where on more may be.
        done: set[int] = set()
        bulk = 0
        while True:
            if self._every_line:
                start = position
                if start >= size:
                    break
            elif i < count:
                if whole and i >= bulk and lines[i][1] == self._step_group:
                    bulk = self._run(lines, i, done)
                start = lines[i][0]
                if start in done:
                    i += 1
                    continue
            else:
                break
            found: list[int] = []
            while i < count and lines[i][0] == start:
                found += members[lines[i][1]]
                i += 1
            found.sort()
            end = data.find(b"\n", start)
            if end < 0:
                end = size
            self._line(self._places.number(start), start, end, found)
            position = end + 1

    def _run(self, lines: Sequence[tuple[int, int]], first: int, done: set[int]) -> int:
        """Read step lines in bulk, passing over lines between them that have no part in what
        they mean.

        Args:
            first: place of the first one in `lines`. done: gets the lines that were read.

        Returns:
            Place in `lines` from which on it can be tried again.
        """
        if self._steps.line_layout is None or self._lines.open or self._config is not None:
            return first + 1
        starts: list[int] = []
        places: list[int] = []
        count = len(lines)
        for place in range(first, min(count, first + self._patience.reach)):
            start, group = lines[place]
            if group == self._step_group:
                if (lines[place - 1][0] == start if place else False) or (
                        place + 1 < count and lines[place + 1][0] == start):
                    break  # it means something else as well
                starts.append(start)
                places.append(place)
            elif group in self._loud_groups:
                break
        if not starts:
            return first + 1
        taken = self._steps.take_run(self._block.data, starts, self._places)
        done.update(starts[:taken])
        if taken and self._step_specs:
            self._count_run(starts[:taken])
        pause = self._patience.told(taken, len(starts))
        return (places[-1] if taken == len(starts) else places[taken]) + pause

    def _count_run(self, starts: Sequence[int]) -> None:
        """Count step lines of one layout as hits."""
        line = self._places.line(starts[0])
        head = prefix.parse(keep(line))
        record = Record(0, keep(line), None, head)
        for index in self._step_specs:
            spec = self._specs[index - _FIRST_SPEC]
            if _wanted(spec, record, None):
                self._collector(spec.key).add_run(starts, partial(self._hit, index))

    def _hit(self, index: int, start: int) -> tuple[Record, Match]:
        """The line that begins here, which the pattern is known to match."""
        line = self._places.line(start)
        head = prefix.parse(keep(line))
        time = head.time if head is not None else None
        if time is None:
            time = self._places.time(start)
        record = Record(self._places.number(start), keep(line), time, head)
        return record, self._matches(line, (index,))[0]

    def _line(self, number: int, start: int, end: int, found: Sequence[int]) -> None:
        """Look at one segment and at what the engine says that it may match."""
        line = self._block.data[start:end]
        if not line and self._is_remnant(start, end):
            return
        head = prefix.parse(line if end - start <= HEAD_BYTES else line[:HEAD_BYTES])
        time = self._clock.passed(start, end, head.time if head else None)
        waits, part = self._feed(number, line, time, found)
        if found:
            noted = self._note(number, line, time, head, found, part)
            if noted is not None and waits:
                self._lines.hold(noted)
            elif noted is not None:
                self._settled(noted, None)
        if waits and not self._lines.open:
            self._lines.settle()
        self._every_line = self._config is not None or (waits and self._lines.open)

    def _note(self, number: int, line: bytes, time: float | None, head: prefix.Prefix | None,
              found: Sequence[int], part: bool) -> Waiting | None:
        """What is to be noted of a line, None if nothing is."""
        stepped = (not _STEPS.isdisjoint(found)
                   and self._steps.take(number, line, time))
        error = (not stepped and _ERROR in found
                 and self._engine.match(_ERROR, line) is not None
                 and errorline.is_error(line, head))
        matches = self._matches(line, found)
        if not matches and not error:
            return None
        return Waiting(Record(number, keep(line), time, head), matches, error, part)

    def _is_remnant(self, start: int, end: int) -> bool:
        """Whether an empty segment is only what CR or the line limit left of a line."""
        raw = self._block.raw
        line_start = raw.rfind(b"\n", 0, start) + 1
        begun = line_start == 0 and not self._block.fresh
        return begun or raw[end:end + 1] == b"\r" or bool(raw[line_start:start].strip(b"\r"))

    def _feed(self, number: int, line: bytes, time: float | None,
              found: Sequence[int]) -> tuple[bool, bool]:
        """Feed the readers that read line by line.

        Returns:
            Whether the line must wait for the end of an event, and whether it is part of one.
        """
        if self._config is not None:
            if not self._config.feed(line):
                self._end_config()
        elif _CONFIG in found:
            self._config, self._config_start = ConfigReader(line), number
            if not self._config.open:
                self._end_config()
        if not self._lines.open and (_EVENT not in found or not self._lines.starts(line)):
            return False, False
        waits = self._lines.feed(number, line, time)
        return waits, self._lines.part

    def _end_config(self) -> None:
        """The dump is over, or what was taken for one was none."""
        if self._config is not None and self._config.values:
            self._config_values = self._config.values
            self._config_line = self._config_start
        self._config = None

    def _matches(self, line: bytes, found: Sequence[int]) -> list[Match]:
        """The patterns that do match, in the order of their specs."""
        matches: list[Match] = []
        for index in found:
            if index >= _FIRST_SPEC:
                groups = self._engine.match(index, line)
                if groups is not None:
                    text = shown(line, self._engine.span(index, line)) if is_long(line) else None
                    matches.append(Match(index - _FIRST_SPEC, tuple(sorted(groups.items())),
                                         text))
        return matches

    def _settled(self, line: Waiting, event: Event | None) -> None:
        """Count a line of note, now that it is known which event holds it."""
        record, keys = line.record, []
        kind = event.kind if event is not None else None
        if kind == _CANN and event is not None and codes.are_general(event.codes):
            kind = _GENERAL
        for match in line.matches:
            spec = self._specs[match.spec]
            if _wanted(spec, record, kind):
                self._collector(spec.key).add(record, match, event)
                keys.append(spec.key)
        if line.error and event is None:
            self._errors.add(record, set(keys))

    def _collector(self, key: str) -> HitCollector:
        collector = self._hits.get(key)
        if collector is None:
            collector = self._hits[key] = HitCollector(self._keep)
        return collector

    def seam(self) -> Seam:
        """How the blocks taken hang together with the rest of the file; before it is finished."""
        return Seam(self._lines.open or self._config is not None,
                    self._events.crowded or self._errors.crowded,
                    self._steps.ends(), self._edges.ends(), self._events.repeats)

    def finish(self, name: str, reader: Cutter, notes: set[str],
               mtime: float | None) -> FileEvidence:
        """The evidence of all blocks taken, no more of which come."""
        self._lines.close()
        self._end_config()
        self._text.finish()
        return self.so_far(name, reader, notes, mtime)

    def so_far(self, name: str, reader: Cutter, notes: set[str],
               mtime: float | None) -> FileEvidence:
        """The evidence of the blocks taken so far, but for an event or a dump that is open.

        Args: name, mtime: as in FileEvidence. reader: what cut the blocks. notes: of it.
        """
        ends = self._clock.ends()
        return FileEvidence(
            name=name,
            size=reader.size,
            lines=reader.lines + (not reader.terminated),
            mtime=mtime,
            first_time=ends[0][1] if ends else None,
            last_time=ends[1][1] if ends else None,
            head=self._edges.head,
            tail=self._edges.tail,
            terminated=reader.terminated,
            pids=self._edges.pids,
            hits={key: self._hits[key].build() for key in sorted(self._hits)},
            events=self._events.build(),
            event_count=self._events.count,
            errors=self._errors.build(),
            error_count=self._errors.count,
            config=self._config_values,
            series=self._steps.build(),
            notes=tuple(sorted(notes | self._text.notes)),
            config_line=self._config_line,
            time_lines=(ends[0][0], ends[1][0]) if ends else None)


def _bulk(engine: Engine, specs: Sequence[PatternSpec]) -> _Bulk:
    """Whether and how step lines can be read in bulk."""
    groups = engine.groups
    group = groups[_STEP]
    others = tuple(index for index in engine.members[group] if index != _STEP)
    if any(engine.expressions[index].replace(r"\d", "[0-9]") != engine.expressions[_STEP]
           for index in others):
        return _Bulk(-1, (), frozenset())
    keys = {specs[index - _FIRST_SPEC].key for index in others}
    # A trainer's line may tell no step: it is then the one behind that of the line above.
    loud = {groups[index] for index in (_MONITOR, _TRAINER, _EVENT, _CONFIG)}
    loud.update(groups[index] for index, spec in enumerate(specs, _FIRST_SPEC)
                if spec.key in keys)
    return _Bulk(group, others, frozenset(loud - {group}))


def _wanted(spec: PatternSpec, record: Record, kind: str | None) -> bool:
    """Whether a line that matches counts for a spec with these limits."""
    if spec.levels or spec.components:
        head = record.prefix
        if head is None or (spec.levels and head.level not in spec.levels):
            return False
        if spec.components and head.component not in spec.components:
            return False
    if spec.inside and (_CANN if kind == _GENERAL else kind) not in spec.inside:
        return False
    return kind is None or kind not in spec.outside
