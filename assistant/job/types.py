"""The job as rules speak of it: nodes, ranks, stages, the life of each process, the clocks.

Built from evidence alone; nothing here is changed after it is built. Times are those of
evidence (wall clock read as UTC, see assistant/evidence/types.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from assistant.evidence.series import EMPTY_SERIES, Series
from assistant.evidence.types import Evidence, FileEvidence


@dataclass(frozen=True, slots=True)
class LogFile:
    """One file in its place in the job.

    Attributes:
        evidence: what it yielded.
        role: `scheduler`, `worker`, `console`, `cann` (plog, device log) or `other`.
        node: key of its node.
        rank: global rank, None where neither name nor content tells.
        run_start: first line of the last run in it (1 unless runs were appended).
        runs: how many runs it holds.
        echo: its lines repeat files that were read too (msrun's console, the logger's
            own copy): its worker and scheduler lines are not counted again.
        stale: it belongs to an earlier job than its neighbours.
    """

    evidence: FileEvidence
    role: str
    node: str
    rank: int | None = None
    run_start: int = 1
    runs: int = 1
    echo: bool = False
    stale: bool = False

    @property
    def name(self) -> str:
        return self.evidence.name


@dataclass(frozen=True, slots=True)
class Exit:
    """How msrun's console says that a process ended.

    Attributes: code: exit code, negative for a signal, None if not printed. time, file,
    line: of the console's line.
    """

    code: int | None
    time: float | None
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Process:
    """One worker process: a rank, or a fragment whose rank nobody tells (`rank` None).

    Attributes:
        key: `rank 3`, or the file's name for a fragment.
        node: key of the node it runs on, None if unknown.
        files: names of its files; the worker log first.
        local_rank, device: on its node, where known.
        stage: pipeline stage, None if unknown. last_stage: whether it is on the last one.
        phase: furthest of rules.types.PHASES that was seen; None: no sign of life.
        passed: phase to the (file, line) that first shows it, of phases that a line shows.
        whole: its log holds its own beginning.
        state: one of rules.types.STATES:
            finished: it trained to the end or left the cluster in order;
            failed: it ended with an exception or a fatal error of its own;
            crashed: a signal or a crash dump ended it;
            killed: msrun or the framework ended it because of another process;
            stopped: its log stops without a word while the job came to a bad end;
            running: nothing says that it ended;
            empty: its file holds nothing; absent: there is no file.
        exit: what msrun's console says of its end.
        last_line: number and text of its last line, where a file was read.
        errors: True when its log holds an exception, an error block or an error line.
        timed_out: time at which the scheduler declared it timed out (0.0 if without time).
    """

    key: str
    rank: int | None = None
    node: str | None = None
    files: tuple[str, ...] = ()
    pid: int | None = None
    local_rank: int | None = None
    device: int | None = None
    stage: int | None = None
    last_stage: bool | None = None
    phase: str | None = None
    passed: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    whole: bool = False
    state: str = "running"
    first_time: float | None = None
    last_time: float | None = None
    last_step: int | None = None
    series: Series = EMPTY_SERIES
    exit: Exit | None = None
    last_line: tuple[int, str] | None = None
    errors: bool = False
    timed_out: float | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """One host.

    Attributes:
        key: folder that holds its logs, relative to the input; `` for a single one.
        name: what to call it: host name if the logs tell and it is not that of another
            node, else the folder, else `node <n>`; `` for a lone node that nothing names.
        index: position in the job (its ranks are index*local .. ), None if unknown.
        ip: address, None if unknown.
        ranks: global ranks that live there.
    """

    key: str
    name: str
    index: int | None = None
    ip: str | None = None
    ranks: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Clock:
    """Offset of one node's clock against the reference node, in seconds.

    Attributes: offset: to subtract from the node's times. error: half-width within which
    the offset is believed; infinite where no shared event was found.
    """

    offset: float = 0.0
    error: float = float("inf")


@dataclass(frozen=True, slots=True)
class Job:
    """One launch.

    Attributes:
        files: all that were read, sorted by name.
        processes: one a rank, sorted (also ranks without a file); then fragments.
        facts: name to text or number: world_size, ranks_seen, nodes, pipeline_parallel,
            mode, last_step, total_steps, registered, expected, workers_per_node,
            master_addr, master_port, mindspore, mindformers, cann; a name is absent where
            the logs do not say.
        stated: fact to the (file, line) that states it, where one line does.
        clocks: node key to its clock.
        registered: ranks that the scheduler registered.
        formed: whether the cluster is known to have formed.
    """

    evidence: Evidence
    files: tuple[LogFile, ...]
    processes: tuple[Process, ...]
    nodes: tuple[Node, ...]
    facts: Mapping[str, str | int | float] = field(default_factory=dict)
    clocks: Mapping[str, Clock] = field(default_factory=dict)
    registered: tuple[int, ...] = ()
    formed: bool = False
    first_time: float | None = None
    last_time: float | None = None
    stated: Mapping[str, tuple[str, int]] = field(default_factory=dict)

    def ranks(self) -> tuple[Process, ...]:
        """The processes whose rank is known, by rank."""
        return tuple(p for p in self.processes if p.rank is not None)
