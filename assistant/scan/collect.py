"""Bounded collections of what a scan finds, filled in the order of the lines.

Each keeps what the selections of evidence/merge.py would keep of all that was added.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b

from assistant.evidence.keep import FULL, Keep
from assistant.evidence.merge import ERROR_HITS, event_identity
from assistant.evidence.types import (
    DISTINCT_HITS,
    ERROR_TEMPLATES,
    FIRST_EVENTS,
    LAST_EVENTS,
    ErrorLine,
    Event,
    Hit,
    PatternHits,
)
from assistant.logtext import codes, template
from assistant.scan.record import Captures, Match, Record

#: How many different events are counted; repeats of further ones are not.
_COUNTED_EVENTS = 1 << 16
#: Bytes of what stands for an event where its repeats are counted.
_MARK = 8


class HitCollector:
    """The hits of one pattern key."""

    __slots__ = ("_distinct", "_first", "_keep", "_last", "count", "line")

    def __init__(self, keep: Keep = FULL) -> None:
        self._keep = keep
        self.count = 0
        self.line = 0
        """Line of the last hit."""
        self._first: list[Hit] = []
        # Most of these fall out again, so they become hits only in the end.
        self._last: deque[tuple[Record, Match, Event | None]] = deque(
            maxlen=keep.last_hits)
        self._distinct: dict[Captures, Hit] = {}

    def add(self, record: Record, match: Match, event: Event | None) -> None:
        """Add a line; a further match on the same line counts for nothing."""
        if record.number == self.line:
            return
        self.line = record.number
        self.count += 1
        captures = match.captures
        hit: Hit | None = None
        if len(self._first) < self._keep.first_hits:
            hit = record.hit(captures, event, match.text)
            self._first.append(hit)
        else:
            self._last.append((record, match, event))
        if captures and captures not in self._distinct and len(self._distinct) < DISTINCT_HITS:
            self._distinct[captures] = hit or record.hit(captures, event, match.text)

    def add_run(self, starts: Sequence[int],
                make: Callable[[int], tuple[Record, Match]]) -> None:
        """Add lines that follow one another, each with a number of its own, matched without
        captures; `make` tells of the line that begins somewhere."""
        first = starts[:max(0, self._keep.first_hits - len(self._first))]
        for start in first:
            self.add(*make(start), None)
        rest = starts[len(first):]
        last = rest[-self._keep.last_hits:]
        self.count += len(rest) - len(last)
        for start in last:
            self.add(*make(start), None)

    def build(self) -> PatternHits:
        """What was collected."""
        last = (record.hit(match.captures, event, match.text)
                for record, match, event in self._last)
        return PatternHits(self.count, (*self._first, *last), tuple(self._distinct.values()))


class EventCollector:
    """The events of one file, to be added by their first line.

    Attributes:
        count: how many were added.
        repeats: how often each was, by its `mark`.
        crowded: whether there were more different ones than are counted.
    """

    def __init__(self) -> None:
        self.count = 0
        self.repeats: Counter[bytes] = Counter()
        self.crowded = False
        self._first: dict[Hashable, Event] = {}
        self._last: dict[Hashable, Event] = {}

    def add(self, event: Event) -> None:
        """Add an event."""
        self.count += 1
        identity = event_identity(event)
        if len(self._first) < FIRST_EVENTS:
            self._first.setdefault(identity, event)
        self._last.pop(identity, None)
        self._last[identity] = event
        if len(self._last) > LAST_EVENTS:
            del self._last[next(iter(self._last))]
        known = mark(event)
        if known in self.repeats or len(self.repeats) < _COUNTED_EVENTS:
            self.repeats[known] += 1
        else:
            self.crowded = True

    def build(self) -> tuple[Event, ...]:
        """What was kept, by line, each with its number of repeats."""
        kept = {event.line: event for event in (*self._first.values(), *self._last.values())}
        return counted((kept[line] for line in sorted(kept)), self.repeats)


def mark(event: Event) -> bytes:
    """Bytes that are the same for events that are alike, in every process."""
    return blake2b(repr(event_identity(event)).encode("utf-8", "surrogatepass"),
                   digest_size=_MARK).digest()


def counted(events: Iterable[Event], repeats: Mapping[bytes, int]) -> tuple[Event, ...]:
    """The events with their numbers of repeats, given by their marks."""
    return tuple(replace(event, repeats=max(1, repeats.get(mark(event), 1)))
                 for event in events)


class _Shape:
    """Error-looking lines of one shape."""

    __slots__ = ("codes", "count", "first", "last", "matched")

    def __init__(self) -> None:
        self.count = 0
        self.first: list[Hit] = []
        self.last: Record | None = None
        self.codes: set[str] = set()
        self.matched: Counter[str] = Counter()


class ErrorCollector:
    """The error-looking lines of one file that stand outside events.

    Attributes:
        count: how many were added.
        crowded: whether there were more shapes than are kept.
    """

    def __init__(self) -> None:
        self.count = 0
        self.crowded = False
        self._line = 0
        self._shapes: dict[str, _Shape] = {}

    def add(self, record: Record, matched: Iterable[str]) -> None:
        """Add a line and the keys of the patterns that matched it; the first segment that
        looks like an error stands for its line."""
        if record.number == self._line:
            return
        self._line = record.number
        self.count += 1
        text = record.line.decode("utf-8", "replace")
        name = template.shape(text)
        shape = self._shapes.get(name)
        if shape is None:
            if len(self._shapes) == ERROR_TEMPLATES:
                self.crowded = True
                return
            shape = self._shapes[name] = _Shape()
        shape.count += 1
        if len(shape.first) < ERROR_HITS:
            shape.first.append(record.hit())
        else:
            shape.last = record
        shape.codes.update(codes.find(text))
        shape.matched.update(matched)

    def build(self) -> tuple[ErrorLine, ...]:
        """What was collected, by first line."""
        return tuple(
            ErrorLine(name, shape.count,
                      (*shape.first, shape.last.hit()) if shape.last else tuple(shape.first),
                      tuple(sorted(shape.codes)), tuple(sorted(shape.matched.items())))
            for name, shape in self._shapes.items())
