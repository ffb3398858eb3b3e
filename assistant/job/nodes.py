"""Which file lies on which host, and what to call that host.

A node is a folder of logs. Where one folder holds the logs of several hosts (a shared file
system), the scheduler's registrations or the names of the files tell them apart. Ranks
without a file live on the node of their registration, or on the one that their number says.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from assistant.job import marks
from assistant.job.cluster import Cluster
from assistant.job.console import Console
from assistant.job.names import host_in
from assistant.job.ranks import main_pid
from assistant.job.types import LogFile, Node

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Home:
    """A host: its name and address, None where unknown."""

    host: str | None = None
    ip: str | None = None


@dataclass(frozen=True, slots=True)
class Nodes:
    """The nodes, and what lies where.

    Attributes:
        nodes: by key. of_file: file name to key. of_rank: rank to key.
        per_node: ranks a node, None if unknown.
    """

    nodes: tuple[Node, ...] = ()
    of_file: Mapping[str, str] = field(default_factory=dict)
    of_rank: Mapping[int, str] = field(default_factory=dict)
    per_node: int | None = None


def place(files: Sequence[LogFile], ranks: Mapping[str, int], everyone: Iterable[int],
          cluster: Cluster, consoles: Sequence[Console], world: int | None) -> Nodes:
    """Find the nodes of files and ranks.

    Args:
        files: with their folder as `node`.
        ranks: file name to rank.
        everyone: all ranks of the job, also those without a file.
        world: number of ranks, None if unknown.
    """
    homes = _homes(files, ranks, cluster)
    of_file = _split_shared(files, ranks, homes)
    _gather(files, of_file, consoles, {
        home.ip: of_file[file.name] for file in files if file.role == "worker"
        and not file.stale and (home := homes.get(ranks.get(file.name, -1))) is not None
        and home.ip is not None})
    of_rank: dict[int, str] = {}
    for file in files:
        if file.name in ranks and not file.stale:
            of_rank.setdefault(ranks[file.name], of_file[file.name])
    for console in consoles:
        for rank in console.logs.values():
            if rank is not None:
                of_rank.setdefault(rank, of_file[console.file])
    per_node = _per_node(of_rank, cluster, consoles, world)
    _absent(everyone, of_rank, homes, per_node, set(of_file.values()))
    return Nodes(_describe(of_file, of_rank, homes, per_node), of_file, of_rank, per_node)


def same_host(one: Node, other: Node) -> bool:
    """Whether two nodes are known to be one machine."""
    return one.ip is not None and one.ip == other.ip and not _loopback(one.ip)


def _loopback(ip: str | None) -> bool:
    return ip is None or ip.startswith("127.") or ip in ("::1", "0.0.0.0")


def _homes(files: Iterable[LogFile], ranks: Mapping[str, int],
           cluster: Cluster) -> dict[int, Home]:
    """Rank to its host: registration, else the file's name, else the log's own address."""
    homes = {rank: Home(member.host, None if _loopback(member.ip) else member.ip)
             for rank, member in cluster.members.items()
             if member.host is not None or member.ip is not None}
    for file in files:
        rank = ranks.get(file.name)
        if rank is None or rank in homes or file.stale:
            continue
        host, ip = host_in(file.name)
        if ip is None:
            for name in ("connection", "hccl-rank"):
                hit = marks.first(file.evidence, name, file.run_start)
                ip = marks.text(hit, "ip") if hit is not None else None
                if ip is not None:
                    break
        if ip is not None and not _loopback(ip):
            homes[rank] = Home(host, ip)
    return homes


def _split_shared(files: Iterable[LogFile], ranks: Mapping[str, int],
                  homes: Mapping[int, Home]) -> dict[str, str]:
    """File name to node key: the folder, with `@host` where it holds several hosts."""
    held: dict[str, set[Home]] = defaultdict(set)
    for file in files:
        home = homes.get(ranks.get(file.name, -1))
        if home is not None and file.role == "worker" and not file.stale:
            held[file.node].add(home)
    keys: dict[str, str] = {}
    for file in files:
        home = homes.get(ranks.get(file.name, -1))
        if home is not None and len(held[file.node]) > 1:
            several = len({h.host for h in held[file.node]}) == len(held[file.node])
            label = home.host if several and home.host else f"{home.host or ''}{home.ip or ''}"
            keys[file.name] = f"{file.node}@{label}" if label else file.node
        else:
            keys[file.name] = file.node
    return keys


def _gather(files: Sequence[LogFile], of_file: dict[str, str], consoles: Sequence[Console],
            by_ip: Mapping[str, str]) -> None:
    """Files of folders without worker logs go to the node whose processes they name, the
    scheduler's to the node with the address that the workers connect to."""
    workers = [file for file in files if file.role == "worker" and not file.stale]
    settled = {of_file[file.name] for file in workers}
    if not settled:
        return
    by_pid: dict[int, set[str]] = defaultdict(set)
    for file in workers:
        pid = main_pid(file.evidence, file.run_start)
        if pid is not None:
            by_pid[pid].add(of_file[file.name])
    masters = {by_ip[master] for file in workers
               for hit in marks.hits(file.evidence, "connection", file.run_start)[:1]
               if (master := marks.text(hit, "master")) in by_ip and master is not None}
    named = {console.file: {*console.exits, *console.pids} for console in consoles}
    for file in files:
        if of_file[file.name] in settled or file.role not in ("scheduler", "console", "cann"):
            continue
        if file.role == "scheduler":
            found = masters
        else:
            pid = main_pid(file.evidence)
            pids = named.get(file.name, set()) | ({pid} if pid is not None else set())
            found = {key for pid in pids for key in by_pid.get(pid, ())}
        if len(found) == 1:
            of_file[file.name] = next(iter(found))
        elif len(settled) == 1:
            of_file[file.name] = next(iter(settled))


