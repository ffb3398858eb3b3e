"""The life of a process: how far it got, and how it stands at the end of its logs.

Two passes. `own_end` says what a process's own logs, its exit code and the scheduler tell.
Those that say nothing of their end are judged together (`silent_end`): in a job that came to
a bad end they were killed because of another one, or they stopped first and the others are
their victims.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from assistant.evidence.series import EMPTY_SERIES, Column, Series
from assistant.evidence.types import Event, FileEvidence
from assistant.job import marks
from assistant.job.median import median
from assistant.job.types import Exit, LogFile

#: Seconds within which a job that msrun waits for is killed after one of its processes fails.
KILL_DELAY = 10.0
#: A job in training stands still if nobody prints for this long (seconds), and for this many
#: steps, while its scheduler goes on printing. The lesser errors take care of themselves:
#: after half an hour a collective gives up and says so.
STANDSTILL, STANDSTILL_STEPS = 600.0, 20
#: The seconds where somebody stopped the job while nobody printed: nothing more can come.
STANDSTILL_STOPPED = 10.0
#: Landmarks of progress: no earlier error can have ended a process that prints them.
_PROGRESS = ("communication-initialised", "world-size", "parallelism", "building",
             "device-mesh", "data-rank", "training-start", "training-end")

#: Landmarks that a process prints at its start, and those of joining the cluster.
_STARTING = ("banner", "config-file")
_JOINING = ("connection", "connect-failed", "registering", "topology-retry")
_FIRST_RETRY = ("topology-first-retry",)


@dataclass(frozen=True, slots=True)
class Own:
    """What a process's own files tell.

    Attributes:
        read: whether any of them holds anything.
        phase: the furthest phase seen. whole: the beginning is there.
        passed: phase to the (file, line) that first shows it.
        series: step lines of the last run.
        fatal: the event that ended it, None if none did; fatal_time: its time.
        error_line: whether an error line follows the last sign of progress.
        errors: whether there is any event or error line.
        ended: it says itself that training is complete, or that it left in order.
        sigterm: it says that it ends itself because of the cluster.
        networking_failed: it gave up joining.
        part: whether anything shows that a process of a job wrote them: a record with its time
            or its process, a step, a sign of progress.
    """

    read: bool = False
    phase: str | None = None
    passed: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    whole: bool = False
    series: Series = EMPTY_SERIES
    fatal: Event | None = None
    error_line: bool = False
    errors: bool = False
    ended: bool = False
    sigterm: bool = False
    networking_failed: bool = False
    part: bool = True

    @property
    def last_step(self) -> int | None:
        """The highest step that was printed."""
        return max(self.series.steps, default=None)

    @property
    def complete(self) -> bool:
        """Whether the last of all steps was printed."""
        last, total = self.last_step, self.series.total_steps
        return last is not None and total is not None and last >= total


def read(files: Sequence[LogFile], phases: Mapping[str, str]) -> Own:
    """Read the files of one process, its worker log first; `phases` is landmark to phase."""
    filled = [file for file in files if file.evidence.lines]
    if not filled:
        return Own()
    phase: str | None = "started"
    whole = False
    passed: dict[str, tuple[str, int]] = {}
    for file in filled:
        first = _phases(file, phases)
        whole = whole or _whole(file, first)
        for name, line in first.items():
            phase = marks.later_phase(phase, name)
            passed.setdefault(name, (file.name, line))
    main = next((file for file in filled if file.evidence.series.rows), filled[0])
    series = _since(main.evidence.series, main.run_start)
    if series.rows:
        phase = marks.later_phase(phase, "training")
        if series.lines:
            passed.setdefault("training", (main.name, series.lines[0]))
    told = [file for file in filled if file.role != "cann"] or filled
    sigterm = [hit.line for file in told[:1]
               for hit in marks.hits(file.evidence, "self-sigterm", file.run_start)]
    fatal = _fatal(told[0], min(sigterm, default=None))
    return Own(
        read=True, phase=phase, passed=passed, whole=whole, series=series, fatal=fatal,
        error_line=any(_error_at_end(file) for file in filled),
        errors=any(_errors(file) for file in filled),
        ended=any(marks.seen(file.evidence, name, file.run_start) for file in filled
                  for name in ("training-end", "unregistered")),
        sigterm=bool(sigterm),
        networking_failed=any(marks.seen(file.evidence, "networking-failed", file.run_start)
                              for file in filled),
        part=bool(passed) or bool(series.rows) or any(
            file.evidence.pids or file.evidence.last_time is not None for file in filled))


def own_end(own: Own, end: Exit | None, unregistered: bool, timed_out: bool) -> str | None:
    """The state that the process's own logs and its exit code tell, None if they do not."""
    if end is not None and end.code is not None and (end.code < 0 or end.code > 128):
        if own.sigterm:
            return "killed"
        return "failed" if own.fatal is not None and own.fatal.kind != "native" else "crashed"
    if own.fatal is not None and own.fatal.kind == "native":
        return "crashed"
    complete = own.complete or own.ended
    left_well = complete and unregistered and not timed_out
    if end is not None or (own.fatal is not None and not left_well):
        return "failed"
    if own.sigterm:
        return "killed"
    if own.networking_failed:
        return "failed"
    if complete or unregistered:
        return "finished"
    return None


