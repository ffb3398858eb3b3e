"""Hand-made evidence: logs written as a list of what stands in them, line by line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from assistant.evidence.series import NUMBER, Column, Series
from assistant.evidence.types import (
    ErrorLine,
    Event,
    Evidence,
    FileEvidence,
    Hit,
    Line,
    PatternHits,
)
from assistant.job import build
from assistant.job.types import Job, Process

#: Time of the first line of most logs.
T0 = 1_000_000.0


@dataclass
class Log:
    """Builds the evidence of one file; every call adds a line."""

    name: str
    pid: int | None = None
    time: float | None = T0
    line: int = 0
    hits: dict[str, list[Hit]] = field(default_factory=lambda: defaultdict(list))
    rows: list[tuple[int, int, float | None]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    errors: list[ErrorLine] = field(default_factory=list)
    config: dict[str, str] = field(default_factory=dict)
    pids: list[int] = field(default_factory=list)
    total: int | None = 10
    loss_kind: int = NUMBER
    texts: list[str] = field(default_factory=list)

    def plain(self, text: str = "something", after: float = 0.1) -> Log:
        """A line of which nothing is known."""
        self.line += 1
        if self.time is not None:
            self.time += after
        self.texts.append(text)
        return self

    def at(self, time: float | None) -> Log:
        """From here on at this time."""
        self.time = time
        return self

    def mark(self, name: str, text: str = "", pid: int | None = -1, **captures: object) -> Log:
        """A line with a landmark."""
        self.plain(text or name)
        values = tuple(sorted((key, str(value)) for key, value in captures.items()))
        writer = self.pid if pid == -1 else pid
        if writer is not None:
            self.pids.append(writer)
        self.hits[f"landmark/{name}"].append(
            Hit(self.line, text or name, self.time, values, "WARNING", None, writer))
        return self

    def step(self, number: int, after: float = 1.0) -> Log:
        """A step line."""
        self.plain(f"step {number}", after)
        self.rows.append((number, self.line, self.time))
        return self

    def steps(self, last: int, first: int = 1) -> Log:
        """Step lines up to `last`."""
        for number in range(first, last + 1):
            self.step(number)
        return self

    def event(self, kind: str = "traceback", title: str = "RuntimeError") -> Log:
        """An event of three lines."""
        first = self.line + 1
        for _ in range(3):
            self.plain(title, 0.0)
        self.events.append(Event(kind, first, self.line, self.time, title, "no", self.line))
        return self

    def error(self, text: str = "failed") -> Log:
        """An error line."""
        self.plain(text)
        self.errors.append(ErrorLine(text, 1, (Hit(self.line, text, self.time, level="ERROR"),)))
        return self

    def started(self, rank: int, world: int = 4, node: str | None = None) -> Log:
        """What a worker prints from the banner to the start of training."""
        return (self.mark("banner", pid=None, mode="PYNATIVE")
                .mark("topology-retry", "Topology build timed out., retry(1/120)", limit=120)
                .mark("cluster-formed")
                .mark("rank-stated", node=rank if node is None else node, rank=rank)
                .mark("communication-initialised", pid=None)
                .mark("world-size", pid=None, world=world)
                .mark("building", pid=None)
                .mark("training-start", pid=None))

    def done(self) -> FileEvidence:
        """The evidence."""
        tables = {key: PatternHits(len(found), tuple(found[:32] + found[32:][-8:]),
                                   tuple(_distinct(found)[:4096]))
                  for key, found in self.hits.items()}
        count = {pid: self.pids.count(pid) for pid in self.pids}
        lines = [Line(n + 1, text, None) for n, text in enumerate(self.texts)]
        return FileEvidence(
            name=self.name, size=self.line * 50, lines=self.line,
            first_time=T0_of(self), last_time=self.time if self.line else None,
            head=tuple(lines[:5]), tail=tuple(lines[-10:]),
            pids=tuple(sorted(count.items(), key=lambda item: (-item[1], item[0]))),
            hits=tables, events=tuple(self.events), event_count=len(self.events),
            errors=tuple(self.errors), error_count=len(self.errors), config=self.config,
            series=self._series())

    def _series(self) -> Series:
        if not self.rows:
            return Series()
        steps, lines, times = zip(*self.rows, strict=True)
        column = Column(tuple(0.0 for _ in steps), bytes([self.loss_kind] * len(steps)))
        return Series(steps, lines, times, {"loss": column}, {}, self.total, len(steps))


def T0_of(log: Log) -> float | None:
    """Time of the first line that carries one."""
    times = [hit.time for found in log.hits.values() for hit in found if hit.time is not None]
    times += [time for _, _, time in log.rows if time is not None]
    return min(times) if times else (log.time if log.line else None)


def _distinct(hits: Sequence[Hit]) -> list[Hit]:
    seen: dict[tuple[tuple[str, str], ...], Hit] = {}
    for hit in hits:
        if hit.captures:
            seen.setdefault(hit.captures, hit)
    return list(seen.values())


def worker(rank: int, world: int = 4, folder: str = "msrun_log/", pid: int | None = None,
           start: float = T0) -> Log:
    """A worker log up to the start of training."""
    log = Log(f"{folder}worker_{rank}.log", 100 + rank if pid is None else pid, start)
    return log.started(rank, world)


def scheduler(ranks: Iterable[int], expected: int = 4, folder: str = "msrun_log/",
              host: str = "node-a", ip: str = "127.0.0.1", per_host: int | None = None,
              start: float = T0) -> Log:
    """A scheduler log with registrations; with `per_host`, ranks lie on hosts in turn."""
    log = Log(f"{folder}scheduler.log", 99, start)
    log.mark("banner", pid=None, mode="PYNATIVE").mark("scheduler-begin")
    ranks = list(ranks)
    for count, rank in enumerate(ranks, 1):
        index = rank // per_host if per_host else None
        log.mark("node-registered", node=rank, role="MS_WORKER", rank=rank,
                 device=rank % per_host if per_host else rank,
                 host=host if index is None else f"host-{index}",
                 ip=ip if index is None else f"192.0.2.{index + 1}",
                 registered=count, expected=expected)
    if len(ranks) == expected:
        log.mark("cluster-formed").mark("cluster-alive", alive=expected)
    return log


def job_of(*logs: Log | FileEvidence) -> Job:
    """The job of some logs."""
    return build(Evidence(tuple(log.done() if isinstance(log, Log) else log for log in logs)))


def states(job: Job) -> dict[int, str]:
    """Rank to state."""
    return {p.rank: p.state for p in job.processes if p.rank is not None}


def process(job: Job, rank: int) -> Process:
    """The process of a rank."""
    return next(p for p in job.processes if p.rank == rank)
