"""The events of a text, as a log of these lines gives them."""

from __future__ import annotations

from assistant.evidence.types import Event
from assistant.logtext.events import EventReader


def read(text: str) -> list[Event]:
    """Every event of the text."""
    reader = EventReader()
    for number, line in enumerate(text.encode().split(b"\n"), 1):
        reader.feed(number, line, None)
    reader.close()
    return reader.take()


def read_one(text: str) -> Event:
    """The only event of the text."""
    events = read(text)
    assert len(events) == 1, events
    return events[0]