@dataclass(frozen=True, slots=True)
class Failure:
    """A process that failed or crashed: its last step, its phase, its time (common clock)."""

    last_step: int | None
    phase: str | None
    time: float | None


@dataclass(frozen=True, slots=True)
class Others:
    """What the rest of the job tells of a silent process.

    Attributes:
        failures: of the ranks that failed or crashed.
        silent: number of processes that say nothing of their end.
        kills: its msrun says that it killed the others, or was interrupted.
        unjoined: its msrun was read and does not wait for its workers, so that it kills none.
        still: nobody had printed anything for long when it came to its end.
    """

    failures: Sequence[Failure] = ()
    silent: int = 0
    kills: bool = False
    unjoined: bool = False
    still: bool = False


def silent_end(own: Own, last_time: float | None, others: Others) -> str:
    """`stopped`, `failed` or `killed`, for a silent process of a job that ended badly; `running`
    where nothing proves that what was written is of a job at all.

    It stopped by itself if it is behind those that failed (they waited for it). Else it was
    killed if msrun says so, or if its log ends about when the first of few others failed.
    """
    if not own.part:
        return "running"
    if _behind(own, others):
        return "stopped"
    if own.error_line:
        return "failed"
    if others.kills and not (others.still and not others.failures):
        return "killed"
    if not others.failures or others.unjoined:
        return "stopped"
    times = [failure.time for failure in others.failures if failure.time is not None]
    few = len(others.failures) <= others.silent
    if not times or last_time is None:
        return "killed" if few else "stopped"
    silence = min(times) - last_time
    limit = max(KILL_DELAY, 3 * step_seconds(own.series)) if few else KILL_DELAY / 2
    return "killed" if silence <= limit else "stopped"


def stands_still(everyone: Sequence[Own], silence: float | None, stopped: bool = False) -> bool:
    """Whether a job in training prints nothing for too long; `silence` in seconds, `stopped`:
    somebody put an end to it then."""
    paces = [step_seconds(own.series) for own in everyone if own.series.rows]
    if not paces or silence is None:
        return False
    pace = median(paces)
    least = STANDSTILL_STOPPED if stopped and pace else STANDSTILL
    return silence > max(least, STANDSTILL_STEPS * pace)


def _behind(own: Own, others: Others) -> bool:
    steps = [f.last_step for f in others.failures if f.last_step is not None]
    if steps:
        if own.last_step is not None:
            return own.last_step < min(steps)
        # who is in training and prints no step is on a stage that prints none
        return marks.phase_index(own.phase) < marks.phase_index("training")
    # before training ranks go at their own pace; only a lone straggler says something
    phases = [marks.phase_index(f.phase) for f in others.failures]
    lone = others.silent * 2 <= len(phases)
    return bool(phases) and lone and marks.phase_index(own.phase) < min(phases)


def _phases(file: LogFile, phases: Mapping[str, str]) -> dict[str, int]:
    """Phase to the first line of a file that shows it."""
    first: dict[str, int] = {}
    for key, found in file.evidence.hits.items():
        kind, _, name = key.partition("/")
        phase = phases.get(name) if kind == "landmark" else None
        if phase is None or name.startswith("console-") or not found.hits:
            continue
        if found.hits[-1].line < file.run_start:
            continue
        line = next(hit.line for hit in found.hits if hit.line >= file.run_start)
        first[phase] = min(line, first.get(phase, line))
    return first


