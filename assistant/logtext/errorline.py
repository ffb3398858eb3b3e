"""Does a line look like an error?

Lines that do, and that no rule covers, are shown as unexplained, so the answer must neither
miss an error nor cry wolf over a healthy run: a record that states its level is believed
(`INFO ... error`, `WARNING ... failed to connect, retry` are none); a line without a level
is judged by its words.
"""

from __future__ import annotations

import re

from assistant.logtext.prefix import Prefix

#: A whole record of level ERROR that stands somewhere in the line, even inside another one; what
#: torch_npu warns of since it must not raise while a process ends.
_RECORD_INSIDE = re.compile(
    rb"NPU (?:function )?warning, error code is [1-9]"
    rb"|\[(?:ERROR|CRITICAL|EXCEPTION)\] ?(?:[A-Z][A-Z_]{1,31}\(\d{1,10}[,:]|\d{4}-\d\d-\d\d-)")

#: Words that mean failure wherever they stand in a line without a level.
_SURE = re.compile(
    rb"Traceback \(most recent call last\)"
    rb"|\b[A-Za-z_][\w.]{0,80}(?:Error|Exception|Interrupt|Exit)(?::[ \r]|:?$)"
    rb"|(?:^|[\])|>:] {0,8})Exception: \S"
    rb"|\[(?:ERROR|CRITICAL|EXCEPTION|Error)\]"
    rb"|(?: - |\| ?)(?:ERROR|CRITICAL|FATAL)(?: - | ?\|)"
    rb"|\bE[0-9A-Z]\d{4}(?:\)?: |\)?\[PID|  \[|\)?:?$)|\bERR\d{5}\b"
    rb"|(?i:segmentation fault|bus error\b|illegal instruction|floating point exception)"
    rb"|\bAborted(?: \(core dumped\)|!|$)|\bcore dumped\b|^\s{0,8}Killed\s{0,4}$"
    rb"|\bFatal Python error|terminate called|stack smashing detected|double free or corruption"
    rb"|corrupted size vs\. prev_size|malloc\(\): |free\(\): invalid|std::bad_alloc"
    rb"|\bFATAL\b|(?i:\bfatal error\b)|^panic: "
    rb"|(?i:error while loading shared libraries|cannot open shared object file)"
    rb"|(?i:out of memory|cannot allocate memory|oom-kill|no space left on device"
    rb"|disk quota exceeded|too many open files|\binput/output error\b|read-only file system)"
    rb"|(?i:command not found|no such file or directory|permission denied|connection refused"
    rb"|connection reset by peer|address already in use|broken pipe)"
    rb"|exit(?:s|ed)? with exception|(?i:\bundefined symbol\b|\bsymbol lookup error\b)"
    rb"|(?i:\bevent[ _]?id(?: {0,3}[:=\[(]){1,3} {0,3}0x8[0-9a-f]{7}\b)")

#: Words that mean failure unless the words around them say that there was none.
_LIKELY = re.compile(
    rb"(?i:\berrors?\b ?(?:msg|message)?(?: is)?[:!,. ]|\berror$|\bfail(?:ed|s)?\b)")
_NONE = re.compile(
    rb"(?i:\b(?:no|not|zero|without|never|any|if|when|may|might|ignore|ignoring|ignored)\b"
    rb" {1,3}(?:\w{1,20} {1,3}){0,2}(?:errors?|fail(?:ed|s|ures?)?)\b"
    rb"|\b0 {1,3}errors?\b|(?:^|[,;:(|] ?|passed |and )0 {1,3}fail(?:ed|ures?)\b"
    rb"|\berrors? (?:might|may|can|could)\b"
    rb"|\berrors?[ _]?(?:codes?|no|num|number|count|rate)? {0,3}(?:is|[:=]) {0,3}"
    rb"(?:0x0{1,16}|0(?:\.0{1,9})?|none|null|false|success|ok)(?![\w.])"
    rb"|\bfail(?:ed|ures?|s)? {0,3}[:=] {0,3}(?:0|none|false|\[\]|\{\})(?![\w.]))")
#: Titles and advice around an error, which say nothing themselves.
_ADVICE = re.compile(
    rb"(?:[^\s:]{1,300}:\d{1,7}: )?\w{0,60}Warning: "
    rb"|(?i:\s{0,40}(?:Solution|Possible Cause):|\s{0,40}Rectify the fault|\(Please search "
    rb"|[-\s]{0,9}(?:\w{1,20} ){0,3}Error Message(?: is)?:?(?: \(For framework developers\))?$)")

_ERROR_LEVELS = ("ERROR", "CRITICAL")
#: Only so much of a line is read; failures are named early.
_MAX_BYTES = 4096


def is_error(line: bytes, record: Prefix | None) -> bool:
    """Whether `line` looks like an error.

    Args:
        line: one line or one segment of it, without its line end.
        record: what prefix.parse found on it.
    """
    line = line[:_MAX_BYTES].rstrip(b"\r\n ")
    if record is not None and record.level is not None:
        return (record.level in _ERROR_LEVELS
                or _RECORD_INSIDE.search(line, record.start) is not None)
    if record is not None:
        line = line[record.start:]
    if _SURE.search(line) is not None:
        return True
    return (_LIKELY.search(line) is not None and _ADVICE.match(line) is None
            and _LIKELY.search(_NONE.sub(b"", line)) is not None)
