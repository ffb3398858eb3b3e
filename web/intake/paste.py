"""Pasted text -> one or several logs with names that tell the engine what they are.

`tail worker_*.log` and `more` print the names of files between their contents; such a paste
is taken apart again, so that each line belongs to its own rank.
"""

from __future__ import annotations

import re

from assistant.sources.names import member_name
from web.problems import ProblemError

#: What a paste may be; `unknown` leaves it to the engine.
KINDS = ("unknown", "worker", "scheduler", "console")
#: A rank beyond this is a slip of the finger.
MAX_RANK = 999_999

#: Beginnings of records in one line from which on its line ends must have been lost, and how
#: much of a paste is looked at.
_JOINED, _LOOKED_AT = 4, 1 << 18
_RECORD = re.compile(rb"\[(?:WARNING|ERROR|INFO|DEBUG|CRITICAL)\] ?[A-Z_]+\(\d+,"
                     rb"|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} - ")
_TAIL = re.compile(rb"==> (?P<tail>[^\r\n]{1,400}?) <==\r?$", re.MULTILINE)
_MORE = re.compile(rb"^:{14}\r?\n(?P<more>[^\r\n]{1,400}?)\r?\n:{14}\r?$", re.MULTILINE)


def split(text: bytes, kind: str, rank: int | None) -> list[tuple[str, bytes]]:
    """(name, content) of each log in a paste, in order; blank ones are left out.

    Args:
        text: what was pasted.
        kind: one of KINDS, for a paste that names no files.
        rank: rank of the worker, None if unknown.
    """
    marks = sorted([*_heads(_TAIL, text), *_heads(_MORE, text)])
    if not marks:
        return [(name_of(kind, rank), text)] if text.strip() else []
    before = text[:marks[0][0]]
    parts = [(name_of(kind, rank), before)] if before.strip() else []
    ends = [start for start, _, _ in marks[1:]] + [len(text)]
    for (_, start, name), end in zip(marks, ends, strict=True):
        content = text[start:end]
        # `tail` puts an empty line before the next name, which is not in the file
        parts.append((name, content[:-1] if content.endswith(b"\n\n") else content))
    return [(_short(name, parts), content) for name, content in parts if content.strip()]


def is_joined(text: bytes) -> bool:
    """Whether a paste lost its line ends: one line holds the beginnings of many records, as
    after `curl --data` and in some chat programs."""
    longest = max(text[:_LOOKED_AT].split(b"\n"), key=len)
    return len(_RECORD.findall(longest)) >= _JOINED


def name_of(kind: str, rank: int | None) -> str:
    """A file name by which the engine knows what a paste is."""
    if kind == "worker":
        return "worker.log" if rank is None else f"worker_{rank}.log"
    return {"scheduler": "scheduler.log", "console": "console.log"}.get(kind, "pasted.log")


def read_kind(text: str | None) -> str:
    """The kind that a field names. Raises ProblemError."""
    if text and text not in KINDS:
        raise ProblemError("bad-field", field="kind", expected=", ".join(KINDS))
    return text or "unknown"


def read_rank(text: str | None) -> int | None:
    """The rank that a field names, None for an empty one. Raises ProblemError."""
    text = (text or "").strip()
    if not text:
        return None
    if not text.isascii() or not text.isdecimal() or int(text) > MAX_RANK:
        raise ProblemError("bad-field", field="rank", expected=f"0 - {MAX_RANK}")
    return int(text)


def _heads(pattern: re.Pattern[bytes], text: bytes) -> list[tuple[int, int, str]]:
    """(start of the head, start of the content below it, name) of each head that stands at
    the beginning of a line."""
    found = []
    for match in pattern.finditer(text):
        if match.start() == 0 or text[match.start() - 1:match.start()] == b"\n":
            name = next(group for group in match.groups() if group is not None)
            found.append((match.start(), match.end() + 1,
                          member_name(name.decode("utf-8", "replace"))))
    return found


def _short(name: str, parts: list[tuple[str, bytes]]) -> str:
    """The name without the folders that all of the paste's names begin with."""
    folders = [part.split("/")[:-1] for part, _ in parts]
    common = 0
    while all(len(f) > common and f[common] == folders[0][common] for f in folders):
        common += 1
    return "/".join(name.split("/")[common:])
