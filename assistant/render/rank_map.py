"""Ranks that stand alike put together, so that ten thousand of them fit a few lines."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from assistant.report.types import FindingReport, RankRow
from assistant.rules.types import PHASES

#: More lines than this are merged further, without regard to the exact step.
_MOST = 8
#: The order in which states are listed: what went wrong by itself first.
_ORDER = ("crashed", "failed", "stopped", "empty", "absent", "killed", "running", "finished")


@dataclass(frozen=True, slots=True)
class RankGroup:
    """Ranks in one state.

    Attributes:
        ranks: sorted.
        cause: which of the causes is about them (0: the first), None for bystanders.
        state: one of rules.types.STATES.
        steps: lowest and highest last step among them, None where none of them has one.
        phase: how far those without a step got, None if unknown or not the same.
        last_time: latest time at which one of them wrote a line.
        nodes: names, in order of rank. whole_nodes: all ranks of these nodes are here.
        stages: sorted.
    """

    ranks: tuple[int, ...]
    cause: int | None
    state: str
    steps: tuple[int, int] | None
    phase: str | None
    last_time: str | None
    nodes: tuple[str, ...]
    whole_nodes: bool
    stages: tuple[int, ...]


def culprits(causes: Sequence[FindingReport]) -> dict[int, int]:
    """Rank to the index of the first of the causes that is about it."""
    return {rank: index for index, cause in reversed([*enumerate(causes)])
            for rank in cause.ranks}


def group(rows: Sequence[RankRow], blamed: Mapping[int, int]) -> list[RankGroup]:
    """Groups of ranks alike, those of the first cause first.

    `blamed` is what `culprits` gives; where it names every rank, none stands out.
    """
    marked = blamed if any(row.rank not in blamed for row in rows) else {}

    def by_progress(row: RankRow) -> Hashable:
        return marked.get(row.rank), row.state, row.last_step, _phase(row)

    def by_state(row: RankRow) -> Hashable:
        return marked.get(row.rank), row.state

    parts = _split(rows, by_progress)
    if len(parts) > _MOST:
        parts = _split(rows, by_state)
    sizes: dict[str | None, int] = {}
    for row in rows:
        sizes[row.node] = sizes.get(row.node, 0) + 1
    groups = [_group(part, marked.get(part[0].rank), sizes) for part in parts]
    return sorted(groups, key=lambda g: (len(marked) if g.cause is None else g.cause,
                                         _ORDER.index(g.state), g.ranks))


def _split(rows: Iterable[RankRow], key: Callable[[RankRow], Hashable]) -> list[list[RankRow]]:
    parts: dict[Hashable, list[RankRow]] = {}
    for row in rows:
        parts.setdefault(key(row), []).append(row)
    return list(parts.values())


def _group(rows: Sequence[RankRow], cause: int | None, sizes: dict[str | None, int]) -> RankGroup:
    steps = [row.last_step for row in rows if row.last_step is not None]
    phases = {_phase(row) for row in rows}
    nodes = tuple(dict.fromkeys(row.node for row in rows if row.node))
    return RankGroup(
        ranks=tuple(sorted(row.rank for row in rows)), cause=cause, state=rows[0].state,
        steps=(min(steps), max(steps)) if steps else None,
        phase=phases.pop() if len(phases) == 1 else None,
        last_time=max((row.last_time for row in rows if row.last_time), default=None),
        nodes=nodes,
        whole_nodes=len(sizes) > 1 and sum(sizes[node] for node in nodes) == len(rows),
        stages=tuple(sorted({row.stage for row in rows if row.stage is not None})))


def _phase(row: RankRow) -> str | None:
    """How far a rank got, where its last step does not say it better."""
    return row.phase if row.last_step is None and row.phase in PHASES else None
