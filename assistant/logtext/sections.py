"""What follows an error's first line: the rest of its message, and titled blocks below it.

MindSpore puts blocks below a message (utils/log_adapter and utils/info formats of 1.x to 2.x):

    <blank>
    ----------------------------------------------------
    - C++ Call Stack: (For framework developers)
    ----------------------------------------------------
    mindspore/ccsrc/cluster/init.cc:37 Initialize

Nothing marks the end. `Body` therefore judges each line: a record, a traceback or a frame
of another one ends the text; so does a blank line, unless what follows it is known to go on.
"""

from __future__ import annotations

import re

from assistant.evidence.types import Event
from assistant.logtext import cann_reader, frames
from assistant.logtext.eventtext import Sections, Take, Text, TextLine, is_other

ASCEND = "Ascend Error Message"
PYTHON_STACK = "Python Call Stack"
DATASET = "Dataset Pipeline Error Message"
CLUSTER = "Failed to initialize distributed job cluster"

#: Unindented lines on end taken for a message, respectively a block, without further proof.
_LOOSE_LINES = {"message": 24, "section": 400}

#: multiprocessing puts a worker's traceback between these.
_QUOTES = ('"""', "'''")
_RULE = re.compile(r"-{20,}\s*$")
_TITLE = re.compile(r"- (?P<title>[A-Z][A-Za-z+ ]{3,60}):(?P<note> *\([^)]*\))?\s*$")
_UNRULED_TITLE = re.compile(r"(?P<title>The function call stack)\b.*:\s*$", re.IGNORECASE)
#: Lines that go on with a message or a block although a blank line stands before them.
_GOES_ON = re.compile(
    r"""\[ERROR\]\ \d{4}-\d\d-\d\d-\d\d:\d\d:\d\d\ \(PID: | \[Error\]: | \[ERROR\]\ [A-Za-z]
      | \(Please\ search | \(See\ file | Exception\ raised\ from | frame\ \#\d
      | \#\ ?\d*\ ?In\ file | In\ file\ \S
      | \d{1,2}\.\s?[A-Z]
      | (?:\S*/)?[\w.+-]+\.(?:cc|cpp|cxx|h|hpp|py)[:(]\d+
    """,
    re.VERBOSE,
)
#: Whose process an embedded torch_npu line speaks of.
_NPU = re.compile(r"\[ERROR\] [\d:-]{19} \(PID:(\d{1,10}), ?Device:-?\d+, ?RankID:(-?\d{1,10})\)")


def title_of(text: str) -> str | None:
    """Title of a block if the text is its title line (`- C++ Call Stack: (...)`)."""
    match = _TITLE.match(text)
    return match["title"] if match else None


