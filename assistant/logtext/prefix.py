"""The head of a log record -> level, component, process, time, place.

One compiled expression a family of layouts, chosen by the first byte of the line; every
repetition in them is bounded, so that no line makes them slow. A line may stand behind
prefixes of others (see wrappers.py).

Layouts, as named in `Prefix.layout`:

    mindspore-cpp      [WARNING] DISTRIBUTED(9003,7f4c,python):2026-11-30-08:03:48.502.785
                       [mindspore/ccsrc/a.cc:485] Connect] message
    mindspore-python   [WARNING] ME(9003:13996,MainProcess):2026-11-30-08:03:48.501.000
                       [mindspore/context.py:1343] message
    cann               [ERROR] HCCL(42863,python3):2026-07-15-02:51:22.192.403 [a.cc:797] message
    mindformers        2026-11-30 08:02:33,357 - mindformers./output/log[a.py:337] - INFO - message
    mindformers-file   [INFO] 2026-06-09 10:20:30 [a.py:231] _print_log: message
    torch-npu          [ERROR] 2026-02-14-22:07:21 (PID:9436, Device:0, RankID:-1) ERR00100 message
    torch              [W726 02:00:13.29 a.cpp:5] message; W0726 02:00:13.29 77 a.py:5] message
                       W20260726 02:00:13.29 77 a.cc:5] message (glog with the year)
                       [W  7/26  2:00:13.295 .../a.cc:5 Function] message (Paddle Lite)
    cann-error         [PID: 749] 2025-12-29-03:16:15.787.356 Name(EI0006): message
                       EI0006: [PID: 749] 2025-12-29-03:16:15.787.356 message
    ttp                2025-03-18 23:45:17.680613 info 3551217 [TTP controller.cpp:1512] message
    vllm               INFO 01-12 10:59:14 [importing.py:17] message
    logging            2026-11-30 08:02:33,357 - name - INFO - message; ERROR:name:message
                       2026-07-26 02:00:13.295 [W:onnxruntime:Default, a.cc:5 Function] message
    stamp              a known stamp, perhaps in brackets, perhaps with a level behind it
                       [2025-01-20 10:11:12.345] [1234] [1402] [server] [ERROR] [a.cpp:12] message
                       [2025-01-20 10:11:12.345] [atb] [error] [a.cpp:12] message (spdlog)
                       [2025-01-20 10:11:12,345 E 1234 1402] (raylet) a.cc:12: message (Ray)
    level              [ERROR] message

Sources: the layouts printed by MindSpore 2.10 (mindspore/log.py and its C++ logger),
mindformers 2.1.0 (tools/logger.py), CANN plog, torch_npu, PyTorch, vLLM.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from assistant.logtext import stamps, wrappers


class Prefix(NamedTuple):
    """The head of a record.

    Attributes:
        layout: one of the names above.
        level: DEBUG, INFO, WARNING, ERROR or CRITICAL; None where none is printed.
            (EXCEPTION and FATAL are CRITICAL, TRACE is DEBUG, EVENT is INFO.)
        component: logging module (HCCL, MD, ME ...) or logger name.
        pid: process that wrote it.
        time: seconds since 1970 of the log's wall clock, None without a full date.
        location: `file:line` in the source code.
        start: index in the line at which the message begins.
    """

    layout: str
    level: str | None
    component: str | None
    pid: int | None
    time: float | None
    location: str | None
    start: int


_LEVELS = {
    b"DEBUG": "DEBUG", b"TRACE": "DEBUG", b"INFO": "INFO", b"EVENT": "INFO",
    b"WARNING": "WARNING", b"WARN": "WARNING", b"ERROR": "ERROR", b"CRITICAL": "CRITICAL",
    b"FATAL": "CRITICAL", b"EXCEPTION": "CRITICAL",
    b"D": "DEBUG", b"I": "INFO", b"W": "WARNING", b"E": "ERROR", b"F": "CRITICAL",
    b"C": "CRITICAL",
}
_LEVEL = rb"(DEBUG|TRACE|INFO|EVENT|WARN(?:ING)?|ERROR|CRITICAL|FATAL|EXCEPTION)"
_STAMP = stamps.STAMP
_PLACE = rb"([^\[\]\s]{1,240}:\d{1,7}|[^\[\]\s:]{1,240}:\d{1,7}:\w{1,80})"

# 1 level, 2 component, 3 pid, 4 separator, 5 thread and process, 6-9 stamp, 10 place
_RECORD = re.compile(
    rb"\[" + _LEVEL + rb"\] ?([A-Za-z][\w-]{0,31})\((\d{1,10})([,:])([^()\[\]\r]{0,99})\):"
    + _STAMP + rb" ?(?:\[status:\w{1,16}\] ?)?(?:\[" + _PLACE + rb"\] ?)?")
# The C++ logger puts the function between the place and the message: `Connect] `.
_FUNCTION = re.compile(rb"~?[A-Za-z_][\w:~<>]{0,119}(?:\(\))?\] ")
# 1 level, 2-5 stamp, then 6 pid | 7 place and 8 function | nothing
_LEVEL_STAMP = re.compile(
    rb"\[" + _LEVEL + rb"\] ?" + _STAMP + rb" ?(?:"
    rb"\(PID:(\d{1,10}), ?Device:-?\d{1,7}, ?RankID:-?\d{1,10}\) ?"
    rb"|\[" + _PLACE + rb"\] ([\w.<>-]{1,120}): ?)?")
# 1 level, 2-5 stamp, 6 logger and place
_LEVEL_BAR = re.compile(
    rb"\[" + _LEVEL + rb"\|(?:[\w./-]{1,120}:\d{1,7}\] )?" + _STAMP
    + rb"\]?(?: ([\w.:-]{1,120}))? >> ")
_LEVEL_ONLY = re.compile(rb"\[" + _LEVEL + rb"\][ :]{0,2}")
# 1 pid, 2-5 stamp
_PID_STAMP = re.compile(rb"\[PID: ?(\d{1,10})\] ?" + _STAMP + rb" ?")
# 1-4 stamp, 5 pid, 6 component | 7 logger; 8 level, 9 place
_BRACKET_STAMP = re.compile(
    rb"\[" + _STAMP + rb"(?:Z|[+-]\d\d:?\d\d)?\] ?(?:\[(\d{1,10})\] ?(?:\[\d{1,20}\] ?)?"
    rb"(?:\[([A-Za-z][\w.-]{0,31})\] ?)?(?=\[[A-Z])|([\w.]{1,80}): )?(?:\[" + _LEVEL
    + rb"\] ?)?(?:\[" + _PLACE + rb"\] ?)?")
# 1-4 stamp, 5 logger, 6 level, 7 place
_SPDLOG = re.compile(
    rb"\[" + _STAMP + rb"\] ?(?:\[([A-Za-z][\w.-]{0,31})\] ?)?"
    rb"\[(trace|debug|info|warn|warning|error|critical)\] ?(?:\[" + _PLACE + rb"\] ?)?")
# 1-4 stamp, 5 level, 6 pid, 7 process, 8 place
_RAY = re.compile(
    rb"\[" + _STAMP + rb" ([DIWECF]) (\d{1,10}) \d{1,10}\] (?:\(([\w.-]{1,40})\) )?(?:"
    + _PLACE + rb": )?")
# 1 level, 2 place
_TORCH = re.compile(
    rb"\[([DIWEFC])(?:\d{3,4} \d\d:\d\d:\d\d\.\d{1,9}(?: +\d{1,10})?"
    rb"|  ?\d{1,2}/ ?\d{1,2} {1,2}\d{1,2}:\d\d:\d\d\.\d{3})? "
    rb"([^\[\]\s]{1,240}:\d{1,7})(?: [\w~]{1,80})?\] ?")
_GLOG = re.compile(
    rb"([DIWEFC])(?:\d{4}){1,2} \d\d:\d\d:\d\d\.\d{1,9} +(?:(\d{1,10}) )?"
    rb"([^\[\]\s]{1,240}:\d{1,7})\] ?")
# 1-4 stamp, 5 logger, 6 place, 7 level | 8 level word, 9 place | 10 level, 11 place (ONNX
# Runtime) | 12 or 13 level | nothing
# (but not `<stamp> -> <stamp>`, a line of the data queue's report, written later)
_STAMP_FIRST = re.compile(
    _STAMP + rb"(?:"
    rb" - ([^\[\]\r]{0,240}?)(?:\[" + _PLACE + rb"\])?(?: -|: |-) ?" + _LEVEL + rb"(?: - |: | )"
    rb"| (trace|debug|info|warn|warning|error|fatal) \d{1,10} \[(?:TTP )?" + _PLACE + rb"\] ?"
    rb"| \[([DVIWEF]):onnxruntime:[^,\]]{0,40}, ([^\[\]\s]{1,120}:\d{1,7})(?: [\w~]{1,80})?\] ?"
    rb"|[ -]{0,3}(?:\[" + _LEVEL + rb"\]|" + _LEVEL + rb"\b)[ :-]{0,3}"
    rb"|(?:Z|[+-]\d\d:?\d\d)?(?! ?->)(?:[ :-]{1,3}|$))")
_VLLM = re.compile(
    _LEVEL + rb" \d\d-\d\d \d\d:\d\d:\d\d \[?([\w./-]{1,120}:\d{1,6})\] ?")
_BASIC = re.compile(_LEVEL + rb":([A-Za-z_][\w.]{0,99}):")
# 1 code, 2 pid, 3-6 stamp
_CODE_STAMP = re.compile(rb"(E[0-9A-Z]\d{4}): (?:\[PID: ?(\d{1,10})\] ?)?" + _STAMP)


def _text(raw: bytes | None) -> str | None:
    return raw.decode("utf-8", "replace") if raw else None


def _bracket(line: bytes, at: int) -> Prefix | None:
    """Heads that begin with `[`."""
    m = _RECORD.match(line, at)
    if m is not None:
        (level, component, pid, separator, owner, day, clock, fraction, rest,
         place) = m.groups()
        start = m.end()
        if separator == b":":
            layout = "mindspore-python"
        elif b"," in owner:
            layout = "mindspore-cpp"
            function = _FUNCTION.match(line, start)
            start = function.end() if function else start
        else:
            layout = "cann"
        return Prefix(layout, _LEVELS[level], _text(component), int(pid),
                      stamps.seconds(day, clock, fraction, rest), _text(place), start)
    second = line[at + 1:at + 2]
    if b"0" <= second <= b"9":
        m = _RAY.match(line, at)
        if m is not None:
            return Prefix("stamp", _LEVELS[m[5]], _text(m[7]), int(m[6]),
                          stamps.seconds(*m.group(1, 2, 3, 4)), _text(m[8]), m.end())
        m = _SPDLOG.match(line, at)
        if m is not None:
            return Prefix("stamp", _LEVELS[m[6].upper()], _text(m[5]), None,
                          stamps.seconds(*m.group(1, 2, 3, 4)), _text(m[7]), m.end())
        m = _BRACKET_STAMP.match(line, at)
        return m and Prefix("stamp", _LEVELS.get(m[8]), _text(m[6] or m[7]),
                            int(m[5]) if m[5] else None,
                            stamps.seconds(*m.group(1, 2, 3, 4)), _text(m[9]), m.end())
    m = _LEVEL_STAMP.match(line, at)
    if m is not None:
        layout = "torch-npu" if m[6] else "mindformers-file" if m[7] else "stamp"
        return Prefix(layout, _LEVELS[m[1]], None, int(m[6]) if m[6] else None,
                      stamps.seconds(*m.group(2, 3, 4, 5)), _text(m[7]), m.end())
    m = _PID_STAMP.match(line, at)
    if m is not None:
        return Prefix("cann-error", None, None, int(m[1]),
                      stamps.seconds(*m.group(2, 3, 4, 5)), None, m.end())
    m = _TORCH.match(line, at)
    if m is not None:
        return Prefix("torch", _LEVELS[m[1]], None, None, None, _text(m[2]), m.end())
    m = _LEVEL_BAR.match(line, at)
    if m is not None:
        return Prefix("logging", _LEVELS[m[1]], _text(m[6]), None,
                      stamps.seconds(*m.group(2, 3, 4, 5)), None, m.end())
    m = _LEVEL_ONLY.match(line, at)
    return m and Prefix("level", _LEVELS[m[1]], None, None, None, None, m.end())


def _digit(line: bytes, at: int) -> Prefix | None:
    """Heads that begin with a stamp."""
    m = _STAMP_FIRST.match(line, at)
    if m is None:
        return None
    (day, clock, fraction, rest, logger, place, level, word, word_place, letter, letter_place,
     boxed, bare) = m.groups()
    time = stamps.seconds(day, clock, fraction, rest)
    if level is not None:
        layout = "mindformers" if place is not None else "logging"
        return Prefix(layout, _LEVELS[level], _text(logger), None, time, _text(place), m.end())
    if word is not None:
        return Prefix("ttp", _LEVELS.get(word.upper()), None, None, time, _text(word_place),
                      m.end())
    if letter is not None:
        return Prefix("stamp", _LEVELS.get(letter), "onnxruntime", None, time,
                      _text(letter_place), m.end())
    return Prefix("stamp", _LEVELS.get(boxed or bare), None, None, time, None, m.end())


def _letter(line: bytes, at: int) -> Prefix | None:
    """Heads that begin with a level's name or a CANN code."""
    m = _VLLM.match(line, at)
    if m is not None:
        return Prefix("vllm", _LEVELS[m[1]], None, None, None, _text(m[2]), m.end())
    m = _BASIC.match(line, at)
    if m is not None:
        return Prefix("logging", _LEVELS[m[1]], _text(m[2]), None, None, None, m.end())
    m = _GLOG.match(line, at)
    if m is not None:
        return Prefix("torch", _LEVELS[m[1]], None, int(m[2]) if m[2] else None, None,
                      _text(m[3]), m.end())
    m = _CODE_STAMP.match(line, at)
    # The code is part of the message, so the message begins with it.
    return m and Prefix("cann-error", None, None, int(m[2]) if m[2] else None,
                        stamps.seconds(*m.group(3, 4, 5, 6)), None, at)


