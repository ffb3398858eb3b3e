"""Frames and exception lines of Python tracebacks.

Layout: CPython's `traceback` module (3.8 to 3.13), whose lines are `  File "x.py", line 3,
in f`, the source text below it, `^^^^` markers, `[Previous line repeated 3 more times]`,
and at last `package.Type: message`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from assistant.evidence.types import TEXT_LIMIT, Frame

HEADER = "Traceback (most recent call last):"
#: The two sentences that join the tracebacks of chained exceptions.
LINKS = (
    "During handling of the above exception, another exception occurred:",
    "The above exception was the direct cause of the following exception:",
)

_FRAME = re.compile(r'\s*File "(?P<file>[^"]+)", line (?P<line>\d{1,9})(?:, in (?P<in>.+?))?\s*$')
_REPEATED = re.compile(r"\s*\[Previous line repeated (\d{1,9}) more times?\]")
_MARKERS = re.compile(r"[\s^~]*[\^~][\s^~]*$")

_NAME = r"(?:[^\W\d]\w*|<locals>)"
_ARGUMENT = r"(?:\([\w.]+\))?"
#: Names that are an exception's whoever prints them.
_STRONG = re.compile(
    rf"(?P<type>(?:{_NAME}\.)*\w*(?:Error|Exception|Warning|Interrupt|Exit|Iteration"
    rf"|ExceptionGroup|Failure|Failed|Timeout|Empty|Full|Expired|Cancelled|Fault){_ARGUMENT})"
    r"(?P<gap>\s*)(?::(?:\s(?P<message>.*))?)?$"
)
#: Names that are an exception's where one is due: `Oops: text`, `package.Oops`, `TooMuch`.
_WEAK = re.compile(
    rf"(?!E[0-9A-Z]\d{{4}}:)(?P<type>(?:{_NAME}\.)*[A-Z]\w*{_ARGUMENT}(?=:)"
    rf"|(?:{_NAME}\.)+[A-Z]\w*{_ARGUMENT}"
    r"|[A-Z][a-z0-9]+[A-Z]\w*)"
    r"(?P<gap>)(?::(?:\s(?P<message>.*))?)?$"
)

#: Paths of installed code: packages, the standard library, console scripts, the CANN toolkit.
_INSTALLED = re.compile(
    r"[/\\](?:site|dist)-packages[/\\]|[/\\]lib(?:64)?[/\\]python\d|[/\\]s?bin[/\\][^/\\]+$"
    r"|^<frozen |^/usr/local/Ascend/|/ascend-toolkit/",
)


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception line: type as printed, the rest of the line, and where it stands."""

    type: str
    message: str
    line: int
    strong: bool = True


def exception(text: str, number: int, *, due: bool) -> Raised | None:
    """Read an exception line, None if the text is none.

    Args:
        due: whether an exception line is expected just here, so that any capitalised or
            dotted name counts, not only those that end like an exception's.
    """
    match = _STRONG.match(text)
    strong = match is not None
    if match is None and due:
        match = _WEAK.match(text)
    if match is None:
        return None
    message = match["message"] or ""
    if match["gap"] and ":" in text:
        # Two processes wrote into one line: markers of the other stand in between.
        message = message.lstrip(" ^~")
    return Raised(match["type"][:TEXT_LIMIT], message.rstrip(), number, strong)


def is_frame(text: str) -> bool:
    """Whether the text is a frame line with a function (`File "x", line 3, in f`)."""
    match = _FRAME.match(text)
    return match is not None and match["in"] is not None


def is_bare_frame(text: str) -> bool:
    """Whether the text is a frame line without a function, as a syntax error's is."""
    match = _FRAME.match(text)
    return match is not None and match["in"] is None


def is_marker(text: str) -> bool:
    """Whether the text consists of `^` and `~` markers."""
    return _MARKERS.match(text) is not None


def is_installed(path: str) -> bool:
    """Whether a source file belongs to an installed package or the standard library."""
    return _INSTALLED.search(path) is not None


class Frames:
    """Counts frames; keeps the last one, and the last one of the user's own code."""

    def __init__(self) -> None:
        self.count = 0
        self.innermost: Frame | None = None
        self.user: Frame | None = None

    def take(self, text: str, number: int) -> bool:
        """Take a frame line; False if the text is none."""
        match = _FRAME.match(text)
        if match is None:
            return False
        function = (match["in"] or "").strip()[:TEXT_LIMIT]
        frame = Frame(match["file"][:TEXT_LIMIT], int(match["line"]), function, number)
        self.count += 1
        self.innermost = frame
        if not is_installed(frame.file):
            self.user = frame
        return True

    def take_code(self, text: str) -> None:
        """Take a line below a frame: the first that is not markers is its source text."""
        repeated = _REPEATED.match(text)
        if repeated:
            self.count += int(repeated[1])
            return
        frame = self.innermost
        if frame is None or frame.code or is_marker(text):
            return
        self.innermost = replace(frame, code=text.strip()[:TEXT_LIMIT])
        if self.user is frame:
            self.user = self.innermost
