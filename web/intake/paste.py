"""Pasted text -> one or several logs with names that tell the engine what they are.

What `tail worker_*.log` and its like print is taken apart again (assistant/sources/sections.py),
so that each line belongs to its own rank.
"""

from __future__ import annotations

import re

from assistant.sources import sections
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


def split(text: bytes, kind: str, rank: int | None) -> list[tuple[str, bytes]]:
    """(name, content) of each log in a paste, in order; blank ones are left out.

    Args:
        text: what was pasted.
        kind: one of KINDS, for a paste that names no files.
        rank: rank of the worker, None if unknown.
    """
    own = name_of(kind, rank)
    return [(own if name == sections.OUTSIDE else name, content)
            for name, content in sections.split(text) if content.strip()]


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
