"""What a dying process writes without Python's help: faulthandler dumps and C++ terminate.

    Fatal Python error: Segmentation fault

    Current thread 0x00007f9c19f9b6c0 (most recent call first):
      File "train.py", line 12 in step

    terminate called after throwing an instance of 'std::runtime_error'
      what():  message

Layouts: CPython Modules/faulthandler.c and Python/traceback.c; libstdc++'s verbose
terminate handler.
"""

from __future__ import annotations

import re

from assistant.evidence.types import TEXT_LIMIT, Event, Frame
from assistant.logtext import frames
from assistant.logtext.cann_reader import opens as cann_opens
from assistant.logtext.eventtext import MAX_SECTIONS, TEXT_CHARS, Sections, Take, TextLine
from assistant.logtext.sections import Body
from assistant.logtext.traceback_reader import begins as traceback_begins

_FATAL = re.compile(r"Fatal Python error: (?P<what>.*)")
_TERMINATE = re.compile(
    r"terminate called (?:after throwing an instance of '(?P<type>[^']*)'|without an active)"
)
_WHAT = re.compile(r"\s*what\(\):\s*(?P<text>.*)")
_THREAD = re.compile(
    r"(?P<title>(?:Current t|T)hread 0x[0-9a-fA-F]+.{0,80}\(most recent call first\)):"
)
_FRAME = re.compile(r'\s*File "(?P<file>[^"]+)", line (?P<line>\d{1,9}|\?\?\?) in (?P<in>.+?)\s*$')
#: What faulthandler prints around the stacks.
_STACK_LINE = re.compile(
    r"Extension modules: |Python runtime state: |Stack \(most recent"
    r"|  <(?:no Python frame|truncated|invalid)|  \.\.\.|  Binary file "
)


def begins(text: str) -> bool:
    """Whether a native crash report begins on this line."""
    return any(start.match(text) for start in (_FATAL, _TERMINATE, _THREAD))


class NativeReader:
    """Reads one crash report: what the process said, then the stacks of its threads."""

    def __init__(self, line: TextLine) -> None:
        self._first = line
        self._end = line.number
        self._body = Body(frames.Frames())
        self._stacks = Sections()
        self._count = 0
        self._innermost: Frame | None = None
        self._user: Frame | None = None
        self._crashed = True
        fatal, terminate = _FATAL.match(line.body), _TERMINATE.match(line.body)
        if fatal:
            self._title = fatal["what"].strip()[:TEXT_LIMIT]
        elif terminate:
            self._title = terminate["type"] or "terminate"
        else:
            self._title = "Thread dump"
            self._take_thread(line.body)
        #: the first line is the message, unless `what():` says more
        self._message_line = line.number
        self._opening = line.body.strip() if fatal or terminate else ""

    def feed(self, line: TextLine) -> Take:
        if line.record and self._stacks.title is None:
            # Other threads live on until the handler has written its report.
            return Take.ASIDE
        take = self._feed(line)
        if take is Take.PART:
            self._end = line.number
        return take

    def _feed(self, line: TextLine) -> Take:
        text = line.text
        if self._take_thread(text) or self._take_frame(line):
            return Take.PART
        if _TERMINATE.match(text) or traceback_begins(line) or self._foreign(text):
            return Take.END
        if self._stacks.title is not None:
            if line.blank:
                return Take.ASIDE
            if _STACK_LINE.match(text):
                self._stacks.add(text)
                return Take.PART
            return Take.END
        what = _WHAT.match(text)
        if _FATAL.match(text) or _STACK_LINE.match(text) or what:
            self._body.begin(what["text"] if what else text)
            if what and self._opening:
                self._opening, self._message_line = "", line.number
            return Take.PART
        return self._body.feed(line)

    def _foreign(self, text: str) -> bool:
        """Whether a block of CANN begins that is no part of what the process said: where an
        error code of torch_npu or ACL announces it, it is."""
        from assistant.logtext import codes

        return cann_opens(text) is not None and not codes.find(self._body.message)

    def _take_thread(self, text: str) -> bool:
        match = _THREAD.match(text)
        if match is None:
            return False
        # The crashed thread's own stack tells where it happened, whenever it comes.
        self._crashed = match["title"].startswith("Current") or self._innermost is None
        if self._crashed:
            self._count, self._innermost, self._user = 0, None, None
        self._stacks.begin(match["title"])
        return True

    def _take_frame(self, line: TextLine) -> bool:
        match = _FRAME.match(line.text)
        if match is None or self._stacks.title is None:
            return False
        self._stacks.add(line.text)
        if self._crashed:
            number = 0 if match["line"] == "???" else int(match["line"])
            frame = Frame(
                match["file"][:TEXT_LIMIT], number, match["in"][:TEXT_LIMIT], line.number
            )
            self._count += 1
            self._innermost = self._innermost or frame
            if self._user is None and not frames.is_installed(frame.file):
                self._user = frame
        return True

    def event(self, cut: bool) -> Event | None:
        from assistant.logtext import codes

        body, first = self._body, self._first
        sections = (*body.sections.items(), *self._stacks.items())[:MAX_SECTIONS]
        message = "\n".join(filter(None, (self._opening, body.message)))[:TEXT_CHARS]
        said = "\n".join((message, *(text for _, text in body.sections.items())))
        return Event(
            kind="native",
            line=first.number,
            end_line=self._end,
            time=first.time,
            title=self._title,
            message=message,
            message_line=self._message_line,
            frames=self._count,
            innermost=self._innermost,
            user_frame=self._user,
            sections=sections,
            codes=codes.find(said),
            complete=not cut,
            pid=body.pid or first.record_pid or first.pid,
            rank=first.rank if body.rank is None else body.rank,
        )
