"""CANN error blocks: a code, its text, then `Possible Cause:`, `Solution:`, `TraceBack ...:`.

The first line changed with every generation of CANN:

    EI0006: Getting socket times out. Reason: ...                       (7.x)
    EI0006: 2024-08-05-18:15:21.270.506 Getting socket times out. ...   (8.0.RC2)
    EI0006: [PID: 1292363] 2025-04-08-18:07:20.444.436 Getting ...      (8.0, 8.1)
    [PID: 749] 2025-12-29-03:16:15.787.356 Get_Socket_Timeout(EI0006): Getting ...  (8.3 on)
    EZ9999: Inner Error!           and the reason on an indented line below it
    EH9999  [Init][Env]init env failed![FUNC:ReportInnerError][FILE:log_inner.cpp][LINE:145]

It may stand behind a record's prefix or a sentence (`... failed.Ascend Error Message:EJ0001: `).
The `TraceBack` in it is CANN's own list of what failed above, not Python's traceback.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from assistant.evidence.types import Event
from assistant.logtext import frames
from assistant.logtext.eventtext import Sections, Take, Text, TextLine, is_other

#: Lines taken on trust while a bracket that the message opened is not closed.
_BRACKET_LINES = 10

_CODE = re.compile(
    r"(?<![0-9A-Za-z_.])(?P<code>E[0-9A-Z]\d{4})(?:\):|:(?=\s|$|\[)|(?=\[PID)|(?=\s{2}\S))\s*"
)
_STAMP = re.compile(
    r"(?:\[PID:\s?(?P<pid>\d{1,10})\]\s*)?(?:\d{4}-\d\d-\d\d-\d\d:\d\d:\d\d\.\d{3}\.\d{3}\s*)?"
)
_PID = re.compile(r"\[PID:\s?(\d{1,10})\]")
_NAME = re.compile(r"[\w ]{0,80}\((E[0-9A-Z]\d{4})\):\s*")
_PART = re.compile(
    r"\s*(?P<title>Possible Cause|Solution|TraceBack \(most recent call last\)):\s*(?P<rest>.*)"
)
_INSIDE = re.compile(
    r".*\[FUNC:|.*\[FILE:|\s*\(function \w|The extend info: |there are\(is\) \d+ abnormal device"
)
_INNER = "Inner Error!"


@dataclass(frozen=True, slots=True)
class Head:
    """A line with a CANN code: code, process id if stated, text behind it, where the code is."""

    code: str
    pid: int | None
    message: str
    at: int


def head(text: str) -> Head | None:
    """Read a line that carries a CANN code as a block's title; None for any other."""
    match = _CODE.search(text)
    if match is None:
        return None
    code, message = match["code"], text[match.end():]
    stamp = _STAMP.match(message)
    pid = stamp["pid"] if stamp else None
    if stamp and stamp.end():
        message = message[stamp.end():]
    named = _NAME.match(message)
    if named and named[1] == code:
        message = message[named.end():]
    if pid is None:
        before = _PID.search(text, 0, match.start())
        pid = before[1] if before else None
    return Head(code, int(pid) if pid else None, message.strip(), match.start())


def opens(text: str) -> Head | None:
    """As `head`, but only where the code (or the PID before it) begins the line."""
    found = head(text)
    if found is None or (found.at and not text.startswith("[PID:")):
        return None
    return found


def continues(text: str) -> bool:
    """Whether a line can only be the inside of a block."""
    return _PART.match(text) is not None or _INSIDE.match(text) is not None


class CannText:
    """The lines of a block, parted into message and sections.

    A first line that only says `Inner Error!` gives way to the reason below it.
    """

    def __init__(self) -> None:
        self.code: str | None = None
        self.codes: list[str] = []
        self.pid: int | None = None
        self.message_line = 0
        self.sections = Sections()
        self._message = Text()
        self._inner = False
        self._depth = 0
        self._trusted = _BRACKET_LINES

    @property
    def message(self) -> str:
        return str(self._message) or (_INNER if self._inner else "")

    @property
    def inner(self) -> bool:
        """Whether an `Inner Error!` line was seen."""
        return self._inner

    def bracketed(self) -> bool:
        """Whether the next line stands within a bracket that the message opened."""
        if self._depth <= 0 or self._trusted <= 0:
            return False
        self._trusted -= 1
        return True

    def add(self, text: str, number: int) -> None:
        """Take the next line of the block."""
        part = _PART.match(text)
        if part:
            self.sections.begin(part["title"], part["rest"] or None)
            return
        found = head(text)
        if found:
            self.codes.append(found.code)
            self.pid = found.pid if self.pid is None else self.pid
        if self.code is None and found:
            self.code = found.code
        if self.sections.title is not None:
            self.sections.add(text.strip())
            return
        said = found.message if found else text.strip()
        self._depth += said.count("[") - said.count("]")
        if not self.message_line:
            self.message_line = number
        if said == _INNER:
            self._inner = True
        elif said:
            if not self._message:
                self.message_line = number
            self._message.add(said)


class CannReader:
    """Reads a block that stands by itself (one inside a traceback belongs to the traceback)."""

    def __init__(self, line: TextLine) -> None:
        self._first = line
        self._text = CannText()
        self._end = line.number
        self._blank = False
        self._text.add(line.body, line.number)

    def feed(self, line: TextLine) -> Take:
        if line.blank:
            self._blank = True
            return Take.ASIDE
        if not self._goes_on(line):
            return Take.END
        self._blank = False
        self._end = line.number
        self._text.add(line.text, line.number)
        return Take.PART

    def _goes_on(self, line: TextLine) -> bool:
        text = line.text
        if line.record or frames.is_frame(text) or text.startswith(frames.HEADER):
            return False
        if continues(text):
            return True
        found = opens(text)
        if found:
            other = found.pid is not None and self._text.pid not in (None, found.pid)
            again = found.message == _INNER and self._text.inner
            return not (self._blank or other or again)
        if line.indented and not self._blank:
            return True
        return self._text.bracketed() and not is_other(text)

    def event(self, cut: bool) -> Event | None:
        from assistant.logtext import codes

        text = self._text
        if text.code is None:
            return None
        sections = text.sections.items()
        found = codes.find("\n".join((text.message, *(part for _, part in sections))))
        return Event(
            kind="cann",
            line=self._first.number,
            end_line=self._end,
            time=self._first.time,
            title=text.code,
            message=text.message,
            message_line=text.message_line,
            sections=sections,
            codes=tuple(dict.fromkeys((*text.codes, *found))),
            complete=not cut,
            pid=text.pid or self._first.record_pid or self._first.pid,
            rank=self._first.rank,
        )
