"""The processes of a job: one a rank, and fragments whose rank nobody tells."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from assistant.job import life, lost, marks
from assistant.job.cluster import Cluster
from assistant.job.console import Console
from assistant.job.copies import is_true_name
from assistant.job.life import Failure, Others, Own
from assistant.job.lost import Living
from assistant.job.nodes import Nodes
from assistant.job.ranks import main_pid, only_pid
from assistant.job.runs import begin_time
from assistant.job.stages import NO_STAGES, Stages
from assistant.job.types import Clock, Exit, LogFile, Process


@dataclass(frozen=True, slots=True)
class Draft:
    """A process before it is judged.

    Attributes:
        rank: None for a fragment. files: its files, the worker log first. own: what they
        tell. node: key of its node. exit: what its console says.
    """

    key: str
    rank: int | None
    files: tuple[LogFile, ...]
    own: Own
    node: str | None = None
    exit: Exit | None = None


@dataclass(frozen=True, slots=True)
class World:
    """What is known of the job around a process.

    Attributes:
        registered: ranks that the scheduler took in.
        consoles: node key to the console of its msrun.
        logged: keys of the nodes of which worker logs were read.
        clocks: node key to its clock. stages: how ranks fall into stages.
        lone: all known ranks lie on one node, rank 0 among them.
        scheduler_time: time of the scheduler's last line.
    """

    cluster: Cluster
    nodes: Nodes
    registered: frozenset[int] = frozenset()
    consoles: Mapping[str, Console] = field(default_factory=dict)
    logged: frozenset[str] = frozenset()
    clocks: Mapping[str, Clock] = field(default_factory=dict)
    stages: Stages = NO_STAGES
    lone: bool = False
    scheduler_time: float | None = None


def draft(files: Sequence[LogFile], everyone: Iterable[int], nodes: Nodes,
          phases: Mapping[str, str]) -> list[Draft]:
    """All processes with what their own files tell; files must carry rank and node."""
    by_rank: dict[int, list[LogFile]] = {rank: [] for rank in sorted(everyone)}
    fragments = []
    for file in files:
        if file.stale or file.role == "scheduler":
            continue
        if file.rank is not None:
            by_rank[file.rank].append(file)
        elif not file.echo:
            fragments.append(file)
    drafts = []
    for rank, own_files in by_rank.items():
        ordered = tuple(sorted(own_files, key=_telling))
        drafts.append(Draft(f"rank {rank}", rank, ordered, life.read(ordered, phases),
                            nodes.of_rank.get(rank)))
    cann = {(file.node, main_pid(file.evidence)) for file in fragments if file.role == "cann"}
    owners = {file.name: _fragment(file, cann) for file in fragments}
    fragments.sort(key=lambda file: owners[file.name])
    for _, group in groupby(fragments, key=lambda file: owners[file.name]):
        ordered = tuple(sorted(group, key=_telling))
        drafts.append(Draft(min(file.name for file in ordered), None, ordered,
                            life.read(ordered, phases), ordered[0].node))
    return drafts


def _telling(file: LogFile) -> tuple[bool, bool, bool, bool, float, str]:
    """Sort key: worker logs before CANN logs, copies last, then by name and the latest first."""
    return (file.role == "cann", file.echo, file.evidence.lines == 0, not is_true_name(file.name),
            -(file.evidence.last_time or 0.0), file.name)


def _fragment(file: LogFile, cann: Collection[tuple[str, int | None]]) -> tuple[str, str]:
    """CANN logs of one process belong together, and what it printed on a screen with them;
    any other file stands for itself."""
    pid = main_pid(file.evidence) if file.role == "cann" else only_pid(file.evidence)
    known = pid is not None and (file.node, pid) in cann
    return (file.node, f"pid {pid}" if known else file.name)


def judge(drafts: Sequence[Draft], world: World) -> tuple[Process, ...]:
    """Give every process its state."""
    states = [_first_state(item, world) for item in drafts]
    failures: list[Failure] = []
    for item, state in zip(drafts, states, strict=True):
        if state in ("failed", "crashed") and item.rank is not None:
            failures.append(Failure(item.own.last_step, item.own.phase, _failed_at(item, world)))
    still = _stands_still(drafts, states, world)
    bad = (bool(failures) or bool(world.cluster.timed_out) or world.cluster.failed
           or any(state in ("failed", "crashed", "killed") and _counts(item)
                  for item, state in zip(drafts, states, strict=True))
           or any(c.failed or c.interrupted for c in world.consoles.values())
           or still)
    gone = _lost(drafts, states, world) if not bad else frozenset()
    silent = sum(state is None and item.rank is not None
                 for item, state in zip(drafts, states, strict=True))
    processes = []
    for item, state in zip(drafts, states, strict=True):
        if state is None and not (bad and _counts(item)):
            state = "stopped" if item.key in gone else "running"
        elif state is None:
            console = world.consoles.get(item.node or "")
            others = Others(
                failures, silent,
                kills=console is not None and (console.kills or console.interrupted),
                unjoined=console is not None and not console.joined, still=still)
            state = life.silent_end(item.own, _common(_last_time(item), item.node, world),
                                    others)
        processes.append(_process(item, state or "running", world))
    return tuple(processes)


def _lost(drafts: Sequence[Draft], states: Sequence[str | None], world: World) -> frozenset[str]:
    """Keys of the ranks that were lost while others train on, in a job of which nothing else
    says that it came to a bad end."""
    return lost.lost([
        Living(item.key, item.node, item.own, _common(_last_time(item), item.node, world),
               _common(lost.peer_gone(item.files, item.own), item.node, world))
        for item, state in zip(drafts, states, strict=True)
        if state is None and item.rank is not None])


def _stands_still(drafts: Sequence[Draft], states: Sequence[str | None], world: World) -> bool:
    """Whether the scheduler lived on while nobody who is still in training said anything."""
    silent = [item for item, state in zip(drafts, states, strict=True)
              if state is None and item.rank is not None]
    times = [_common(_last_time(item), item.node, world) for item in drafts
             if item.rank is not None]
    last = max((time for time in times if time is not None), default=None)
    stops = [time for node, console in world.consoles.items() if console.interrupted
             and (time := _common(console.stopped_at, node, world)) is not None]
    alive = max((t for t in (world.scheduler_time, *stops) if t is not None), default=None)
    return bool(silent) and life.stands_still(
        [item.own for item in silent],
        alive - last if alive is not None and last is not None else None, bool(stops))


def _counts(item: Draft) -> bool:
    """Whether a draft is part of the job, and not a file of which nothing is known."""
    return item.rank is not None or any(file.role in ("worker", "cann") for file in item.files)


def _first_state(item: Draft, world: World) -> str | None:
    """The state, None where the process itself does not tell its end."""
    rank, console = item.rank, world.consoles.get(item.node or "")
    unregistered = rank is not None and rank in world.cluster.unregistered
    timed_out = rank is not None and rank in world.cluster.timed_out
    if not item.own.read:
        if item.exit is not None:
            return life.own_end(item.own, item.exit, False, False)
        if item.files:
            return "empty"
        if unregistered:
            return "finished"
        if console is not None and rank in console.logs.values() and item.node not in world.logged:
            return "finished" if console.ok else "killed" if console.kills else "running"
        return "absent"
    state = life.own_end(item.own, item.exit, unregistered, timed_out)
    if state is None and item.own.errors and all(f.role == "cann" for f in item.files):
        return "failed"
    if state is None and console is not None and console.ok:
        return "finished"
    return state


def _failed_at(item: Draft, world: World) -> float | None:
    """When a process failed, on the common clock."""
    fatal = item.own.fatal.time if item.own.fatal is not None else None
    times = [fatal, item.exit.time if item.exit is not None else None, _last_time(item)]
    return _common(next((time for time in times if time is not None), None), item.node, world)


def _common(time: float | None, node: str | None, world: World) -> float | None:
    """A time on the common clock; as it is where the node's clock is unknown."""
    return None if time is None else time - world.clocks.get(node or "", Clock()).offset


