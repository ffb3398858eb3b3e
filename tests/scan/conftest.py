"""A plain scan to hold the real one against: every line is looked at, nothing is skipped."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from assistant.evidence.series import Series
from assistant.evidence.types import Event, FileEvidence
from assistant.logtext import errorline, prefix, steps, template, wrappers
from assistant.logtext.config import ConfigReader
from assistant.logtext.events import EventReader
from assistant.rules.types import PatternSpec
from assistant.scan.steplines import StepCollector


@dataclass
class Plain:
    """What a plain scan finds."""

    lines: int = 0
    #: key to (line, captures, level, component, pid, time, first line of the event)
    hits: dict[str, list[tuple[object, ...]]] = field(default_factory=lambda: defaultdict(list))
    events: list[Event] = field(default_factory=list)
    #: shape to its lines
    errors: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    config: dict[str, str] = field(default_factory=dict)
    series: Series = field(default_factory=Series)
    times: list[tuple[int, float]] = field(default_factory=list)


def segments(content: bytes, limit: int) -> list[tuple[int, bytes]]:
    """(line number, segment) of a whole file, by the rules of scan/blocks.py."""
    found = []
    lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    for number, line in enumerate(lines, 1):
        pieces = [line[i:i + limit] for i in range(0, len(line), limit)]
        parts = [part for piece in pieces for part in piece.split(b"\r") if part]
        found += [(number, part) for part in parts or [b""]]
    return found


def plain_scan(content: bytes, specs: Sequence[PatternSpec], limit: int = 1 << 20) -> Plain:
    """Scan a whole file line by line."""
    found = Plain()
    reader, config, collector = EventReader(), None, StepCollector()
    time: float | None = None
    waiting: list[tuple[int, bytes, float | None, bool]] = []
    notes: list[tuple[int, bytes, float | None, Event | None]] = []

    def settle() -> None:
        events = reader.take()
        found.events.extend(events)
        for number, line, at, part in waiting:
            holding = [e for e in events if e.line <= number <= e.end_line] if part else []
            # Events of several processes can be mixed line by line.
            holding = [e for e in holding if e.rank == wrappers.find(line).rank] or holding
            notes.append((number, line, at, max(holding, key=lambda e: e.line, default=None)))
        waiting.clear()

    for number, line in segments(content, limit):
        found.lines = number
        head = prefix.parse(line[:4096])
        if head is not None and head.time is not None:
            time = head.time
            found.times.append((number, time))
        if config is not None:
            if not config.feed(line):
                found.config, config = config.values or found.config, None
        elif b"Current config: {" in line:
            config = ConfigReader(line)
            if not config.open:
                found.config, config = config.values or found.config, None
        taken = (reader.open or reader.starts(line)) and reader.feed(number, line, time)
        if not taken:
            settle()
        collector.take(number, line, time)
        waiting.append((number, line, time, bool(taken) and reader.part))
    reader.close()
    settle()
    if config is not None:
        found.config = config.values or found.config
    for number, line, at, event in notes:
        _note(found, specs, number, line, at, event)
    found.series = collector.build()
    return found


def _note(found: Plain, specs: Sequence[PatternSpec], number: int, line: bytes,
          time: float | None, event: Event | None) -> None:
    head = prefix.parse(line[:4096])
    level, component, pid = (head.level, head.component, head.pid) if head else (None,) * 3
    kind = event.kind if event else None
    # The codes of an inner error say nothing, so that its lines count as standing outside.
    says_nothing = kind == "cann" and event is not None and {
        code[2:] for code in event.codes if code[0] in "EW" and len(code) == 6} == {"9999"}
    for spec in specs:
        match = re.search(spec.expression.encode(), line)
        if (match is None or (spec.levels and level not in spec.levels)
                or (spec.components and component not in spec.components)
                or (spec.inside and kind not in spec.inside)
                or (kind in spec.outside and not says_nothing)):
            continue
        captures = tuple(sorted((name, text.decode("utf-8", "replace"))
                                for name, text in match.groupdict().items() if text is not None))
        hits = found.hits[spec.key]
        if not hits or hits[-1][0] != number:
            hits.append((number, captures, level, component, pid, time,
                         event.line if event else None))
    if event is None and not list(steps.parse_all(line)) and errorline.is_error(line, head):
        shape = template.shape(line[:4096].decode("utf-8", "replace"))
        if not any(number in lines for lines in found.errors.values()):
            found.errors[shape].append(number)


def agree(evidence: FileEvidence, plain: Plain) -> None:
    """Assert that both scans found the same."""
    assert evidence.lines == plain.lines
    assert {key: found.count for key, found in evidence.hits.items()} == {
        key: len(hits) for key, hits in plain.hits.items()}
    for key, found in evidence.hits.items():
        wanted = plain.hits[key]
        wanted = wanted if len(wanted) <= 40 else wanted[:32] + wanted[-8:]
        assert [(h.line, h.captures, h.level, h.component, h.pid, h.time, h.event)
                for h in found.hits] == wanted
        first: dict[object, object] = {}
        for hit in plain.hits[key]:
            if hit[1]:
                first.setdefault(hit[1], hit[0])
        assert [(h.captures, h.line) for h in found.distinct] == list(first.items())[:4096]
    assert evidence.event_count == len(plain.events)
    assert {(e.line, e.end_line, e.title) for e in evidence.events} <= {
        (e.line, e.end_line, e.title) for e in plain.events}
    assert {e.template: e.count for e in evidence.errors} == {
        shape: len(lines) for shape, lines in list(plain.errors.items())[:512]}
    for error in evidence.errors:
        wanted_lines = plain.errors[error.template]
        assert [h.line for h in error.hits] == sorted({*wanted_lines[:3], wanted_lines[-1]})
    assert evidence.error_count == sum(map(len, plain.errors.values()))
    assert evidence.config == plain.config
    assert repr(evidence.series) == repr(plain.series)  # nan is not equal to itself
    assert evidence.time_lines == ((plain.times[0][0], plain.times[-1][0])
                                   if plain.times else None)
    assert (evidence.first_time, evidence.last_time) == (
        (plain.times[0][1], plain.times[-1][1]) if plain.times else (None, None))


@pytest.fixture(scope="session")
def compare() -> Callable[[FileEvidence, bytes, Sequence[PatternSpec], int], None]:
    """Assert that evidence is what a plain scan of the content gives."""

    def check(evidence: FileEvidence, content: bytes, specs: Sequence[PatternSpec],
              limit: int = 1 << 20) -> None:
        agree(evidence, plain_scan(content, specs, limit))

    return check
