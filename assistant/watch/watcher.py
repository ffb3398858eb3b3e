"""The watch itself: look at the files, ask the rules, tell what is new, until it is over.

What is told of must have held in two looks one after the other: the logs of the ranks are
written at different moments, and one look sees some of them ahead of the others. Should the
logs not bear out later what was told, that is told, too.
"""

from __future__ import annotations

import operator
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from assistant.diagnose.types import Diagnosis
from assistant.evidence.types import Evidence
from assistant.job.types import Job
from assistant.pipeline import Knowledge
from assistant.report.types import FindingReport, Report
from assistant.watch import progress
from assistant.watch.events import Ended, Event, Found, Moving, Stalled, Status, Tick, Withdrawn
from assistant.watch.folder import Folder

#: A look at a large job takes long: at most this share of the time is spent on looking.
_SHARE = 0.2
#: A finding is the same although its numbers (a step, ranks) have changed.
_NUMBERS = re.compile(r"[\d\s,.-]+")


@dataclass(frozen=True, slots=True)
class Plan:
    """How to watch.

    Attributes:
        lang: of the findings.
        interval: seconds between two looks.
        until: `ended`, `failed` (it failed, hangs or stalls) or `finding` (the first one).
        timeout: seconds after which the watch is over, None: never.
        stall: seconds without progress that are too many, None: by what a step usually takes.
        settle: seconds without a new byte after which a job whose processes have all ended is
            over.
    """

    lang: str = "en"
    interval: float = 2.0
    until: str = "ended"
    timeout: float | None = None
    stall: float | None = None
    settle: float = 10.0


