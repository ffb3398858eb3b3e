"""Events of several lines: which reader reads them, and where they begin and end.

Fed with the lines of a file, one after the other, from a line that `starts` an event on.
Lines of different processes, as far as launcher prefixes (`[rank3]: `, `(Worker pid=7) `)
tell them apart, are read apart, so that their tracebacks may be mixed line by line. In one
stream an event may be cut into by another kind of event: then that one is read first.

The result depends on the lines alone, not on how they were read from the file.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from assistant.evidence.types import Event
from assistant.logtext import (
    cann_reader,
    native_reader,
    sections,
    traceback_reader,
)
from assistant.logtext.eventtext import Reader, Take, TextLine, read_line
from assistant.logtext.quotes import Quotes

#: Finds (RE2 and Hyperscan) every line on which an event may begin; `starts` decides.
START = "|".join((
    r"Traceback \(most recent call last\):",
    r"Exception ignored in|Exception in thread ",
    r"Fatal Python error: |terminate called (?:after|without)",
    r"hread 0x[0-9a-fA-F]+[^\n]{0,80}\(most recent call first\)",
    r"Failed to initialize distributed job cluster because",
    r"(?:^|[:)\]] ?|m|[EFPZ|>] {1,12})- [A-Z][A-Za-z+ ]{3,60}:(?: ?\([^()\n]{0,80}\))?[ \t\r]*$",
    r"(?:^|\x1b\[[0-9;]{0,16}m|[^0-9A-Za-z_.])E[0-9A-Z][0-9]{4}(?:\):|: |:[\t\r\[]|:$|\[PID|  )",
    r'  File "[^"\n]+", line [0-9]+(?:, in |[ \t\r]*$)',
))

#: Most lines of one event; frames of a traceback do not count.
MAX_LINES = 2000
#: Most lines on end that are passed over before an event is given up.
MAX_ASIDE = 200
#: Most streams read at the same time.
_MAX_STREAMS = 64
#: How deep events may cut into one another.
_MAX_DEPTH = 3

_Stream = tuple[int | None, int | None]


@dataclass(slots=True)
class _Open:
    """An event being read; `lines` counts its lines, `aside` those passed over on end."""

    reader: Reader
    quotes: Quotes
    lines: int = 1
    aside: int = 0
    fresh: bool = True


class EventReader:
    """Reads the events of one file, line by line.

    Attributes:
        part: whether the line last fed belongs to an event; False for one that was only
            passed over (a record of another thread in the middle of a traceback).
    """

    def __init__(self) -> None:
        self.part = False
        self._streams: dict[_Stream, list[_Open]] = {}
        #: stream and number of the line that was part of an event last
        self._latest: tuple[_Stream, int] = ((None, None), 0)
        self._events: list[Event] = []

    @property
    def open(self) -> bool:
        """Whether an event has begun and not ended: every further line must be fed."""
        return bool(self._streams)

    def starts(self, line: bytes) -> bool:
        """Whether an event begins on this line (only asked while none is open)."""
        return _reader_for(read_line(0, line, None)) is not None

    def feed(self, number: int, line: bytes, time: float | None) -> bool:
        """Read the next line.

        Args:
            number: 1-based, rising.
            line: its bytes, with or without the line end.
            time: its time or that of the nearest line above that has one.

        Returns:
            True if the line was taken or passed over; False if it belongs to no event and
            none is open any more. (A line that ends one event and begins another is taken.)
        """
        text = read_line(number, line, time)
        stream = self._stream_of(text)
        self.part = self._feed_stream(self._streams.setdefault(stream, []), text, line)
        if not self._streams[stream]:
            del self._streams[stream]
        elif self.part:
            self._latest = stream, number
        self._age(stream)
        return self.part or self.open

    def _stream_of(self, line: TextLine) -> _Stream:
        """The stream of a line: of the lines of a C++ message only the first has the prefix."""
        own: _Stream = (line.rank, line.pid)
        stream, number = self._latest
        stack = self._streams.get(stream)
        if own != (None, None) or own in self._streams or not stack or number + 1 != line.number:
            return own
        return stream if isinstance(stack[-1].reader, cann_reader.CannReader) else own

    def _feed_stream(self, stack: list[_Open], line: TextLine, raw: bytes) -> bool:
        while stack:
            top = stack[-1]
            take = top.reader.feed(replace(line, fresh=top.fresh))
            top.fresh = take is Take.PART
            if take is Take.PART:
                top.aside = 0
                top.quotes.add(line.number, raw)
                top.lines += not line.text.startswith("  ")
                if top.lines >= MAX_LINES:
                    self._finish(stack.pop(), cut=True)
                return True
            if take is Take.ASIDE:
                if line.blank:
                    return False
                if len(stack) < _MAX_DEPTH and self._begin(stack, line, raw):
                    return True
                top.aside += 1
                if top.aside >= MAX_ASIDE:
                    self._finish(stack.pop(), cut=False)
                return False
            self._finish(stack.pop(), cut=False)
        return self._begin(stack, line, raw)

    def _begin(self, stack: list[_Open], line: TextLine, raw: bytes) -> bool:
        reader = _reader_for(line)
        if reader is None:
            return False
        stack.append(_Open(reader, Quotes()))
        stack[-1].quotes.add(line.number, raw)
        return True

    def _age(self, fed: _Stream) -> None:
        """Give up streams that have been silent for long, or the oldest of too many."""
        for stream in list(self._streams):
            if stream == fed:
                continue
            stack = self._streams[stream]
            stack[-1].aside += 1
            if stack[-1].aside >= MAX_ASIDE or len(self._streams) > _MAX_STREAMS:
                self._close_stream(self._streams.pop(stream))

    def _close_stream(self, stack: list[_Open]) -> None:
        while stack:
            self._finish(stack.pop(), cut=False)

    def _finish(self, done: _Open, *, cut: bool) -> None:
        event = done.reader.event(cut)
        if event is not None:
            self._events.append(replace(event, quotes=done.quotes.of(event)))

    def close(self) -> None:
        """End every open event: the file has ended."""
        for stack in self._streams.values():
            self._close_stream(stack)
        self._streams.clear()

    def take(self) -> list[Event]:
        """Give the events that have ended since the last call, by their first line."""
        events, self._events = self._events, []
        return sorted(events, key=lambda event: (event.line, event.end_line))


def _reader_for(line: TextLine) -> Reader | None:
    """The reader of the event that begins on this line, None if none does."""
    if native_reader.begins(line.body):
        return native_reader.NativeReader(line)
    if traceback_reader.begins(line):
        return traceback_reader.TracebackReader(line)
    if sections.title_of(line.body) or sections.CLUSTER + " because" in line.body:
        return sections.SectionReader(line)
    if cann_reader.head(line.body):
        return cann_reader.CannReader(line)
    return None
