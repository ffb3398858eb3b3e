"""Python tracebacks: frames, exception line, message, chained exceptions, exception groups.

    Traceback (most recent call last):
      File "train.py", line 95, in <module>
        raise RuntimeError("...")
    RuntimeError: ...

Standard output and error share a log, so records of other threads stand between the lines;
they are passed over as long as the exception line has not come. In a group the lines stand
behind a margin (`  | `), which is taken off first. A pasted fragment may lack the header.
"""

from __future__ import annotations

import re
from dataclasses import replace

from assistant.evidence.types import Event
from assistant.logtext import frames
from assistant.logtext.eventtext import MAX_SECTIONS, Take, TextLine
from assistant.logtext.sections import Body

#: Exceptions kept by name of one chain or group.
_MAX_CHAIN = 64

#: What is raised where a script cannot be parsed; Python prints no header above it.
_UNPARSED = ("SyntaxError", "IndentationError", "TabError")

_HEADER_AT_END = re.compile(r"Traceback \(most recent call last\):\s*$")
_PREFACE = re.compile(r"(?P<title>Exception ignored in|Exception in thread)\b.{0,300}")
_MARGIN = re.compile(r"\s*\|\s?(?P<text>.*)")
_BORDER = re.compile(r"\s*\+[-+]*-{6,}(?: (?:\d+|\.\.\.) -+)?\s*$")


def begins(line: TextLine) -> bool:
    """Whether a traceback begins here: its header, its preface, or a frame without a header
    (which a script that cannot be parsed never has)."""
    return (
        _HEADER_AT_END.search(line.body) is not None
        or _PREFACE.match(line.body) is not None
        or (line.indented and (frames.is_frame(line.text) or frames.is_bare_frame(line.text)))
    )


class _Raised:
    """An exception and the text that belongs to it."""

    def __init__(self, line: frames.Raised, found: frames.Frames) -> None:
        self.line = line
        self.body = Body(found)
        self.body.begin(line.message)

    def summary(self) -> tuple[str, str, int]:
        return self.line.type, self.body.message, self.line.line


