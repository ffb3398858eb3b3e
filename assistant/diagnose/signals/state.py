"""`state:` and `reached:` signals: how ranks stand at the end, and how far they got."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from assistant.diagnose.types import Citation
from assistant.diagnose.view import Match, View, cite, subject_of
from assistant.job.types import Process
from assistant.rules.types import PHASES, ReachedSignal, StateSignal


def matches(signal: StateSignal, view: View, ends: frozenset[int]) -> Iterator[Match]:
    """One match for every process that stands so.

    Args:
        ends: ranks at the end of a chain of waiting (see diagnose/waits.py).
    """
    progress = _Progress(view)
    first_named = first_exit(view)
    for process in view.job.processes:
        if signal.states and process.state not in signal.states:
            continue
        if signal.behind == "peers" and not progress.behind(process):
            continue
        if signal.behind == "none" and progress.behind(process):
            continue
        if signal.without == "error" and process.errors:
            continue
        code = process.exit.code if process.exit is not None else None
        if signal.exit_codes and code not in signal.exit_codes:
            continue
        if signal.named_by == "scheduler" and process.timed_out is None:
            continue
        if signal.named_by == "console" and process is not first_named:
            continue
        if signal.named_by == "wait-chain" and process.rank not in ends:
            continue
        yield match_of(process, view)


def reached(signal: ReachedSignal, view: View) -> Iterator[Match]:
    """One match for every process that got at least to the phase."""
    wanted = PHASES.index(signal.phase)
    for process in view.population:
        if phase_index(process) >= wanted and (process.whole or not signal.from_start):
            yield match_of(process, view)


def phase_index(process: Process) -> int:
    """Place of a process's phase in PHASES, -1 where there is no sign of life."""
    return PHASES.index(process.phase) if process.phase is not None else -1


def first_exit(view: View) -> Process | None:
    """The process whose end msrun's console reports first, if the console is the one to
    believe: the scheduler must not have declared any rank timed out before it
    (a hang is declared by the scheduler first, and the console then names a victim)."""
    ended = [p for p in view.job.processes if p.exit is not None]
    if not ended:
        return None
    first = min(ended, key=lambda p: (_exit_time(p), p.exit.line if p.exit else 0))
    silent_for = [p.timed_out for p in view.job.processes if p.timed_out]
    return None if silent_for and min(silent_for) < _exit_time(first) else first


def _exit_time(process: Process) -> float:
    return process.exit.time if process.exit and process.exit.time else float("inf")


def match_of(process: Process, view: View) -> Match:
    """A process as evidence: the console's word on its end, else its last line."""
    values = {"state": process.state}
    if process.phase is not None:
        values["phase"] = process.phase
    if process.last_step is not None:
        values["last_step"] = str(process.last_step)
    if process.pid is not None:
        values["pid"] = str(process.pid)
    citation: Citation | None = None
    end = process.exit
    if end is not None:
        if end.code is not None:
            values["exit_code"] = str(end.code)
        citation = _console_line(process, view)
    more: tuple[Citation, ...] = ()
    file = next((f for f in view.files if f.name in process.files), None)
    if file is not None and process.last_line is not None:
        last = cite(file, process.last_line[0], process.last_time, process.last_line[1])
        citation, more = (citation, (last,)) if citation is not None else (last, ())
    return Match(subject_of(process), process.node or "", citation, more, values,
                 process.last_time, count=1)


def _console_line(process: Process, view: View) -> Citation | None:
    """The console's line on the end of a process, as logged."""
    end = process.exit
    file = next((f for f in view.files if end is not None and f.name == end.file), None)
    if end is None or file is None:
        return None
    for found in file.evidence.hits.values():
        for hit in (*found.hits, *found.distinct):
            if hit.line == end.line:
                return cite(file, hit.line, hit.time, hit.text)
    return None


class _Progress:
    """How far ranks got, to tell who is behind; built once for all of them."""

    def __init__(self, view: View) -> None:
        known = [p for p in view.job.processes if p.rank is not None]
        self._marks = sorted(_mark(p) for p in known)

    def behind(self, process: Process) -> bool:
        """Whether more than half of the other ranks got further than this one."""
        others = len(self._marks) - 1
        if process.rank is None or others < 1:
            return False
        further = len(self._marks) - bisect_right(self._marks, _mark(process))
        return 2 * further > others


def _mark(process: Process) -> tuple[int, int]:
    return (process.last_step or 0, phase_index(process))
