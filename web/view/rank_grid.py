"""The rank map: a cell a rank, in blocks by stage (or by node), readable without colour.

Up to FEW ranks each cell is an element that shows number and sign. Beyond, a block is one
drawing in which neighbours that stand alike are one rectangle filled with a pattern of signs:
ten thousand ranks of a healthy job are a few rectangles.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from assistant.render.phrases import blamed
from assistant.render.rank_map import culprits
from assistant.report.types import RankRow, Report

FEW = 256
#: Cells of one row of a large drawing.
COLUMNS = 64
#: One sign a state, none like another.
SIGNS = {"finished": "✓", "running": "▸", "failed": "✕", "crashed": "!", "killed": "–",
         "stopped": "■", "absent": "?", "empty": "∅"}


@dataclass(frozen=True, slots=True)
class Cell:
    """One rank: its sign, and whether the cause is about it."""

    row: RankRow
    sign: str
    blamed: bool


@dataclass(frozen=True, slots=True)
class Run:
    """Cells side by side that stand alike: column, row, how many."""

    x: int
    y: int
    width: int
    state: str
    blamed: bool
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Block:
    """Ranks of one stage or node. `cells` for few ranks, `runs` and `rows` for many."""

    stage: int | None
    node: str | None
    first: int
    last: int
    count: int
    cells: tuple[Cell, ...]
    runs: tuple[Run, ...]
    rows: int


def blocks(report: Report) -> list[Block]:
    """The map of a report's ranks."""
    marked = culprits(blamed(report))
    if all(row.rank in marked for row in report.ranks):
        marked = {}
    few = len(report.ranks) <= FEW
    staged = len({row.stage for row in report.ranks}) > 1
    groups: dict[Hashable, list[RankRow]] = {}
    for row in report.ranks:
        groups.setdefault(row.stage if staged else row.node if few else None, []).append(row)
    return [_block(rows, staged, few, marked) for rows in groups.values()]


def _block(rows: Sequence[RankRow], staged: bool, few: bool, marked: dict[int, int]) -> Block:
    nodes = {row.node for row in rows}
    return Block(
        stage=rows[0].stage if staged else None,
        node=rows[0].node if len(nodes) == 1 else None,
        first=rows[0].rank, last=rows[-1].rank, count=len(rows),
        cells=tuple(Cell(row, SIGNS[row.state], row.rank in marked) for row in rows)
        if few else (),
        runs=() if few else tuple(_runs(rows, marked)),
        rows=-(-len(rows) // COLUMNS))


def _runs(rows: Sequence[RankRow], marked: dict[int, int]) -> Iterator[Run]:
    start = 0
    for index in range(1, len(rows) + 1):
        here = rows[start]
        if index < len(rows) and index % COLUMNS and (
                rows[index].state, rows[index].rank in marked) == (
                here.state, here.rank in marked):
            continue
        yield Run(start % COLUMNS, start // COLUMNS, index - start, here.state,
                  here.rank in marked, here.rank, rows[index - 1].rank)
        start = index
