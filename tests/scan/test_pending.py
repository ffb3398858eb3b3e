from __future__ import annotations

import pytest

from assistant.evidence.types import Event
from assistant.scan import pending
from assistant.scan.pending import EventLines, Waiting, holder
from assistant.scan.record import Record

TRACEBACK = [b"Traceback (most recent call last):", b'  File "a.py", line 7, in main',
             b"    run()", b"ValueError: no"]


def waiting(number: int, line: bytes = b"", part: bool = True) -> Waiting:
    return Waiting(Record(number, line, None, None), (), True, part)


class Seen:
    """What EventLines tells."""

    def __init__(self) -> None:
        self.events: list[int] = []
        self.lines: list[tuple[int, int | None]] = []
        self.reader = EventLines(lambda event: self.events.append(event.line), self.settled)

    def settled(self, line: Waiting, event: Event | None) -> None:
        self.lines.append((line.record.number, event.line if event else None))

    def feed(self, *lines: bytes, first: int = 1) -> None:
        for number, line in enumerate(lines, first):
            if self.reader.feed(number, line, None):
                self.reader.hold(waiting(number, line, self.reader.part))


def test_lines_wait_for_the_end_of_their_event() -> None:
    seen = Seen()
    seen.feed(*TRACEBACK)
    assert seen.lines == []
    seen.feed(b"2026-11-30 08:00:00,000 - name - INFO - next", b"", b"more", b"text", first=5)
    seen.reader.close()
    assert seen.events == [1]
    assert seen.lines[:4] == [(1, 1), (2, 1), (3, 1), (4, 1)]
    assert all(event is None for _, event in seen.lines[4:])


def test_waiting_lines_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pending, "_MAX_WAITING", 10)
    seen = Seen()
    seen.feed(*TRACEBACK * 10)
    assert seen.lines[:4] == [(1, 1), (2, 1), (3, 1), (4, 1)]
    seen.reader.close()
    assert seen.lines == [(i + 1, i // 4 * 4 + 1) for i in range(40)]


def event(line: int, end: int, rank: int | None = None) -> Event:
    return Event("traceback", line, end, None, "E", "m", end, rank=rank)


def test_holder() -> None:
    outer, inner, other = event(1, 9), event(3, 5), event(2, 8, rank=3)
    assert holder(waiting(4), [outer, inner]) == inner
    assert holder(waiting(7), [outer, inner]) == outer
    assert holder(waiting(10), [outer, inner]) is None
    assert holder(waiting(4, part=False), [outer]) is None
    assert holder(waiting(4, b"[rank3]: text"), [outer, inner, other]) == other
