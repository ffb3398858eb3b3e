"""Which event holds a line is known only when the event has ended: until then lines wait."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assistant.evidence.types import Event
from assistant.logtext import wrappers
from assistant.logtext.events import EventReader
from assistant.scan.record import Match, Record

#: Lines that may wait while one event follows the other without a break.
_MAX_WAITING = 8192


@dataclass(frozen=True, slots=True)
class Waiting:
    """A line of note.

    Attributes:
        record: the line. matches: the patterns that matched it.
        error: whether it looks like an error.
        part: whether it belongs to an event (else it only stands between its lines).
    """

    record: Record
    matches: Sequence[Match]
    error: bool
    part: bool


class EventLines:
    """Reads events and holds back the lines of note among theirs.

    Args:
        finished: takes each event, by first line.
        settled: takes each line that was held back, with the event that holds it.
    """

    def __init__(self, finished: Callable[[Event], None],
                 settled: Callable[[Waiting, Event | None], None]) -> None:
        self._reader = EventReader()
        self._finished = finished
        self._settled = settled
        self._waiting: list[Waiting] = []

    @property
    def open(self) -> bool:
        """Whether an event is under way: every line must be fed."""
        return self._reader.open

    @property
    def part(self) -> bool:
        """Whether the line last fed belongs to an event."""
        return self._reader.part

    def starts(self, line: bytes) -> bool:
        """Whether an event begins on this line, none being open."""
        return self._reader.starts(line)

    def feed(self, number: int, line: bytes, time: float | None) -> bool:
        """Read a line; False if it belongs to no event and none is open any more."""
        taken = self._reader.feed(number, line, time)
        if not taken:
            self.settle()
        return taken

    def hold(self, waiting: Waiting) -> None:
        """Keep a line that was fed until its event is known."""
        self._waiting.append(waiting)
        if len(self._waiting) >= _MAX_WAITING:
            self._settle_some()

    def close(self) -> None:
        """The file has ended."""
        self._reader.close()
        self.settle()

    def settle(self) -> None:
        """Settle all lines held back, no event being open."""
        events = self._reader.take()
        for event in events:
            self._finished(event)
        waiting, self._waiting = self._waiting, []
        for line in waiting:
            self._settled(line, holder(line, events))

    def _settle_some(self) -> None:
        """Settle what stands before the end of the events that have ended."""
        events = self._reader.take()
        end = max((event.end_line for event in events), default=0)
        for event in events:
            self._finished(event)
        for line in self._waiting:
            if line.record.number <= end:
                self._settled(line, holder(line, events))
        self._waiting = [line for line in self._waiting if line.record.number > end]


def holder(line: Waiting, events: Sequence[Event]) -> Event | None:
    """The event that holds the line: of the same rank if several could, then the innermost."""
    if not line.part:
        return None
    number = line.record.number
    found = [event for event in events if event.line <= number <= event.end_line]
    if len(found) > 1:
        rank = wrappers.find(line.record.line).rank
        found = [event for event in found if event.rank == rank] or found
    return max(found, key=lambda event: event.line, default=None)
