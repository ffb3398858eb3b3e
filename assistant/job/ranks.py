"""Which rank wrote a file: by what the log states, by its name, by its process.

A worker log's own statement counts first. The number in its name is the rank, unless ranks
were given by the scheduler (several nodes, no --node_rank): then it is only the position
on the node. CANN logs belong to the process in their name; where no worker log shows that
process, the rank in the largest communicator that they speak of is taken.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from assistant.evidence.types import FileEvidence
from assistant.job import marks
from assistant.job.console import Console
from assistant.job.names import base_of, cann_pid, number_in, rank_folder
from assistant.job.types import LogFile


@dataclass(frozen=True, slots=True)
class _Claim:
    """One worker log: the rank that it states, and the number in its name."""

    name: str
    node: str
    stated: int | None
    number: int | None


def assign(files: Sequence[LogFile], consoles: Iterable[Console],
           world: int | None) -> dict[str, int]:
    """File name to rank, for the worker and CANN logs whose rank is known.

    Stale files are given the rank that they claim too, without any say about others.
    """
    named = {(console.node, base): number for console in consoles
             for base, number in console.logs.items()}
    claims = [_claim(file, named) for file in files if file.role in ("worker", "other")]
    stale = {file.name for file in files if file.stale}
    local = _local_folders([c for c in claims if c.name not in stale], consoles)
    ranks = {claim.name: claim.stated for claim in claims if claim.stated is not None}
    ranks |= {claim.name: claim.number for claim in claims
              if claim.stated is None and claim.number is not None and claim.node not in local}
    rest = [c for c in claims if c.name not in ranks and c.name not in stale
            and c.number is not None]
    _by_offset(claims, rest, ranks)
    _by_elimination([c for c in rest if c.name not in ranks], ranks, world)
    ranks |= _cann_ranks(files, ranks, world)
    return ranks | _screen_ranks(files, ranks)


def stated_rank(evidence: FileEvidence, start: int = 1) -> int | None:
    """The one rank that a log states as its own, None where it states none or several."""
    for name in ("rank-stated", "data-rank", "launcher-rank"):
        ranks = {rank for rank in marks.numbers(evidence, name, "rank", start) if rank >= 0}
        if ranks:
            return ranks.pop() if len(ranks) == 1 else None
    return None


def main_pid(evidence: FileEvidence, start: int = 1) -> int | None:
    """The process that wrote a log: who states its rank, else who wrote most records."""
    hit = marks.last(evidence, "rank-stated", start)
    if hit is not None and hit.pid is not None:
        return hit.pid
    named = cann_pid(evidence.name)
    if named is not None:
        return named
    return evidence.pids[0][0] if evidence.pids else None


def only_pid(evidence: FileEvidence) -> int | None:
    """The process that wrote a log, None where several did."""
    return main_pid(evidence) if len(evidence.pids) == 1 else None


def _claim(file: LogFile, named: Mapping[tuple[str, str], int | None]) -> _Claim:
    stated = stated_rank(file.evidence, file.run_start) if file.role == "worker" else None
    if stated is None:
        stated = rank_folder(file.name)
    number = number_in(file.name) if file.role == "worker" else None
    key = (file.node, base_of(file.name))
    if key in named and named[key] is not None:
        number = named[key]
    return _Claim(file.name, file.node, stated, number)


def _local_folders(claims: Iterable[_Claim], consoles: Iterable[Console]) -> set[str]:
    """Folders in which the numbers of the files are positions on the node, not ranks."""
    local = {console.node for console in consoles if console.auto_ranks}
    holders: dict[int, set[str]] = defaultdict(set)
    stated: dict[int, set[str]] = defaultdict(set)
    for claim in claims:
        if claim.stated is not None:
            stated[claim.stated].add(claim.node)
            if claim.number is not None and claim.number != claim.stated:
                local.add(claim.node)
        elif claim.number is not None:
            holders[claim.number].add(claim.node)
    for number, folders in holders.items():
        others = stated.get(number, set())
        if len(folders) > 1 or others - folders:
            local |= folders
    return local


def _by_offset(claims: Iterable[_Claim], rest: Iterable[_Claim], ranks: dict[str, int]) -> None:
    """Where the stated ranks of a folder all lie equally far from the numbers, so do others."""
    offsets: dict[str, set[int]] = defaultdict(set)
    for claim in claims:
        if claim.stated is not None and claim.number is not None:
            offsets[claim.node].add(claim.stated - claim.number)
    for claim in rest:
        if len(offsets[claim.node]) == 1 and claim.number is not None:
            ranks[claim.name] = claim.number + next(iter(offsets[claim.node]))


def _by_elimination(rest: Sequence[_Claim], ranks: dict[str, int], world: int | None) -> None:
    """The unclaimed ranks are those of the one folder whose files state none."""
    if world is None or not rest or len({claim.node for claim in rest}) != 1:
        return
    missing = sorted(set(range(world)) - set(ranks.values()))
    ordered = sorted(rest, key=lambda claim: claim.number or 0)
    numbers = [claim.number for claim in ordered]
    if numbers == list(range(len(missing))) and missing == list(
            range(missing[0], missing[0] + len(missing))):
        for claim, rank in zip(ordered, missing, strict=True):
            ranks[claim.name] = rank


def _cann_ranks(files: Iterable[LogFile], ranks: Mapping[str, int],
                world: int | None) -> dict[str, int]:
    """Ranks of CANN logs: through the process, else as the log states them."""
    cann = [file for file in files if file.role == "cann"]
    if not cann:
        return {}
    by_pid: dict[tuple[str | None, int], set[int]] = defaultdict(set)
    for file in files:
        pid = main_pid(file.evidence, file.run_start) if file.role == "worker" else None
        if pid is not None and file.name in ranks and not file.stale:
            by_pid[file.node, pid].add(ranks[file.name])
            by_pid[None, pid].add(ranks[file.name])
    largest = world or max((n for file in cann for n in _worlds(file.evidence)), default=None)
    found: dict[str, int] = {}
    spoken: dict[tuple[str, int], Counter[int]] = defaultdict(Counter)
    keys = {file.name: (file.node, main_pid(file.evidence) or -1) for file in cann}
    for file in cann:
        spoken[keys[file.name]].update(_spoken_ranks(file.evidence, largest))
    for file in cann:
        node, pid = keys[file.name]
        known = by_pid.get((node, pid)) or by_pid.get((None, pid)) or set()
        if len(known) == 1:
            found[file.name] = next(iter(known))
        elif not known and not by_pid and spoken[node, pid]:
            # the statement that is made most often; the smaller rank of equal ones
            found[file.name] = min(spoken[node, pid].items(), key=lambda c: (-c[1], c[0]))[0]
    return found


def _screen_ranks(files: Iterable[LogFile], ranks: Mapping[str, int]) -> dict[str, int]:
    """Ranks of what one process printed on a screen, where a CANN log shows that process."""
    by_pid = {(file.node, main_pid(file.evidence)): ranks[file.name] for file in files
              if file.role == "cann" and file.name in ranks}
    found: dict[str, int] = {}
    for file in files:
        rank = by_pid.get((file.node, only_pid(file.evidence)))
        if file.role in ("console", "other") and rank is not None and file.name not in ranks:
            found[file.name] = rank
    return found


def _worlds(evidence: FileEvidence) -> tuple[int, ...]:
    return (*marks.numbers(evidence, "hccl-rank", "world"),
            *marks.numbers(evidence, "hccl-world", "world"))


def _spoken_ranks(evidence: FileEvidence, world: int | None) -> Counter[int]:
    """How often a CANN log states which rank of the whole job."""
    sized: Counter[int] = Counter()
    for hit in marks.hits(evidence, "hccl-rank"):
        rank = marks.number(hit, "rank")
        if rank is not None and marks.number(hit, "world") == world:
            sized[rank] += 100  # the size proves that it is the whole job's communicator
    for rank in marks.numbers(evidence, "hccl-local-rank", "rank"):
        if world is None or rank < world:
            sized[rank] += 1
    return sized
