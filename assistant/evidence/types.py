"""What one log file yielded: small, bounded whatever the log's size, mergeable and portable.

Times are seconds since 1970-01-01 of the log's own wall clock read as if it were UTC
(logs carry no time zone), or None where the log does not say. Line numbers are 1-based
and count LF only, as `less +N` and `grep -n` do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from assistant.evidence.series import EMPTY_SERIES, Series

#: Version of the evidence layout; a portable file of another version is refused.
EVIDENCE_VERSION = 2

#: How many hits of one pattern are kept in full from the start and from the end of a file.
FIRST_HITS = 32
LAST_HITS = 8
#: How many different sets of captures are remembered for one pattern in one file.
DISTINCT_HITS = 16384
#: How many events of a file are kept from its start and from its end.
FIRST_EVENTS = 32
LAST_EVENTS = 32
#: How many shapes of unexplained error lines are kept for one file.
ERROR_TEMPLATES = 512
#: Longest text kept of one line, in characters.
TEXT_LIMIT = 500


@dataclass(frozen=True, slots=True)
class Line:
    """One physical line of a log: its number, its text (at most TEXT_LIMIT) and its own time."""

    line: int
    text: str
    time: float | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """One line that a pattern matched.

    Attributes:
        line: 1-based number.
        text: the line as logged, at most TEXT_LIMIT characters around the match.
        time: the line's own time, else that of the nearest line above that has one.
        captures: (name, text) of the pattern's named groups that took part, in name order.
        level: DEBUG, INFO, WARNING, ERROR or CRITICAL, None where the line has no level.
        component: the logging module of a MindSpore or CANN record, e.g. HCCL, MD, ME.
        pid: process that wrote the record, where its prefix says so.
        event: first line of the event (traceback, error block ...) that holds this line.
        rank: rank that a prefix such as `[rank3]:` states for this very line.
    """

    line: int
    text: str
    time: float | None = None
    captures: tuple[tuple[str, str], ...] = ()
    level: str | None = None
    component: str | None = None
    pid: int | None = None
    event: int | None = None
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class PatternHits:
    """All hits of one pattern in one file.

    Attributes:
        count: true number of lines that matched.
        hits: the first FIRST_HITS and the last LAST_HITS of them, by line.
        distinct: the first hit of each different set of captures, by line, at most
            DISTINCT_HITS; empty when the pattern captures nothing.
    """

    count: int
    hits: tuple[Hit, ...]
    distinct: tuple[Hit, ...] = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame of a Python traceback.

    Attributes:
        file: source file as printed.
        line: line in that source file.
        function: function name, `<module>` at top level.
        at: line of the log on which the frame stands.
        code: the source text printed below it, empty if none.
    """

    file: str
    line: int
    function: str
    at: int
    code: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """A record that spans lines.

    Attributes:
        kind: `traceback` (Python), `cann` (a CANN error block such as `EI0006: ...`),
            `dataset` (the data pipeline's error outside a traceback), `cpp-stack`
            (a C++ call stack block outside a traceback), `cluster` (the reasons after
            "Failed to initialize distributed job cluster" outside a traceback),
            `native` (a faulthandler dump or a C++ terminate message).
        line, end_line: first and last line, both included.
        time: as for a Hit, of the first line.
        title: the exception's type as printed, the CANN code, or the block's title.
        message: text of the message, lines joined by LF, at most 4,000 characters.
        message_line: line on which title and message stand.
        frames: number of Python frames.
        innermost: the last frame.
        user_frame: the last frame outside an installed package or the standard library.
        sections: (title, text) of the blocks below the message, e.g.
            ("Ascend Error Message", "EI0006: ..."), each text at most 4,000 characters.
        codes: error codes in it (`EI0006`, `507015`), in order of appearance, no doubles.
        chain: (type, message, line) of the exceptions that led to this one, earliest first;
            those of an exception group follow as its members.
        complete: False when the file ended or the event was broken off before its end.
        pid: process, where a neighbouring prefix tells.
        rank: rank that a prefix such as `[rank3]:` states.
        quotes: (line, text as logged, at most TEXT_LIMIT) of up to twelve lines worth
            quoting: the line with title and message first, then the innermost frame, then
            the first lines of message and sections that are not blank or dashes.
        repeats: how many events with the same kind, title, message and innermost frame
            there were in the file, this one included.
    """

    kind: str
    line: int
    end_line: int
    time: float | None
    title: str
    message: str
    message_line: int
    frames: int = 0
    innermost: Frame | None = None
    user_frame: Frame | None = None
    sections: tuple[tuple[str, str], ...] = ()
    codes: tuple[str, ...] = ()
    chain: tuple[tuple[str, str, int], ...] = ()
    complete: bool = True
    pid: int | None = None
    rank: int | None = None
    quotes: tuple[tuple[int, str], ...] = ()
    repeats: int = 1


