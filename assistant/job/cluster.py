"""The cluster as the scheduler saw it: who registered, who timed out, who left in order.

In the scheduler's words a "node" is a process. Its id is the rank where msrun gave numbers;
without --node_rank it is a name, and the rank is given when the cluster is complete.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from assistant.evidence.types import Hit
from assistant.job import marks
from assistant.job.types import LogFile


@dataclass(frozen=True, slots=True)
class Member:
    """One registered process.

    Attributes:
        host, ip, device: as registered, None where an older version does not print them.
        time: when it registered, on the scheduler's clock.
    """

    host: str | None = None
    ip: str | None = None
    device: int | None = None
    time: float | None = None


@dataclass(frozen=True, slots=True)
class Cluster:
    """What the scheduler's log says.

    Attributes:
        node: folder of the scheduler's log, None if none was read.
        members: rank to its registration.
        ids: id of a process to its rank.
        count, expected: the highest `registered` and `expected` number printed.
        count_line: (file, line) that states the count.
        formed: whether the cluster formed.
        failed: whether the scheduler gave up building it.
        timed_out: rank to the time at which it was declared timed out (0.0 without time).
        unregistered: ranks that left in order.
    """

    node: str | None = None
    members: Mapping[int, Member] = field(default_factory=dict)
    ids: Mapping[str, int] = field(default_factory=dict)
    count: int | None = None
    expected: int | None = None
    count_line: tuple[str, int] | None = None
    formed: bool = False
    failed: bool = False
    timed_out: Mapping[int, float] = field(default_factory=dict)
    unregistered: frozenset[int] = frozenset()

    def registered(self) -> frozenset[int]:
        """Ranks that registered: those whose registration was kept, or all if all came."""
        complete = self.expected is not None and (
            self.formed or (self.count or 0) >= self.expected)
        return frozenset(self.members).union(range(self.expected or 0) if complete else ())


def read(files: Iterable[LogFile]) -> Cluster:
    """The cluster, from the scheduler's log, or from msrun's console where there is none."""
    live = [file for file in files if not file.stale]
    own = [file for file in live if file.role == "scheduler"]
    sources = own or [file for file in live if file.role == "console"]
    ids = _stated_ids(live)
    members: dict[int, Member] = {}
    counts: list[int] = []
    expected: list[int] = []
    lines: list[tuple[int, str, int]] = []
    for file in sources:
        _members(file, ids, members)
        for name in ("node-registered", "cluster-progress"):
            counts += marks.numbers(file.evidence, name, "registered", file.run_start)
            expected += marks.numbers(file.evidence, name, "expected", file.run_start)
            lines += [(number, file.name, hit.line)
                      for hit in marks.hits(file.evidence, name, file.run_start)
                      if (number := marks.number(hit, "registered")) is not None]
    formed = any(marks.seen(file.evidence, name, file.run_start)
                 for file in own for name in ("cluster-formed", "cluster-alive"))
    return Cluster(
        node=own[0].node if own else None,
        members=members,
        ids=ids,
        count=_count(own, counts, members),
        expected=max(expected, default=None),
        count_line=max(lines)[1:] if lines else None,
        formed=formed,
        failed=any(marks.seen(file.evidence, "networking-failed", file.run_start)
                   for file in own),
        timed_out=_timed_out(sources, ids),
        unregistered=frozenset(
            rank for file in sources
            for hit in marks.hits(file.evidence, "node-unregistered", file.run_start)
            if (rank := _rank(marks.text(hit, "node"), ids)) is not None))


def _count(own: Iterable[LogFile], counts: list[int], members: Mapping[int, Member],
           ) -> int | None:
    """How many registered; zero only where the scheduler's log holds its beginning."""
    if counts or members:
        return max([*counts, len(members)])
    begun = any(marks.seen(file.evidence, "scheduler-begin", file.run_start) for file in own)
    return 0 if begun else None


def _stated_ids(files: Iterable[LogFile]) -> dict[str, int]:
    """Ids to ranks as the workers themselves state them."""
    ids: dict[str, int] = {}
    for file in files:
        for hit in marks.hits(file.evidence, "rank-stated", file.run_start):
            node, rank = marks.text(hit, "node"), marks.number(hit, "rank")
            if node is not None and rank is not None:
                ids[node] = rank
    return ids


def _members(file: LogFile, ids: dict[str, int], members: dict[int, Member]) -> None:
    """Add the registrations of one scheduler log to `ids` and `members`."""
    times: dict[str, float | None] = {}
    assigned = marks.hits(file.evidence, "rank-assigned", file.run_start)
    for hit in assigned:
        node, rank = marks.text(hit, "node"), marks.number(hit, "rank")
        if node is not None and rank is not None:
            ids[node] = rank
    for hit in marks.hits(file.evidence, "node-registered", file.run_start):
        node = marks.text(hit, "node") or ""
        stated = marks.number(hit, "rank")
        if node not in ids and stated is not None and stated >= 0 and not assigned:
            ids[node] = stated
        times[node] = hit.time
        rank = _rank(node, ids)
        if rank is not None:
            members[rank] = _member(hit, hit.time)
    for hit in assigned:
        node, rank = marks.text(hit, "node"), marks.number(hit, "rank")
        if node is not None and rank is not None:
            members[rank] = _member(hit, times.get(node))


def _member(hit: Hit, time: float | None) -> Member:
    device = marks.number(hit, "device")
    return Member(marks.text(hit, "host") or None, marks.text(hit, "ip"),
                  device if device is not None and device >= 0 else None, time)


def _timed_out(files: Iterable[LogFile], ids: Mapping[str, int]) -> dict[int, float]:
    found: dict[int, float] = {}
    for file in files:
        for hit in marks.hits(file.evidence, "node-timed-out", file.run_start):
            rank = _rank(marks.text(hit, "node"), ids)
            if rank is not None:
                found.setdefault(rank, hit.time or 0.0)
        for hit in marks.hits(file.evidence, "timed-out-list", file.run_start):
            for node in re.split(r"[\s,'\"]+", marks.text(hit, "nodes") or ""):
                rank = _rank(node, ids)
                if rank is not None:
                    found.setdefault(rank, hit.time or 0.0)
    return found


def _rank(node: str | None, ids: Mapping[str, int]) -> int | None:
    """Rank of a process by its id; a number that nobody explains is the rank itself."""
    if node is None:
        return None
    if node in ids:
        return ids[node]
    return marks.whole(node)
