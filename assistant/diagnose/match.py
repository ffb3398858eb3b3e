"""One piece of evidence for one signal, and whom it is about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from assistant.diagnose.types import Citation
from assistant.job.types import LogFile, Process

#: Whom a match is about: a rank, a fragment (by its process's key), or None: the whole job.
Subject = int | str | None


@dataclass(frozen=True, slots=True)
class Match:
    """One piece of evidence for one signal.

    Attributes:
        subject: whom it is about.
        node: node of the file it stands in.
        citation: the quoted line, None where the evidence is that there is none.
        more: further lines worth quoting (those of an event are found by `event`).
        values: placeholder to text.
        time: on the file's own clock.
        event: (file, first line) of the event that holds it.
        codes: error codes in it; those of its event are found by `event`.
        count: number of lines or events it stands for.
    """

    subject: Subject
    node: str
    citation: Citation | None
    more: tuple[Citation, ...] = ()
    values: Mapping[str, str] = field(default_factory=dict)
    time: float | None = None
    event: tuple[str, int] | None = None
    codes: tuple[str, ...] = ()
    count: int = 1


def subject_of(process: Process) -> int | str:
    """A process as a subject."""
    return process.rank if process.rank is not None else process.key


def in_order(subjects: Iterable[Subject]) -> list[int | str]:
    """Ranks by number, then fragments by name; the job as a whole is left out."""
    known = [s for s in subjects if s is not None]
    return sorted(known, key=lambda s: (isinstance(s, str), s if isinstance(s, int) else 0,
                                        str(s)))


def numbers(text: str) -> tuple[int, ...]:
    """The numbers in a capture such as `3`, `1, 2, 5`, `[1,3,5,7,]` or `[0000000000000002]`, in
    order; what has more than nine digits counts none."""
    return tuple(int(n) for n in re.findall(r"(?<!\d)0*(\d{1,9})(?!\d)", text))


def cite(file: LogFile, line: int, time: float | None, text: str) -> Citation:
    """A quotation from a file."""
    return Citation(file.name, line, time, text)
