"""The common ground of the event readers: one line as they see it, and bounded text.

A reader is fed the lines of one stream (one process, as far as launcher prefixes tell
processes apart) and says of each line whether it belongs to its event, is only passed
over, or stands behind the event's end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from assistant.evidence.types import Event

#: Longest message or section text kept, in characters.
TEXT_CHARS = 4000
#: How many sections of one event are kept.
MAX_SECTIONS = 20
#: How much of one line is looked at, in bytes; what lies beyond is no part of an event.
LINE_BYTES = 16384

_COLOUR = re.compile(rb"\x1b\[[0-9;]*[A-Za-z]")

#: Layouts of prefix.parse that begin a record of its own. Left out are those that stand
#: inside messages of several lines: `[ERROR] 2026-02-14-22:07:21 (PID:9436, Device:0, ...)`,
#: which torch_npu puts into its exceptions, CANN's error codes, and a bare `[ERROR] `.
_RECORDS = frozenset({
    "mindspore-cpp", "mindspore-python", "cann", "mindformers", "mindformers-file", "torch",
    "ttp", "vllm", "logging", "stamp",
})

#: What a shell, a launcher, a progress bar or `warnings` prints, and the first lines of other
#: reports: never part of a message.
_OTHER = re.compile(
    r"""(?:Aborted|Segmentation\ fault|Killed|Terminated|Bus\ error|Illegal\ instruction)
          (?:\ \(core\ dumped\))?\s*$
      | (?:Fatal\ Python\ error:|terminate\ called|Exception\ ignored\ in|Exception\ in\ thread)\s
      | (?:Current\ thread|Thread)\ 0x[0-9a-fA-F]+\s
      | msrun\ exit\ code:
      | Start\ (?:worker|scheduler)\ process
      | \S{1,300}\.py:\d+:\ \w*Warning:\s
      | .{0,200}?\d{1,3}%\|
      | \{\ (?:Epoch:\[.{0,20}\]?,\ )?step:\[
    """,
    re.VERBOSE,
)


class Take(Enum):
    """What a reader says of a line.

    PART: it belongs to the event. ASIDE: it does not, but the event may go on behind it
    (a blank line, a record of another thread). END: the event ended before it.
    """

    PART = 1
    ASIDE = 2
    END = 3


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line without launcher prefix, colours and line end.

    Attributes:
        number: 1-based number in the file. time: its time or that of a line above.
        rank, pid: as a launcher prefix states them.
        record: whether it begins a log record. body: the record's message, else the text.
        record_pid: process that the record names.
        fresh: True when the line before it in its stream belongs to the same event.
    """

    number: int
    text: str
    time: float | None = None
    rank: int | None = None
    pid: int | None = None
    record: bool = False
    body: str = ""
    record_pid: int | None = None
    fresh: bool = False

    @property
    def blank(self) -> bool:
        return not self.text or self.text.isspace()

    @property
    def indented(self) -> bool:
        return self.text[:1] in (" ", "\t")


class Reader(Protocol):
    """Reads one event; it is made from the event's first line."""

    def feed(self, line: TextLine) -> Take:
        """Say what the line is to the event. After END it is not called again."""

    def event(self, cut: bool) -> Event | None:
        """Give the event, None if it turned out to be none.

        Args:
            cut: the event goes on (too many lines), but no more of it will be read.
        """


def read_line(number: int, raw: bytes, time: float | None) -> TextLine:
    """Decode a line and take launcher prefixes, colours and progress-bar remains off it."""
    from assistant.logtext import prefix, wrappers

    raw = raw[:LINE_BYTES].rstrip(b"\r\n")
    if b"\x1b" in raw:
        raw = _COLOUR.sub(b"", raw)
    if b"\r" in raw:
        # A terminal would show what follows the last carriage return.
        raw = raw.rpartition(b"\r")[2]
    inner, rank, pid = wrappers.strip(raw)
    text = inner.decode("utf-8", "replace")
    head = prefix.parse(inner)
    if head is None or head.layout not in _RECORDS:
        return TextLine(number, text, time, rank, pid, body=text)
    body = inner[head.start:].decode("utf-8", "replace")
    return TextLine(number, text, time, rank, pid, True, body, head.pid)


def is_other(text: str) -> bool:
    """Whether the text surely is another writer's, or begins another report."""
    return _OTHER.match(text) is not None


class Text:
    """Lines joined by LF, cut at TEXT_CHARS."""

    def __init__(self, first: str | None = None) -> None:
        self._lines: list[str] = []
        self._chars = 0
        if first is not None:
            self.add(first)

    def __bool__(self) -> bool:
        return bool(self._lines)

    def add(self, line: str) -> None:
        """Append a line, or as much of it as still fits."""
        room = TEXT_CHARS - self._chars - (1 if self._lines else 0)
        if room <= 0:
            return
        line = line.rstrip()[:room]
        self._chars += len(line) + (1 if self._lines else 0)
        self._lines.append(line)

    def __str__(self) -> str:
        return "\n".join(self._lines).strip("\n")


class Sections:
    """Titled texts in order of appearance, at most MAX_SECTIONS; the last one is open."""

    def __init__(self) -> None:
        self._parts: list[tuple[str, Text]] = []
        self._overflow = Text()

    @property
    def title(self) -> str | None:
        """Title of the open section, None before the first."""
        return self._parts[-1][0] if self._parts else None

    def begin(self, title: str, first: str | None = None) -> None:
        """Open a section. Beyond MAX_SECTIONS the text is dropped."""
        text = Text(first)
        if len(self._parts) < MAX_SECTIONS:
            self._parts.append((title, text))
        else:
            self._overflow = text

    def add(self, line: str) -> None:
        """Append a line to the open section."""
        full = len(self._parts) == MAX_SECTIONS and self._overflow
        (self._overflow if full else self._parts[-1][1]).add(line)

    def items(self) -> tuple[tuple[str, str], ...]:
        return tuple((title, str(text)) for title, text in self._parts)