_READERS: dict[int, Callable[[bytes, int], Prefix | None]] = {
    ord("["): _bracket,
    **dict.fromkeys(b"0123456789", _digit),
    **dict.fromkeys(b"DTIEWCF", _letter),
}


def parse(line: bytes) -> Prefix | None:
    """The head of the record that `line` begins with, None for a line without one.

    Never raises. A line that has only prefixes of others is None, but for vLLM's, which
    has a level, and for the stamp of what carried it.
    """
    found = _read(line, 0)
    if found is not None and found.layout not in ("vllm", "stamp"):
        return found
    end, _, pid, error = wrappers.find(line)
    if not end:
        return found
    inner = _read(line, end)
    outer = found.time if found is not None else None
    if inner is None:
        if error:
            return Prefix("vllm", "ERROR", None, pid, outer, None, end)
        return found and found._replace(start=max(end, found.start))
    if inner.pid is None:
        inner = inner._replace(pid=pid)
    # One clock for all lines: that of what carried them, which may be in another time zone.
    return inner if outer is None else inner._replace(time=outer)


def pid(line: bytes) -> int | None:
    """The process of `parse(line)`, for who wants no more: several times quicker."""
    record = _RECORD.match(line)
    if record is not None:
        return int(record[3])
    stamped = _STAMP_FIRST.match(line) if line[:1].isdigit() else None
    if stamped is not None and (stamped[7] or stamped[8]):
        return None  # such a head names none; behind a bare stamp another may stand
    head = parse(line)
    return None if head is None else head.pid


def _read(line: bytes, at: int) -> Prefix | None:
    """The head that begins at index `at`, launcher prefixes apart."""
    reader = _READERS.get(line[at]) if at < len(line) else None
    return reader(line, at) if reader else None