class Body:
    """Message and blocks of one error.

    Attributes:
        frames: frames of the error's traceback and of tracebacks inside its text.
        nested: exceptions of tracebacks inside its text.
        pid, rank: as the text itself states them.
    """

    def __init__(self, found: frames.Frames) -> None:
        self.frames = found
        self.nested: list[frames.Raised] = []
        self.sections = Sections()
        self.pid: int | None = None
        self.rank: int | None = None
        self._message = Text()
        self._loose = 0
        self._blank = False
        self._inside = False
        self._last = ""
        self._first_line = True

    @property
    def message(self) -> str:
        return str(self._message)

    def begin(self, message: str) -> None:
        """Start the message, or go on with it, with a line that is known to belong to it."""
        self._message.add(message)
        self._last = message
        self._blank = False
        self._inside = message.endswith(frames.HEADER)

    def begin_section(self, title: str) -> None:
        """Start a block without a message before it."""
        self.sections.begin(title)
        self._loose = 0
        self._last = ""
        self._first_line = False

    def feed(self, line: TextLine) -> Take:
        """Judge a line, and keep it if it belongs to the message or a block."""
        if line.blank:
            self._blank = True
            return Take.ASIDE
        if line.record or is_other(line.text):
            return Take.END
        take = self._feed(line)
        if take is Take.PART:
            self._blank = False
            self._last = line.text
            self._first_line = False
        return take

    def _feed(self, line: TextLine) -> Take:
        text = line.text
        title = title_of(text)
        if title or (self._blank and _UNRULED_TITLE.match(text)):
            self._inside = False
            self.begin_section(title or text.rstrip().rstrip(":"))
            return Take.PART
        if _RULE.match(text):
            self._inside = False
            if not self._blank and self._last and not title_of(self._last):
                self._add(text)
            return Take.PART
        if frames.HEADER in text:
            return self._header(text)
        if text.strip() in _QUOTES:
            self._inside = False
            return Take.PART
        if self._traceback_inside(line):
            self._add(text)
            return Take.PART
        if frames.is_frame(text):
            return Take.END
        if not self._goes_on(line):
            return Take.END
        self._note_process(text)
        if self.sections.title is None and cann_reader.opens(text):
            self.sections.begin(ASCEND)
        self._add(text)
        return Take.PART

    def _header(self, text: str) -> Take:
        """A traceback inside the text is announced; another error's begins unannounced."""
        before, _, after = text.partition(frames.HEADER)
        before = before.strip()
        quoted = self._last.strip() in _QUOTES
        named = before.endswith((":", "Original", *_QUOTES)) and not after.strip()
        stack = self.sections.title == PYTHON_STACK
        if not (named or quoted or (stack and not before)):
            return Take.END
        self._inside = True
        self._add(text)
        return Take.PART

    def _traceback_inside(self, line: TextLine) -> bool:
        """Read frames and exception of a traceback that the text quotes."""
        text = line.text
        # Ray quotes frames without a header, directly below the exception's own line.
        if not self._inside and (self._first_line or self.sections.title == PYTHON_STACK):
            self._inside = frames.is_frame(text)
        if not self._inside:
            return False
        if self.frames.take(text, line.number):
            return True
        if line.indented or frames.is_marker(text):
            self.frames.take_code(text)
            return True
        raised = frames.exception(text, line.number, due=line.fresh)
        if raised is None:
            return False
        self._inside = raised.message.endswith(frames.HEADER)
        if not self._inside:
            self.nested.append(raised)
        return True

    def _goes_on(self, line: TextLine) -> bool:
        text = line.text
        known = (
            _GOES_ON.match(text) is not None
            or cann_reader.continues(text)
            or cann_reader.opens(text) is not None
        )
        if known:
            return True
        if self._blank and not (self._last and title_of(self._last)):
            return False
        if line.indented:
            return True
        self._loose += 1
        place = "message" if self.sections.title is None else "section"
        return self._loose <= _LOOSE_LINES[place]

    def _note_process(self, text: str) -> None:
        match = _NPU.match(text)
        if match:
            self.pid = int(match[1])
            self.rank = int(match[2]) if int(match[2]) >= 0 else self.rank
        found = cann_reader.opens(text)
        if found and found.pid is not None:
            self.pid = found.pid

    def _add(self, text: str) -> None:
        if self.sections.title is not None:
            self.sections.add(text)
            return
        if self._blank and self._message:
            self._message.add("")
        self._message.add(text)


class SectionReader:
    """Reads blocks that stand outside a traceback, and the reasons why no cluster was formed."""

    def __init__(self, line: TextLine) -> None:
        self._first = line
        self._end = line.number
        self._body = Body(frames.Frames())
        self._title = title_of(line.body)
        self._code_text = cann_reader.CannText() if self._title == ASCEND else None
        if self._title is None:
            self._body.begin(line.body[line.body.find(CLUSTER):])
        else:
            self._body.begin_section(self._title)

    def feed(self, line: TextLine) -> Take:
        take = self._body.feed(line)
        if take is Take.PART:
            self._end = line.number
            own = self._code_text and self._body.sections.title == self._title
            if self._code_text and own and not _RULE.match(line.text):
                self._code_text.add(line.text, line.number)
        return take

    def event(self, cut: bool) -> Event | None:
        from assistant.logtext import codes

        body, first = self._body, self._first
        sections = body.sections.items()
        kind, title, message, message_line = "cluster", CLUSTER, body.message, first.number
        found = codes.find("\n".join((message, *(text for _, text in sections))))
        if self._title is not None:
            title, message, message_line = self._title, sections[0][1], first.number
            titles = {name for name, _ in sections}
            kind = "dataset" if titles & {DATASET, PYTHON_STACK} else "cpp-stack"
            sections = sections[1:]
        if self._code_text and self._code_text.code:
            kind, title = "cann", self._code_text.code
            message = self._code_text.message
            message_line = self._code_text.message_line or first.number
            sections = (*self._code_text.sections.items(), *sections)
            found = tuple(dict.fromkeys((*self._code_text.codes, *found)))
        return Event(
            kind=kind,
            line=first.number,
            end_line=self._end,
            time=first.time,
            title=title,
            message=message,
            message_line=message_line,
            frames=body.frames.count,
            innermost=body.frames.innermost,
            user_frame=body.frames.user,
            sections=sections,
            codes=found,
            chain=tuple((one.type, one.message, one.line) for one in body.nested),
            complete=not cut,
            pid=body.pid or first.record_pid or first.pid,
            rank=first.rank if body.rank is None else body.rank,
        )