def _whole(file: LogFile, first: Mapping[str, int]) -> bool:
    """Whether the log holds its own beginning: a run above, or what the start of a process prints
    before lines of later phases; `first` is what `_phases` gives.

    Of a log that begins while the process joins the cluster nobody can tell what stood above:
    it tries for long, and each attempt looks like the first.
    """
    if file.run_start > 1:
        return True
    evidence = file.evidence
    begun, joining, retry, first_retry = (
        min((hit.line for name in names if (hit := marks.first(evidence, name)) is not None),
            default=math.inf) for names in (_STARTING, _JOINING, _JOINING[-1:], _FIRST_RETRY))
    above = evidence.head[0].line if evidence.head else 1
    if evidence.head and evidence.head[0].time is None:  # a script prints before anything logs
        joining = min(joining, first.get("joined", math.inf))
    if "joined" in first and above < joining and retry == first_retry:
        begun = min(begun, joining)
    later = [line for phase, line in first.items()
             if marks.phase_index(phase) >= marks.phase_index("registered")]
    return begun < math.inf and begun <= min([*later, *evidence.series.lines[:1]],
                                             default=math.inf)


def _since(series: Series, start: int) -> Series:
    """The rows from line `start` on."""
    if start <= 1 or not series.lines or series.lines[0] >= start:
        return series
    at = next((i for i, line in enumerate(series.lines) if line >= start), len(series.lines))
    columns = {name: Column(column.values[at:], column.kinds[at:])
               for name, column in series.columns.items()}
    rows = len(series.steps) - at
    return replace(
        series, steps=series.steps[at:], lines=series.lines[at:], times=series.times[at:],
        columns=columns, rows=rows,
        texts={line: text for line, text in series.texts.items() if line >= start},
        total_steps=series.total_steps if rows else None)


def _fatal(file: LogFile, sigterm: int | None) -> Event | None:
    """The event that ended the process: the last one with no progress after it."""
    evidence = file.evidence
    ignored = {hit.line for hit in marks.hits(evidence, "exception-ignored", file.run_start)}
    progress = _progress_after(evidence, file.run_start)
    ends = [event for event in evidence.events
            if event.line >= file.run_start
            and not ignored & set(range(event.line - 2, event.line + 1))
            and not _went_on(evidence, event, progress)]
    if sigterm is not None:
        ends = [event for event in ends if event.line < sigterm]
    native = [event for event in ends if event.kind == "native"]
    return next(iter(native or ends), None)


def _progress_after(evidence: FileEvidence, start: int) -> int:
    """Last line of a landmark that shows progress."""
    lines = [found.hits[-1].line for name in _PROGRESS
             if (found := evidence.hits.get(f"landmark/{name}")) is not None and found.hits]
    return max((line for line in lines if line >= start), default=0)


def _went_on(evidence: FileEvidence, event: Event, progress: int) -> bool:
    """Whether the process went on after an event.

    Step lines without a time prove nothing: what `print` holds back comes out at the end.
    """
    if progress > event.end_line:
        return True
    series = evidence.series
    if not series.lines or series.lines[-1] <= event.end_line:
        return False
    time = series.times[-1]
    return time is not None and (event.time is None or time > event.time)


def _error_at_end(file: LogFile) -> bool:
    """Whether an error line follows the last sign of progress."""
    evidence = file.evidence
    progress = _progress_after(evidence, file.run_start)
    if evidence.series.lines:
        progress = max(progress, evidence.series.lines[-1])
    return any(hit.line > progress and hit.line >= file.run_start
               and hit.level in ("ERROR", "CRITICAL", None)
               for error in evidence.errors for hit in error.hits)


def _errors(file: LogFile) -> bool:
    if file.run_start == 1:
        return file.evidence.event_count > 0 or file.evidence.error_count > 0 or bool(
            file.evidence.events or file.evidence.errors)
    return any(event.line >= file.run_start for event in file.evidence.events) or any(
        hit.line >= file.run_start for error in file.evidence.errors for hit in error.hits)


def step_seconds(series: Series) -> float:
    """Median time between printed steps, 0.0 if unknown."""
    times = [time for time in series.times if time is not None]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    return median(gaps) if gaps else 0.0

