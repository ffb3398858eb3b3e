"""What the logs say of the job as a whole: sizes, mode, versions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from assistant.job import marks
from assistant.job.cluster import Cluster
from assistant.job.console import Console
from assistant.job.types import LogFile, Node, Process

_PRODUCTS = ("mindspore", "mindformers", "cann")


def world_size(files: Iterable[LogFile], cluster: Cluster,
               consoles: Iterable[Console]) -> int | None:
    """The number of ranks, by the most trustworthy source that states it.

    In order: the scheduler's expected number, what the workers print, the group of all
    ranks, the launch command, the largest communicator of CANN.
    """
    if cluster.expected is not None:
        return cluster.expected
    live = [file for file in files if not file.stale]
    stated = Counter(world for file in live if file.role != "cann"
                     for world in marks.numbers(file.evidence, "world-size", "world",
                                                file.run_start)[-1:])
    if stated:
        return min(stated, key=lambda world: (-stated[world], world))
    for size in (max((n for file in live for n in _world_group(file)), default=None),
                 max((c.world for c in consoles if c.world is not None), default=None)):
        if size is not None:
            return size
    return max((world for file in live for name in ("hccl-rank", "hccl-world")
                for world in marks.numbers(file.evidence, name, "world", file.run_start)),
               default=None)


def _world_group(file: LogFile) -> list[int]:
    """Size of the group of all ranks, where its creation is printed in full."""
    return [len(re.findall(r"\d+", marks.text(hit, "ranks") or ""))
            for hit in marks.hits(file.evidence, "group-created", file.run_start)
            if "world" in (marks.text(hit, "group") or "") and marks.text(hit, "end") is not None]


def gather(files: Sequence[LogFile], processes: Sequence[Process], nodes: Sequence[Node],
           cluster: Cluster, world: int | None, per_node: int | None,
           stages: int | None) -> dict[str, str | int | float]:
    """The facts of a job; a name is left out where the logs do not say."""
    ranks = [process for process in processes if process.rank is not None]
    with_ranks = [node for node in nodes if node.ranks]
    found: dict[str, str | int | float | None] = {
        "world_size": world,
        "ranks_seen": sum(bool(process.files) for process in ranks),
        "nodes": len(with_ranks or nodes),
        "pipeline_parallel": stages,
        "mode": _mode(files),
        "last_step": max((p.last_step for p in processes if p.last_step is not None),
                         default=None),
        "total_steps": max((p.series.total_steps for p in processes
                            if p.series.total_steps is not None), default=None),
        "registered": cluster.count,
        "expected": cluster.expected,
        "workers_per_node": per_node,
    }
    master, port = _master(files)
    found |= {"master_addr": master, "master_port": port}
    found |= {product: _version(files, product) for product in _PRODUCTS}
    return {name: value for name, value in found.items() if value is not None}


def _master(files: Iterable[LogFile]) -> tuple[str | None, int | None]:
    """Address and port at which most workers seek the scheduler."""
    votes: Counter[tuple[str, int]] = Counter()
    for file in files:
        if file.stale or file.role not in ("worker", "other"):
            continue
        for name in ("connection", "connect-failed"):
            hit = marks.first(file.evidence, name, file.run_start)
            master = marks.text(hit, "master") if hit is not None else None
            port = marks.number(hit, "port") if hit is not None else None
            if master is not None and port is not None:
                votes[master, port] += 1
                break
    return min(votes, key=lambda url: (-votes[url], url)) if votes else (None, None)


def _mode(files: Iterable[LogFile]) -> str | None:
    """`pynative` or `graph`, as most workers state it."""
    votes: Counter[str] = Counter()
    for file in files:
        if file.stale or file.echo or file.role in ("cann", "scheduler"):
            continue
        banner = marks.last(file.evidence, "banner", file.run_start)
        if banner is not None:
            votes[(marks.text(banner, "mode") or "").lower()] += 1
        elif marks.seen(file.evidence, "graph-step", file.run_start):
            votes["graph"] += 1
    return min(votes, key=lambda mode: (-votes[mode], mode)) if votes else None


def _version(files: Iterable[LogFile], product: str) -> str | None:
    """The version of a product that most files state."""
    votes: Counter[str] = Counter()
    for file in files:
        hit = None if file.stale else marks.last(
            file.evidence, f"{product}-version", file.run_start)
        version = marks.text(hit, "version") if hit is not None else None
        if version:
            votes[version.rstrip(".")] += 1
    return min(votes, key=lambda version: (-votes[version], version)) if votes else None
