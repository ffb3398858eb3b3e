"""`state:` and `reached:` signals: how ranks stand at the end, and how far they got."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from assistant.diagnose.match import Match, cite, subject_of
from assistant.diagnose.types import Citation
from assistant.diagnose.view import View
from assistant.job.types import Process
from assistant.rules.types import PHASES, ReachedSignal, StateSignal


def matches(signal: StateSignal, view: View, ends: frozenset[int]) -> Iterator[Match]:
    """One match for every process that stands so.

    Args:
        ends: ranks at the end of a chain of waiting (see diagnose/waits.py).
    """
    progress = _Progress(view.job.ranks())
    named_first = first_exit(view) if signal.named_by == "console" else None
    for process in view.job.processes:
        if ((not signal.states or process.state in signal.states)
                and _behind(signal, process, progress)
                and (signal.without != "error" or (process.files and not process.errors))
                and _exit_fits(signal, process)
                and _named(signal, process, named_first, ends)):
            yield match_of(process, view)


def _behind(signal: StateSignal, process: Process, progress: _Progress) -> bool:
    if signal.behind is None:
        return True
    if signal.behind == "total":
        last, total = process.last_step, process.series.total_steps
        return last is not None and total is not None and last < total
    return progress.behind(process) == (signal.behind == "peers")


def _exit_fits(signal: StateSignal, process: Process) -> bool:
    code = process.exit.code if process.exit is not None else None
    return not signal.exit_codes or code in signal.exit_codes


def _named(signal: StateSignal, process: Process, named_first: Process | None,
           ends: frozenset[int]) -> bool:
    """Whether the one that `named_by:` asks for names this process."""
    if signal.named_by == "scheduler":
        return process.timed_out is not None
    if signal.named_by == "console":
        return process is named_first
    return signal.named_by is None or process.rank in ends


def reached(signal: ReachedSignal, view: View) -> Iterator[Match]:
    """One match for every process that got at least to the phase."""
    wanted = PHASES.index(signal.phase)
    for process in view.population:
        if phase_index(process) >= wanted and (process.whole or not signal.from_start):
            yield match_of(process, view, _passing(process, wanted, view))


def _passing(process: Process, wanted: int, view: View) -> Citation | None:
    """The line that shows that a process got at least so far: what makes a later line due."""
    shown = [(PHASES.index(phase), place) for phase, place in process.passed.items()
             if PHASES.index(phase) >= wanted]
    for _, (name, line) in sorted(shown):
        hit = view.hit_at(name, line)
        if hit is not None:
            return Citation(name, line, hit.time, hit.text)
        file = view.file_by_name.get(name)
        text = file.evidence.series.texts.get(line) if file is not None else None
        if text is not None:
            return Citation(name, line, None, text)
    return None


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


def match_of(process: Process, view: View, proof: Citation | None = None) -> Match:
    """A process as evidence: `proof`, else the console's word on its end, else its last line."""
    values = {"state": process.state}
    for name, value in (("phase", process.phase), ("last_step", process.last_step),
                        ("pid", process.pid),
                        ("exit_code", process.exit.code if process.exit else None)):
        if value is not None:
            values[name] = str(value)
    if proof is not None:
        return Match(subject_of(process), process.node or "", proof, (), values, proof.time)
    quotes = [quote for quote in (_console_line(process, view), _last_line(process, view))
              if quote is not None]
    return Match(subject_of(process), process.node or "", quotes[0] if quotes else None,
                 tuple(quotes[1:]), values, process.last_time)


def _last_line(process: Process, view: View) -> Citation | None:
    """The last line of the process's own log."""
    file = view.file_by_name.get(process.files[0]) if process.files else None
    if file is None or process.last_line is None:
        return None
    return cite(file, process.last_line[0], process.last_time, process.last_line[1])


def _console_line(process: Process, view: View) -> Citation | None:
    """The console's line on the end of a process, as logged."""
    end = process.exit
    hit = view.hit_at(end.file, end.line) if end is not None else None
    return Citation(end.file, hit.line, hit.time, hit.text) if end and hit else None


class _Progress:
    """How far the ranks got, to tell who is behind."""

    def __init__(self, ranks: Sequence[Process]) -> None:
        # Of a rank without a log nobody knows how far it got.
        self._marks = sorted(_mark(p) for p in ranks if p.state != "absent")
        self._printing = {p.stage for p in ranks if p.last_step is not None}

    def behind(self, process: Process) -> bool:
        """Whether more than half of the other ranks got further than this one."""
        others = len(self._marks) - (process.state != "absent")
        if process.rank is None or others < 1:
            return False
        if process.phase == "training" and process.stage not in self._printing:
            return False  # nobody on its stage prints steps
        further = len(self._marks) - bisect_right(self._marks, _mark(process))
        return 2 * further > others


def _mark(process: Process) -> tuple[int, int]:
    return (process.last_step or 0, phase_index(process))