def _last_time(item: Draft) -> float | None:
    """Time of the last line of the worker log, or of the CANN logs where there is none."""
    times = [file.evidence.last_time for file in item.files if file.role == item.files[0].role]
    return max((time for time in times if time is not None), default=None)


def _process(item: Draft, state: str, world: World) -> Process:
    rank, own, main = item.rank, item.own, item.files[0] if item.files else None
    evidence = main.evidence if main is not None else None
    cluster, nodes = world.cluster, world.nodes
    phase = own.phase
    local_rank = device = stage = None
    last_stage: bool | None = None
    if rank is not None:
        member = cluster.members.get(rank)
        if rank in world.registered:
            phase = marks.later_phase(phase, "joined" if cluster.formed else "registered")
        console = world.consoles.get(item.node or "")
        if phase is None and console is not None and rank in console.logs.values():
            phase = "joined" if rank in console.pids.values() else "launched"
        local_rank = rank % nodes.per_node if nodes.per_node else None
        if local_rank is None and world.lone:
            local_rank = rank
        device = member.device if member is not None else None
        stage, last_stage = world.stages.of(rank)
    if state == "finished":
        phase = marks.later_phase(phase, "finished")
    device = device if device is not None else _device(item.files)
    tail = evidence.tail if evidence is not None else ()
    return Process(
        key=item.key, rank=rank, node=item.node,
        files=tuple(file.name for file in item.files),
        pid=next((pid for file in item.files if (pid := _pid(file)) is not None),
                 _stated_pid(rank, world.consoles.get(item.node or ""))),
        local_rank=local_rank, device=device, stage=stage, last_stage=last_stage,
        phase=phase, passed=own.passed, whole=own.whole, state=state,
        first_time=_first_time(item.files), last_time=_last_time(item),
        last_step=own.last_step, series=own.series, exit=item.exit,
        last_line=(tail[-1].line, tail[-1].text) if tail else None, errors=own.errors,
        timed_out=cluster.timed_out.get(rank) if rank is not None else None)


def _stated_pid(rank: int | None, console: Console | None) -> int | None:
    """The process id of a rank by the lines that its msrun repeats."""
    pids = console.pids if console is not None else {}
    return next((pid for pid, stated in pids.items() if stated == rank), None)


def _first_time(files: Sequence[LogFile]) -> float | None:
    """Time of the first line of the last run, of the same logs as for the last line."""
    times = [begin_time(file) for file in files if file.role == files[0].role]
    return min((time for time in times if time is not None), default=None)


def _pid(file: LogFile) -> int | None:
    return (only_pid(file.evidence) if file.role == "console"
            else main_pid(file.evidence, file.run_start))


def _device(files: Iterable[LogFile]) -> int | None:
    for file in files:
        for name in ("hccl-rank", "launcher-rank", "hccl-device"):
            devices = [n for n in marks.numbers(file.evidence, name, "device", file.run_start)
                       if n >= 0]
            if devices:
                return devices[0]
    return None