@dataclass(frozen=True, slots=True)
class ErrorLine:
    """Error-looking lines of one shape (numbers, addresses, paths replaced).

    Attributes:
        template: the shape, e.g. `Failed to open <path>: errno <n>`.
        count: how many lines have it.
        hits: the first three of them, and the last.
        codes: error codes on these lines.
        matched: (pattern key, number of these lines it matched too), by key.
    """

    template: str
    count: int
    hits: tuple[Hit, ...]
    codes: tuple[str, ...] = ()
    matched: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class FileEvidence:
    """Everything that later steps know of one file.

    Attributes:
        name: path relative to the input, with `/` (archive members: `a.tar.gz!/inner/x.log`).
        size: bytes of (decompressed) content read.
        lines: number of lines (an unterminated last line counts).
        mtime: modification time of the file or archive member, real epoch seconds.
        first_time, last_time: of the first and last line that carry a time.
        head: the first five lines that are not blank.
        tail: the last ten lines that are not blank.
        terminated: whether the last line ends with LF.
        pids: (pid, number of prefixes looked at that name it), most frequent first.
        hits: pattern key to its hits; only patterns that matched.
        events: by line; of events that are alike (see Event.repeats) the first and the
            last one, and of these the first FIRST_EVENTS and the last LAST_EVENTS.
        event_count: true number of events.
        errors: error-looking lines outside events, by first line, bounded.
        error_count: true number of error-looking lines outside events.
        config: flattened `Current config:` dump, e.g. {"parallelism.pipeline_parallel": "2"};
            the last one of the file.
        config_line: line on which that dump begins, 0 if there is none.
        time_lines: lines of first_time and last_time, None where there is no time.
        series: step lines as columns.
        notes: what was odd on reading: `invalid-utf8`, `nul-bytes`, `long-lines`,
            `grew`, `shrank`, `read-error: ...`, `truncated-archive: ...`.
    """

    name: str
    size: int = 0
    lines: int = 0
    mtime: float | None = None
    first_time: float | None = None
    last_time: float | None = None
    head: tuple[Line, ...] = ()
    tail: tuple[Line, ...] = ()
    terminated: bool = True
    pids: tuple[tuple[int, int], ...] = ()
    hits: Mapping[str, PatternHits] = field(default_factory=dict)
    events: tuple[Event, ...] = ()
    event_count: int = 0
    errors: tuple[ErrorLine, ...] = ()
    error_count: int = 0
    config: Mapping[str, str] = field(default_factory=dict)
    series: Series = EMPTY_SERIES
    notes: tuple[str, ...] = ()
    config_line: int = 0
    time_lines: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """An input that was not read, and why (one plain sentence in English).

    Attributes:
        lost: whether it is known to hold logs of the job: without them no job is healthy.
    """

    file: str
    why: str
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a whole input yielded: files by name, and what could not be read.

    Attributes:
        inputs: paths as the caller gave them.
        places: (how names of files begin, what stands there in their paths on the machine
            that read them), for evidence that was collected elsewhere.
    """

    files: tuple[FileEvidence, ...]
    skipped: tuple[Skipped, ...] = ()
    inputs: tuple[str, ...] = ()
    places: tuple[tuple[str, str], ...] = ()
