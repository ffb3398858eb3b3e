"""The job as signals look at it: which lines count, and whom a line is about.

Stale files, earlier runs in a file, and lines that only echo another file are left out
here once, so that no signal has to think of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from assistant.diagnose.types import Citation
from assistant.evidence.types import ErrorLine, Event, Hit
from assistant.job.types import Job, LogFile, Process

#: Whom a match is about: a rank, a fragment (by its process's key), or None: the whole job.
Subject = int | str | None

#: Kinds of file that stand in for a worker log when nothing better is known.
_STAND_INS = frozenset(("other", "console"))


@dataclass(frozen=True, slots=True)
class Match:
    """One piece of evidence for one signal.

    Attributes:
        subject: whom it is about.
        node: node of the file it stands in.
        citation: the quoted line, None where the evidence is that there is none.
        more: further lines of the same event worth quoting.
        values: placeholder to text.
        time: on the file's own clock.
        event: (file, first line) of the event that holds it.
        codes: error codes in it.
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


class View:
    """Read access to a job for signals; holds nothing that changes but lazily built indexes."""

    def __init__(self, job: Job) -> None:
        self.job = job

    @cached_property
    def files(self) -> tuple[LogFile, ...]:
        """Files that belong to the job (not stale)."""
        return tuple(f for f in self.job.files if not f.stale)

    @cached_property
    def process_of(self) -> Mapping[str, Process]:
        """File name to the process that wrote it."""
        return {name: process for process in self.job.processes for name in process.files}

    @cached_property
    def by_rank(self) -> Mapping[int, Process]:
        """Rank to process."""
        return {p.rank: p for p in self.job.processes if p.rank is not None}

    @cached_property
    def by_pid(self) -> Mapping[tuple[str | None, int], int]:
        """(node, pid) and (None, pid) to rank; an ambiguous (None, pid) is left out."""
        table: dict[tuple[str | None, int], int] = {}
        doubles: set[int] = set()
        for process in self.job.processes:
            if process.rank is None or process.pid is None:
                continue
            table[process.node, process.pid] = process.rank
            if (None, process.pid) in table:
                doubles.add(process.pid)
            table[None, process.pid] = process.rank
        for pid in doubles:
            del table[None, pid]
        return table

    @cached_property
    def population(self) -> tuple[Process, ...]:
        """Processes whose log was read and holds something."""
        return tuple(p for p in self.job.processes if p.state not in ("absent", "empty"))

    @cached_property
    def subjects(self) -> frozenset[int | str]:
        """The subjects of the population."""
        return frozenset(subject_of(p) for p in self.population)

    def role_counts(self, file: LogFile, roles: tuple[str, ...]) -> bool:
        """Whether lines of this file count for a signal with these roles (empty: any)."""
        if file.echo:  # of an echo only what msrun itself says there is its own
            return file.role == "console" and "console" in roles
        if not roles or file.role in roles:
            return True
        return file.role == "other" or (
            file.role in _STAND_INS and ("worker" in roles or "scheduler" in roles))

    def hits(self, key: str, roles: tuple[str, ...]) -> Iterator[tuple[LogFile, Hit, int]]:
        """(file, hit, true count in the file) for a pattern key, last run only."""
        for file in self.files:
            found = file.evidence.hits.get(key)
            if found is None or not self.role_counts(file, roles):
                continue
            seen: set[int] = set()
            for hit in (*found.hits, *found.distinct):
                if hit.line >= file.run_start and hit.line not in seen:
                    seen.add(hit.line)
                    yield file, hit, found.count

    def events(self, kind: str, roles: tuple[str, ...]) -> Iterator[tuple[LogFile, Event]]:
        """Events of one kind in files with these roles, last run only."""
        for file in self.files:
            if self.role_counts(file, roles):
                for event in file.evidence.events:
                    if event.kind == kind and event.line >= file.run_start:
                        yield file, event

    def errors(self, roles: tuple[str, ...]) -> Iterator[tuple[LogFile, ErrorLine]]:
        """Shapes of error-looking lines in files with these roles, last run only."""
        for file in self.files:
            if self.role_counts(file, roles):
                for error in file.evidence.errors:
                    if any(hit.line >= file.run_start for hit in error.hits):
                        yield file, error

    def subject(self, file: LogFile, rank: int | None = None, pid: int | None = None) -> Subject:
        """Whom a line of this file is about: the rank it states, else the file's."""
        if rank is not None:
            return rank
        if file.rank is not None:
            return file.rank
        if file.role == "scheduler":
            return None
        if pid is not None:
            known = self.by_pid.get((file.node, pid), self.by_pid.get((None, pid)))
            if known is not None:
                return known
        process = self.process_of.get(file.name)
        return process.key if process is not None else None

    def rank_of_device(self, node: str, device: int) -> int | None:
        """Rank that runs on a device of a node, None if unknown."""
        for process in self.job.processes:
            if process.node == node and process.rank is not None and device in (
                    process.device, process.local_rank):
                return process.rank
        return None

    def node_of(self, subject: Subject, fallback: str) -> str:
        """Node on which a subject lives; the fallback where it has none."""
        if isinstance(subject, int):
            process = self.by_rank.get(subject)
            if process is not None and process.node is not None:
                return process.node
        return fallback


def subject_of(process: Process) -> int | str:
    """A process as a subject."""
    return process.rank if process.rank is not None else process.key


def numbers(text: str) -> tuple[int, ...]:
    """The numbers in a capture such as `3`, `1, 2, 5` or `[1,3,5,7,]`, in order."""
    return tuple(int(n) for n in re.findall(r"\d{1,9}", text))


def cite(file: LogFile, line: int, time: float | None, text: str) -> Citation:
    """A quotation from a file."""
    return Citation(file.name, line, time, text)