class Watch:
    """One watch over some paths; iterate over it for what there is to tell.

    Args:
        knowledge: the rules. folder: the files. plan: how to watch.
        clock: gives seconds that only grow. sleep: waits for so many; default: until `stop`.
        tick: seconds after which Tick is told between two looks, None: never.

    Attributes:
        report: the latest one, None before the first look.
    """

    def __init__(self, knowledge: Knowledge, folder: Folder, plan: Plan,
                 clock: Callable[[], float] = time.monotonic,
                 sleep: Callable[[float], object] | None = None,
                 tick: float | None = None) -> None:
        self._knowledge = knowledge
        self._folder = folder
        self._plan = plan
        self._clock = clock
        self._stopped = threading.Event()
        self._sleep = sleep or self._stopped.wait
        self._tick = tick
        self._started = clock()
        self._pace = progress.Pace(self._started, plan.stall)
        self._told = _Told()
        self._stalled = False
        self._job: Job | None = None
        self._judged: tuple[Evidence, Report, Diagnosis] | None = None
        self._verdicts: list[str] = []
        self.report: Report | None = None

    def __iter__(self) -> Iterator[Event]:
        """Everything as it happens; the last event is Ended."""
        why = ""
        while not why:
            before = self._clock()
            yield from self._look()
            why = self._over()
            if not why and not self._folder.pending:
                spent = self._clock() - before
                yield from self._rest(max(self._plan.interval, spent / _SHARE - spent))
                why = "interrupted" if self._stopped.is_set() else ""
        yield Ended(why, self.final(), self._stalled)

    def stop(self) -> None:
        """End the watch at the next moment; may be called from a signal handler."""
        self._stopped.set()

    def final(self) -> Report:
        """The report on all that was read, as if nothing more would come."""
        report, _ = self._judge(ended=True)
        return report

    def failed(self) -> bool:
        """Whether the job is known to have failed or to hang, or stands still."""
        return self._stalled or (len(self._verdicts) == 2 and all(
            verdict in ("failed", "hung") for verdict in self._verdicts))

    def _rest(self, seconds: float) -> Iterator[Event]:
        """Wait until the next look."""
        if self._tick is None:
            self._sleep(seconds)
            return
        end = self._clock() + seconds
        while (left := end - self._clock()) > 0 and not self._stopped.is_set():
            self._sleep(min(left, self._tick))
            if self._job is not None and self.report is not None and left > self._tick:
                yield Tick(self._status(self.report, self._job))

    def _look(self) -> Iterator[Event]:
        _, changes = self._folder.look()
        yield from changes
        if self._folder.pending and self.report is not None:
            return  # it is still catching up
        report, diagnosis = self._judge()
        self.report, self._job = report, diagnosis.job
        self._verdicts = [*self._verdicts[-1:], report.verdict]
        yield from self._told.of(report)
        yield from self._moves(report, diagnosis.job)
        yield self._status(report, diagnosis.job)

    def _judge(self, *, ended: bool = False) -> tuple[Report, Diagnosis]:
        evidence = self._folder.evidence(ended=ended)
        if self._judged is not None and _is_same(self._judged[0], evidence):
            return self._judged[1:]
        diagnosis = self._knowledge.diagnose(evidence)
        report = self._knowledge.report(diagnosis, evidence, self._plan.lang)
        self._judged = evidence, report, diagnosis
        return report, diagnosis

    def _moves(self, report: Report, job: Job) -> Iterator[Event]:
        """Whether it goes on or stands still, when that changes."""
        now = self._clock()
        stood = self._pace.see(report.job.last_step, progress.usual_step(job), now)
        if stood is not None and self._stalled:
            self._stalled = False
            yield Moving(stood)
        still = self._pace.still(now)
        still = now - max(self._folder.grown, self._started) if still is None else still
        if (not self._stalled and self._folder.count and still > self._pace.limit()
                and not progress.has_ended(job)):
            self._stalled = True
            yield Stalled(still, progress.usual_step(job), report.job.last_step)

    def _status(self, report: Report, job: Job) -> Status:
        now = self._clock()
        return Status(
            report.verdict, report.inputs.files, report.inputs.bytes, report.job.last_step,
            report.job.total_steps, progress.last_value(job, "loss"),
            progress.last_value(job, "per_step_time"), progress.last_value(job, "throughput"),
            progress.states(job), now - self._folder.grown, self._pace.still(now))

    def _over(self) -> str:
        """Why the watch is over; empty if it is not."""
        now = self._clock()
        if self._stopped.is_set():
            return "interrupted"
        if self._plan.until == "failed" and self.failed():
            return "until"
        if self._plan.until == "finding" and (self._told.any() or self._stalled):
            return "until"
        if (self._job is not None and progress.has_ended(self._job)
                and now - self._folder.grown >= self._plan.settle):
            return "ended"
        if self._plan.timeout is not None and now - self._started >= self._plan.timeout:
            return "timeout"
        return ""


class _Told:
    """The findings of which was told, and those that wait to be confirmed."""

    def __init__(self) -> None:
        self._told: dict[tuple[str, str], FindingReport] = {}
        self._before: set[tuple[str, str]] = set()
        self._missed: set[tuple[str, str]] = set()

    def any(self) -> bool:
        return bool(self._told)

    def of(self, report: Report) -> Iterator[Event]:
        """What is to be told of, given the findings that hold now."""
        held = {_identity(finding): finding for finding in report.findings
                if finding.role != "note" and finding.severity != "info"}
        for key, finding in held.items():
            if key in self._before and key not in self._told:
                self._told[key] = finding
                yield Found(finding)
        gone = self._told.keys() - held.keys()
        for key in sorted(gone & self._missed):
            finding = self._told.pop(key)
            yield Withdrawn(finding.rule, finding.title)
        self._before, self._missed = set(held), set(gone)


def _is_same(one: Evidence, other: Evidence) -> bool:
    """Whether nothing was scanned between two looks (equal evidence of a file is one object)."""
    return (len(one.files) == len(other.files) and one.skipped == other.skipped
            and all(map(operator.is_, one.files, other.files)))


def _identity(finding: FindingReport) -> tuple[str, str]:
    return finding.rule, _NUMBERS.sub(" ", finding.title)