def _per_node(of_rank: Mapping[int, str], cluster: Cluster,
              consoles: Iterable[Console], world: int | None) -> int | None:
    """Ranks a node: as msrun started them, as they registered, as their logs lie."""
    started = {console.local or len(console.logs) for console in consoles
               if console.local or console.logs}
    if len(started) == 1:
        return next(iter(started))
    hosts = Counter((member.host, None if _loopback(member.ip) else member.ip)
                    for member in cluster.members.values() if member.host is not None)
    if hosts and cluster.formed and len(set(hosts.values())) == 1:
        return next(iter(hosts.values()))
    held = Counter(of_rank.values())
    sizes = set(held.values())
    if len(sizes) != 1 or world is None:
        return None
    size = next(iter(sizes))
    whole = len(of_rank) == world
    led = (cluster.node is not None and len(held) == 1 and size > 1
           and min(of_rank) % size == 0)
    return size if world % size == 0 and (whole or led) else None


def _absent(everyone: Iterable[int], of_rank: dict[int, str], homes: Mapping[int, Home],
            per_node: int | None, folders: set[str]) -> None:
    """Give ranks without a file a node: by registration, else by the number of the rank."""
    by_home = {homes[rank]: key for rank, key in of_rank.items() if rank in homes}
    if not of_rank and len(folders) == 1 and len(set(homes.values())) == 1:
        by_home = dict.fromkeys(homes.values(), next(iter(folders)))
    by_index: dict[int, str] = {}
    if per_node:
        for rank, key in of_rank.items():
            by_index.setdefault(rank // per_node, key)
    taken = set(of_rank.values())
    for rank in sorted(set(everyone) - set(of_rank)):
        home = homes.get(rank)
        if home is not None:
            label = home.host or home.ip or ""
            key = by_home.setdefault(home, label if label not in taken else f"@{label}")
        elif per_node:
            index = rank // per_node
            label = f"node {index}"
            key = by_index.setdefault(index, label if label not in taken else f"@{label}")
        else:
            continue
        of_rank[rank] = key


def _describe(of_file: Mapping[str, str], of_rank: Mapping[int, str],
              homes: Mapping[int, Home], per_node: int | None) -> tuple[Node, ...]:
    held: dict[str, list[int]] = defaultdict(list)
    for rank in sorted(of_rank):
        held[of_rank[rank]].append(rank)
    keys = sorted({*of_file.values(), *of_rank.values()})
    found = {key: {homes[rank] for rank in held[key] if rank in homes} for key in keys}
    hosts = {key: _one({home.host for home in found[key]}) for key in keys}
    shared = Counter(host for host in hosts.values() if host is not None)
    nodes = []
    for key in keys:
        index = _one({rank // per_node for rank in held[key]}) if per_node else None
        host = hosts[key]
        label = re.sub(r"(!|\.(zip|t?gz|tar|tar\.\w+|zst|bz2|xz))+$", "", key)
        # Several folders of one host name are told apart by the folder. Of a lone node that
        # nothing names no name is made up.
        name = (label if host is None or shared[host] > 1 else host) or host or (
            f"node {index or 0}" if len(keys) > 1 else "")
        nodes.append(Node(key, name, index, _one({home.ip for home in found[key]}),
                          tuple(held[key])))
    return tuple(nodes)


def _one(values: set[T]) -> T | None:
    """The only value of a set, None where there are several or none."""
    return next(iter(values)) if len(values) == 1 else None
