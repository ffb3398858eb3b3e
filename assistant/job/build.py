"""Evidence -> Job: every file in its place, every rank with its life.

One way: roles and runs of the files, what scheduler and consoles say, ranks, nodes,
clocks, and at last the state of every process. Nothing here looks at text; the landmarks
(rules/landmarks.yaml) have been found by the scan.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace

from assistant.evidence.types import Evidence
from assistant.job import (
    clocks,
    cluster,
    console,
    copies,
    facts,
    marks,
    nodes,
    processes,
    ranks,
    roles,
    runs,
    stages,
)
from assistant.job.console import Console
from assistant.job.names import folder_of
from assistant.job.processes import Draft, World
from assistant.job.types import Exit, Job, LogFile
from assistant.rules.types import Landmark


def build(evidence: Evidence, landmarks: Iterable[Landmark] = ()) -> Job:
    """The job that a set of logs tells of.

    Args:
        evidence: what the files yielded.
        landmarks: those in force, for phases that packs add to the built-in ones.
    """
    files = _files(evidence)
    consoles = console.read(files)
    known = cluster.read(files)
    world = facts.world_size(files, known, consoles)
    rank_of = ranks.assign(files, consoles, world)
    if world is not None:
        files = [replace(file, stale=True) if rank_of.get(file.name, -1) >= world
                 and file.role == "worker" else file for file in files]
    files = [replace(file, rank=rank_of.get(file.name)) for file in files]
    everyone = _everyone(files, known, consoles, world)
    copied = copies.originals(files)
    placed = nodes.place([file for file in files if file.name not in copied], rank_of, everyone,
                         known, consoles, world)
    of_file = placed.of_file
    placed = replace(placed, of_file={
        **of_file, **{name: of_file[original] for name, original in copied.items()}})
    known = replace(known, node=next((placed.of_file[file.name] for file in files
                                      if file.role == "scheduler" and not file.stale), None))
    files = _echoes([replace(file, node=placed.of_file[file.name]) for file in files], copied)
    drafts = processes.draft(files, everyone, placed, marks.phases_of(landmarks))
    by_node = {placed.of_file[item.file]: item for item in consoles}
    drafts = _exits(drafts, consoles, placed.of_file)
    series = {item.rank: item.own.series for item in drafts
              if item.rank is not None and item.own.series.rows}
    found_stages = stages.find(files, series, world)
    found_clocks = clocks.estimate(placed.nodes, files, rank_of, placed.of_rank, series, known)
    logged = frozenset(file.node for file in files if file.role == "worker")
    judged = processes.judge(drafts, World(
        known, placed, known.registered(), by_node, logged, found_clocks, found_stages,
        lone=[node.ranks[0] for node in placed.nodes if node.ranks] == [0],
        scheduler_time=max((file.evidence.last_time for file in files
                            if file.role == "scheduler" and not file.stale
                            and file.evidence.last_time is not None), default=None)))
    times = [time for file in files if not file.stale
             for time in (runs.begin_time(file), file.evidence.last_time) if time is not None]
    return Job(
        evidence=evidence, files=tuple(files), processes=judged, nodes=placed.nodes,
        facts=facts.gather(files, judged, placed.nodes, known, world, placed.per_node,
                           found_stages.count),
        clocks=found_clocks, registered=tuple(sorted(known.registered())),
        formed=known.formed or any(
            marks.seen(file.evidence, "cluster-formed", file.run_start)
            for file in files if not file.stale),
        first_time=min(times, default=None), last_time=max(times, default=None),
        stated=(dict.fromkeys(("registered", "expected"), known.count_line)
                if known.count_line is not None else {}))


def _files(evidence: Evidence) -> list[LogFile]:
    """All files with role, folder and last run, the remains of earlier runs marked."""
    files = []
    for item in sorted(evidence.files, key=lambda item: item.name):
        role = roles.role_of(item)
        run = runs.last_run(item, role)
        files.append(LogFile(item, role, folder_of(item.name), None, run.start, run.number))
    stale = (runs.stale_names(files) | runs.outlived_names(files)
             | runs.other_launches(files))
    return [replace(file, stale=file.name in stale) for file in files]


def _everyone(files: Sequence[LogFile], known: cluster.Cluster, consoles: Sequence[Console],
              world: int | None) -> set[int]:
    """All ranks of which anything is known.

    Ranks without a file are only named where the input is more than one process's log: a
    single log, or a handful of CANN logs, says nothing of the others.
    """
    logged = {file.rank for file in files
              if file.rank is not None and file.role == "worker" and not file.stale}
    everyone = {file.rank for file in files if file.rank is not None and not file.stale}
    everyone |= known.registered() | set(known.timed_out)
    everyone |= {rank for item in consoles for rank in item.logs.values() if rank is not None}
    if world is not None and (known.node is not None or consoles or len(logged) > 1):
        everyone |= set(range(world))
    return everyone


def _echoes(files: Sequence[LogFile], copied: Container[str]) -> list[LogFile]:
    """Mark the files whose lines repeat others: copies, and consoles beside worker logs."""
    logged = {file.node for file in files
              if not file.stale and file.role in ("worker", "scheduler")}
    return [replace(file, echo=file.name in copied or (
        file.role == "console" and file.node in logged)) for file in files]


def _without_pid(drafts: Sequence[Draft], source: Console) -> list[str]:
    """Keys of the workers that an msrun started and that wrote to a log of their own, but were
    gone before any line told their process id."""
    started = set(source.logs.values())
    return [item.key for item in drafts
            if item.rank is not None and item.rank in started
            and any(file.role == "worker" for file in item.files)
            and not any(file.evidence.pids for file in item.files if file.role == "worker")]


def _exits(drafts: Sequence[Draft], consoles: Sequence[Console],
           of_file: Mapping[str, str]) -> list[Draft]:
    """Give the exit codes of the consoles to the processes that they name by pid."""
    named = {item.rank for item in drafts if item.rank is not None}
    holders: dict[tuple[str, int], set[str]] = defaultdict(set)
    touched: dict[tuple[str, int], set[str]] = defaultdict(set)
    for item in drafts:
        for file in item.files:
            if file.role == "console":
                continue
            main = ranks.main_pid(file.evidence, file.run_start)
            if main is not None:
                holders[file.node, main].add(item.key)
            for pid, _ in file.evidence.pids:
                touched[file.node, pid].add(item.key)
    found: dict[str, Exit] = {}
    for source in consoles:
        node = of_file[source.file]
        unknown: list[Exit] = []
        for pid, end in source.exits.items():
            keys = holders.get((node, pid)) or touched.get((node, pid)) or (
                {f"rank {source.pids[pid]}"} if source.pids.get(pid) in named else set())
            if len(keys) == 1:
                found.setdefault(next(iter(keys)), end)
            elif not keys:
                unknown.append(end)
        mute = _without_pid(drafts, source)
        if len(unknown) == len(mute) == 1:  # the others have another process id
            found.setdefault(mute[0], unknown[0])
    return [replace(item, exit=found.get(item.key)) for item in drafts]
