"""Several runs in one file, and files that an earlier run left behind.

msrun truncates the files it opens, but a log appended to by the shell holds several runs,
and a rerun with fewer workers leaves the old files of the ranks that no longer exist.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from assistant.evidence.types import FileEvidence
from assistant.job import marks
from assistant.job.names import cann_pid, folder_of, number_in
from assistant.job.ranks import main_pid, stated_rank
from assistant.job.types import LogFile

#: A file is of an earlier run if it ends this long (seconds) before its neighbours begin;
#: a worker that dies on import ends before a slow scheduler has printed its first line.
STALE_AFTER = 60.0

#: Landmarks that a process prints once, at its start, by kind of file.
_ONCE = {
    "scheduler": ("banner", "scheduler-begin"),
    "worker": ("banner", "rank-stated"),
    "console": ("console-scheduler", "console-spawned"),
}
#: Landmarks that show, between two first lines, that a process lived in the meantime.
_LIFE = ("cluster-alive", "node-registered", "networking-failed", "topology-retry",
         "connection", "building", "cluster-formed", "console-exit", "console-worker")


class Run(NamedTuple):
    """The last run in a file: its first line, and how many runs there are."""

    start: int
    number: int


def last_run(evidence: FileEvidence, role: str) -> Run:
    """Where the last run of a file begins.

    A run begins where a line that a process prints once comes again from another process
    (or, where the line names none, with something of the old run between them), or where
    the step counter falls back while the process changes. A file of several ranks is one
    run: each of them prints such lines.
    """
    if len(set(marks.numbers(evidence, "rank-stated", "rank"))) > 1 and role != "console":
        return Run(1, 1)
    starts = [1]
    seen: dict[str, int | None] = {}
    for line, name, pid in _once(evidence, role):
        if name in seen and _again(evidence, starts[-1], line, seen[name], pid):
            starts.append(line if pid is None else _first_of(evidence, pid, starts[-1], line))
            seen = {}
        seen.setdefault(name, pid)
    if len(starts) == 1 and len(evidence.pids) > 1:
        starts += _step_resets(evidence)
    return Run(starts[-1], len(starts))


def _once(evidence: FileEvidence, role: str) -> list[tuple[int, str, int | None]]:
    """(line, landmark, pid) of the lines that a process prints once, by line."""
    found = [(hit.line, name, hit.pid) for name in _ONCE.get(role, ())
             for hit in marks.hits(evidence, name)
             if name != "rank-stated" or hit.pid is not None]
    if role == "console":
        # a worker that is started again; its log's name is part of what is printed once
        found += [(hit.line, f"console-worker {marks.text(hit, 'file')}", None)
                  for hit in marks.hits(evidence, "console-worker")]
    return sorted(found, key=lambda item: (item[0], item[1]))


def _again(evidence: FileEvidence, start: int, line: int, old: int | None,
           new: int | None) -> bool:
    """Whether a line that was seen in this run comes from another process."""
    if old is not None and new is not None:
        return old != new
    return (any(start <= event.line < line for event in evidence.events)
            or any(start <= at < line for at in evidence.series.lines)
            or any(start < hit.line < line for name in _LIFE
                   for hit in marks.hits(evidence, name)))


def _first_of(evidence: FileEvidence, pid: int, start: int, line: int) -> int:
    """First kept line of a process between two lines."""
    return min((hit.line for found in evidence.hits.values() for hit in found.hits
                if hit.pid == pid and start < hit.line <= line), default=line)


def _step_resets(evidence: FileEvidence) -> list[int]:
    """Step lines at which the counter falls back to 1."""
    steps, lines = evidence.series.steps, evidence.series.lines
    return [lines[i] for i in range(1, len(steps)) if steps[i] <= 1 < steps[i - 1]]


def stale_names(files: Sequence[LogFile]) -> frozenset[str]:
    """Names of the files that end well before the job of their own folder begins.

    The job of a folder begins with its scheduler, or with the worker of the lowest number:
    these are written anew by every launch. Times are compared within a folder only, since
    the clocks of two nodes differ.

    A log that ends with a failure below its last time is not of that time: what fails before
    it can log anything, as an import does, prints none. Where a launch appends, such a log is
    of the last one if its rank did not come, or no other log of a worker is of it.
    """
    begin: dict[str, float] = {}
    lowest: dict[str, tuple[int, float]] = {}
    for file in files:
        time = begin_time(file)
        if time is None:
            continue
        if file.role == "scheduler":
            begin[file.node] = max(time, begin.get(file.node, time))
        elif file.role == "worker":
            number = number_in(file.name)
            if number is not None and (file.node not in lowest
                                       or number < lowest[file.node][0]):
                lowest[file.node] = (number, time)
    for folder, (_, time) in lowest.items():
        begin[folder] = max(time, begin.get(folder, time))
    pids = {(file.node, main_pid(file.evidence, file.run_start)) for file in files
            if file.role == "worker"}
    old: list[LogFile] = []
    living: set[str] = set()
    for file in files:
        start, end = begin.get(file.node), file.evidence.last_time
        own = file.role == "cann" and (file.node, cann_pid(file.name)) in pids
        if start is not None and end is not None and end < start - STALE_AFTER and not own:
            old.append(file)
        elif file.role == "worker" and file.evidence.lines:
            living.add(file.node)
    awaited = _awaited(files)
    return frozenset(
        file.name for file in old
        if not (file.role == "worker" and _fails_without_time(file.evidence)
                and (file.node not in living
                     or number_in(file.name) in awaited.get(file.node, ()))))


def _fails_without_time(evidence: FileEvidence) -> bool:
    """Whether an event stands below the last line that has a time."""
    return evidence.time_lines is not None and any(
        event.line > evidence.time_lines[1] for event in evidence.events)


def _awaited(files: Sequence[LogFile]) -> dict[str, frozenset[int]]:
    """Folder to the ranks for which its scheduler waited in vain."""
    found: dict[str, frozenset[int]] = {}
    for file in files:
        if file.role == "scheduler":
            def told(name: str, capture: str, file: LogFile = file) -> tuple[int, ...]:
                return marks.numbers(file.evidence, name, capture, file.run_start)

            expected = max(told("node-registered", "expected")
                           + told("cluster-progress", "expected"), default=0)
            came = {*told("node-registered", "rank"), *told("node-registered", "node")}
            found[file.node] = frozenset(range(expected)) - came
    return found


def launches(files: Sequence[LogFile]) -> dict[str, LogFile]:
    """Folder to the scheduler's log in it, where that log holds anything.

    One launch has one scheduler, on one node: folders that each hold the log of another one
    are of different launches. A copy of one log is none.
    """
    found: dict[str, LogFile] = {}
    for file in files:
        evidence = file.evidence
        if file.role == "scheduler" and evidence.lines and not any(
                (evidence.size, evidence.first_time, evidence.head, evidence.tail)
                == (other.evidence.size, other.evidence.first_time, other.evidence.head,
                    other.evidence.tail) for other in found.values()):
            found.setdefault(folder_of(file.name), file)
    return found


def other_launches(files: Sequence[LogFile]) -> frozenset[str]:
    """Names of the files in folders with a scheduler of their own that ended before the last
    launch began: jobs of their own, one after the other."""
    own = launches(files)
    if len(own) < 2:
        return frozenset()
    spans: dict[str, tuple[float, float]] = {}
    for file in files:
        folder, begin, end = folder_of(file.name), begin_time(file), file.evidence.last_time
        if folder in own and begin is not None and end is not None:
            low, high = spans.get(folder, (begin, end))
            spans[folder] = (min(low, begin), max(high, end))
    latest = max((low for low, _ in spans.values()), default=0.0)
    old = {folder for folder, (_, high) in spans.items() if high < latest}
    return frozenset(file.name for file in files if folder_of(file.name) in old)


def outlived_names(files: Sequence[LogFile]) -> frozenset[str]:
    """Names of the files in folders of an earlier launch: another folder, whose logs begin
    after all of these end, holds logs that state the same ranks. One job has each rank once."""
    spans: dict[str, tuple[float, float]] = {}
    stated: dict[int, set[str]] = {}
    for file in files:
        begin, end = begin_time(file), file.evidence.last_time
        if file.role != "worker" or begin is None or end is None:
            continue
        low, high = spans.get(file.node, (begin, end))
        spans[file.node] = (min(low, begin), max(high, end))
        rank = stated_rank(file.evidence, file.run_start)
        if rank is not None:
            stated.setdefault(rank, set()).add(file.node)
    old: set[str] = set()
    for folders in stated.values():
        latest = max(spans[folder][0] for folder in folders)
        old |= {folder for folder in folders if spans[folder][1] < latest}
    return frozenset(file.name for file in files if file.node in old)


def begin_time(file: LogFile) -> float | None:
    """Time of the last run's first line, as far as a kept line tells."""
    if file.run_start == 1:
        return file.evidence.first_time
    times = [hit.time for found in file.evidence.hits.values() for hit in found.hits
             if hit.line >= file.run_start and hit.time is not None]
    return min(times) if times else file.evidence.first_time