class TracebackReader:
    """Reads one traceback with all that is chained to it."""

    def __init__(self, line: TextLine) -> None:
        self._first = line
        self._end = line.number
        self._frames = frames.Frames()
        #: exceptions before the last `During handling ...`, with their members
        self._earlier: list[_Raised] = []
        #: the exception that names the event, members of its group, the one being read
        self._top: _Raised | None = None
        self._members: list[_Raised] = []
        self._current: _Raised | None = None
        self._grouped = False
        self._indent = ""
        self._prefixed = False
        preface = _PREFACE.match(line.body)
        self._preface = (preface["title"], line.body.strip()) if preface else None
        self._announced = self._preface is None
        self._headed = False
        self._bare = frames.is_bare_frame(line.text)
        #: headers seen without an exception line of their own yet (mixed tracebacks)
        self._owed = 0
        if preface is None and not self._frames.take(line.text, line.number):
            self._take_header(line.body)

    def feed(self, line: TextLine) -> Take:
        if line.blank:
            return Take.ASIDE if self._current is None else self._current.body.feed(line)
        take = self._feed(line)
        if take is Take.PART:
            self._end = line.number
        return take

    def _feed(self, line: TextLine) -> Take:
        if not self._announced:
            return self._feed_preface(line)
        margin = _MARGIN.match(line.text) if self._grouped else None
        if margin:
            line = replace(line, text=margin["text"], body=margin["text"], record=False)
            if line.blank:
                return Take.PART
        elif self._grouped and _BORDER.match(line.text):
            self._current = None
            return Take.PART
        if line.text.strip() in frames.LINKS:
            return self._take_link(within_group=margin is not None)
        if self._current is None:
            return self._feed_frames(line, margin is not None)
        take = self._feed_message(line)
        if take is Take.END and margin:
            self._current = None
            return self._feed_frames(line, True)
        return take

    def _feed_preface(self, line: TextLine) -> Take:
        """Below `Exception in thread ...` there must be a traceback."""
        if line.record:
            return Take.ASIDE
        if not (_HEADER_AT_END.search(line.text) or frames.is_frame(line.text)):
            return Take.END
        self._announced = True
        return self._feed_frames(line, False)

    def _take_header(self, text: str) -> None:
        before = text[: _start(text)]
        self._headed = True
        self._owed += 1
        self._grouped = self._grouped or before.endswith("Exception Group ")
        self._indent = before if before.isspace() else ""

    def _take_link(self, *, within_group: bool) -> Take:
        if not within_group and self._top is not None:
            self._earlier += [self._top, *self._members]
            del self._earlier[_MAX_CHAIN:]
            self._top, self._members, self._grouped = None, [], False
        self._current = None
        return Take.PART

    def _feed_frames(self, line: TextLine, in_group: bool) -> Take:
        text = line.text
        if line.record:
            # Some loggers put their prefix before every line of a traceback.
            self._prefixed = self._prefixed or frames.is_frame(line.body)
            if not self._prefixed:
                return Take.ASIDE
            text = line.body
        if self._grouped and not in_group and self._top is not None:
            # Behind the last border of a group only another chained exception may follow.
            return Take.END
        if _HEADER_AT_END.search(text):
            self._take_header(text)
            return Take.PART
        text = text.removeprefix(self._indent)
        if self._frames.take(text, line.number):
            return Take.PART
        if text[:1] in (" ", "\t") or frames.is_marker(text):
            self._frames.take_code(text)
            return Take.PART if self._frames.count else Take.ASIDE
        raised = frames.exception(text, line.number, due=line.fresh)
        if raised is None:
            return Take.ASIDE
        self._take_exception(raised, in_group)
        return Take.PART

    def _take_exception(self, raised: frames.Raised, in_group: bool) -> None:
        self._current = _Raised(raised, self._frames)
        self._owed = max(0, self._owed - 1)
        if not in_group or self._top is None:
            self._top = self._current
        elif len(self._members) < _MAX_CHAIN:
            self._members.append(self._current)

    def _feed_message(self, line: TextLine) -> Take:
        current = self._current
        assert current is not None
        weak = current is self._top and not current.line.strong
        if weak or (self._owed and not line.record):
            raised = frames.exception(line.text, line.number, due=False)
            if raised and weak:
                # What looked like an exception was another thread's output.
                self._take_exception(raised, False)
                return Take.PART
            if raised:
                # Another process's exception, whose frames are mixed with ours.
                self._owed -= 1
                current.body.nested.append(raised)
                return Take.PART
        return current.body.feed(line)

    def event(self, cut: bool) -> Event | None:
        from assistant.logtext import codes

        top, earlier, ended = self._top, self._earlier, not cut
        if top is None and earlier:
            top, earlier, ended = earlier[-1], earlier[:-1], False
        if top is None and not self._headed:
            return None
        if self._bare and not self._headed and top is not None and (
                top.line.type not in _UNPARSED):
            return None
        everything = [*earlier, *([top] if top else []), *self._members]
        sections = [self._preface] if self._preface else []
        chain = []
        for one in everything:
            sections += one.body.sections.items()
            chain += [(n.type, n.message, n.line) for n in one.body.nested]
            if one is not top:
                chain.append(one.summary())
        texts = [text for one in everything for text in (one.line.type, one.body.message)]
        texts += [text for _, text in sections]
        pids = [one.body.pid for one in everything if one.body.pid is not None]
        ranks = [one.body.rank for one in everything if one.body.rank is not None]
        first = self._first
        return Event(
            kind="traceback",
            line=first.number,
            end_line=self._end,
            time=first.time,
            title=top.line.type if top else "",
            message=top.body.message if top else "",
            message_line=top.line.line if top else self._end,
            frames=self._frames.count,
            innermost=self._frames.innermost,
            user_frame=self._frames.user,
            sections=tuple(sections[:MAX_SECTIONS]),
            codes=codes.find("\n".join(texts)),
            chain=tuple(chain[:_MAX_CHAIN]),
            complete=ended and top is not None,
            pid=pids[-1] if pids else first.record_pid or first.pid,
            rank=ranks[-1] if ranks else first.rank,
        )


def _start(text: str) -> int:
    match = _HEADER_AT_END.search(text)
    return match.start() if match else 0
