"""Step lines as rows -> a bounded Series.

All rows are kept up to MAX_ROWS or so. Beyond that the rows are thinned: those stay whose
step is a multiple of a power of two (so that the ranks of a job keep the same steps and can
be compared), and all rows of note: the first and the last ones, those in which a metric is
abnormal or absent (the first few of each kind), and those with the largest values. Which
rows stay depends on the set of rows alone (see bounds.py).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
from itertools import islice
from typing import NamedTuple

from assistant.evidence.series import (
    ABSENT,
    EMPTY_SERIES,
    MAX_ROWS,
    NUMBER,
    Column,
    Series,
)

#: Rows of note: from the start, from the end, of each kind of abnormality of a metric,
#: and with the largest values of a metric.
FIRST_ROWS, LAST_ROWS, ABNORMAL_ROWS, LARGEST_ROWS = 8, 64, 4, 16
#: Metrics that are kept at all, and those that have rows of note of their own.
MAX_METRICS, NOTED_METRICS = 64, 24
#: Abnormalities: absent, not obtained, not applicable, nan, inf, -inf.
_KINDS = 6
#: Rows that are kept by stride alone, so that all together are at most MAX_ROWS.
STRIDED_ROWS = (MAX_ROWS - FIRST_ROWS - LAST_ROWS
                - NOTED_METRICS * (_KINDS * ABNORMAL_ROWS + LARGEST_ROWS))
#: Steps that are all multiples of this are one step, or none that a log could print.
_LAST_STRIDE = 1 << 40
#: Rows that may pile up before they are thinned.
_BUFFER = 4 * MAX_ROWS

#: The metrics that matter most, should there be more than MAX_METRICS.
_MAIN = ("loss", "grad_norm", "lr", "per_step_time", "throughput", "local_norm", "local_loss",
         "device_local_norm", "device_local_loss", "load_balancing_loss", "indexer_loss",
         "loss_scale", "overflow", "global_batch_size", "consumed_samples")
_PRIORITY = {name: place for place, name in enumerate(_MAIN)}

_NOTHING = (ABSENT, 0.0)


class Row(NamedTuple):
    """One step line.

    Attributes:
        line, step, time: as in Series.
        values: metric to (kind, number), see series.py.
        text: the line as logged; None for a row whose text was not kept.
    """

    line: int
    step: int
    time: float | None
    values: Mapping[str, tuple[int, float]]
    text: str | None = None


class SeriesBuilder:
    """Collects rows, in any order, and keeps only what the Series of all of them needs."""

    def __init__(self) -> None:
        self._rows: list[Row] = []
        self._count = 0
        self._stride = 1
        self._total: tuple[int, int | None] = (0, None)

    def add(self, row: Row, total: int | None = None) -> None:
        """Add one row, and the total of steps that its line announces."""
        self._rows.append(row)
        self._count += 1
        if total is not None:
            self._total = max(self._total, (row.line, total))
        if len(self._rows) >= _BUFFER:
            self._rows, self._stride, _ = _thin(self._rows, self._stride)

    def add_series(self, series: Series) -> None:
        """Add the rows of a Series of other lines of the same file."""
        self._rows += _rows_of(series)
        self._count += series.rows
        self._stride = max(self._stride, series.stride)
        if series.total_steps is not None:
            self._total = max(self._total, (series.total_line, series.total_steps))

    def build(self) -> Series:
        """The Series of all rows added so far."""
        if not self._rows:
            return EMPTY_SERIES
        rows, stride, noted = _thin(self._rows, self._stride)
        return Series(
            steps=tuple(row.step for row in rows),
            lines=tuple(row.line for row in rows),
            times=tuple(row.time for row in rows),
            columns={name: _column(rows, name) for name in _metrics(rows, MAX_METRICS)},
            texts={row.line: row.text for row in rows
                   if row.line in noted and row.text is not None},
            total_steps=self._total[1], rows=self._count, total_line=self._total[0],
            stride=stride)


def _thin(rows: list[Row], stride: int) -> tuple[list[Row], int, frozenset[int]]:
    """The rows that stay, by line; the stride that was needed; lines of the rows of note."""
    rows.sort(key=lambda row: row.line)
    noted = frozenset(row.line for row in _noted(rows))
    strided = [row for row in rows if row.step % stride == 0]
    while len(strided) > STRIDED_ROWS and stride < _LAST_STRIDE:
        stride *= 2
        strided = [row for row in strided if row.step % stride == 0]
    lines = noted.union(row.line for row in strided[:STRIDED_ROWS])
    return [row for row in rows if row.line in lines], stride, noted


def _noted(rows: Sequence[Row]) -> Iterable[Row]:
    """The rows of note, some of them several times."""
    yield from rows[:FIRST_ROWS]
    yield from rows[-LAST_ROWS:]
    for name in _metrics(rows, NOTED_METRICS):
        found: dict[str, list[Row]] = {}
        finite: list[tuple[float, int, Row]] = []
        for row in rows:
            kind, number = row.values.get(name, _NOTHING)
            if kind == NUMBER and math.isfinite(number):
                finite.append((number, -row.line, row))
            else:
                what = repr(number) if kind == NUMBER else f"kind {kind}"
                found.setdefault(what, []).append(row)
        for abnormal in found.values():
            yield from islice(abnormal, ABNORMAL_ROWS)
        for _, _, row in nlargest(LARGEST_ROWS, finite, key=lambda entry: entry[:2]):
            yield row


def _metrics(rows: Iterable[Row], limit: int) -> list[str]:
    """Names of the `limit` metrics that matter most, in name order."""
    names = {name for row in rows for name in row.values}
    return sorted(sorted(names, key=lambda n: (_PRIORITY.get(n, len(_PRIORITY)), n))[:limit])


def _column(rows: Sequence[Row], name: str) -> Column:
    cells = [row.values.get(name, _NOTHING) for row in rows]
    return Column(tuple(float(number) if kind == NUMBER else 0.0 for kind, number in cells),
                  bytes(kind for kind, _ in cells))


def _rows_of(series: Series) -> Iterable[Row]:
    columns = series.columns.items()
    for i, line in enumerate(series.lines):
        values = {name: (column.kinds[i], column.values[i]) for name, column in columns
                  if column.kinds[i] != ABSENT}
        yield Row(line, series.steps[i], series.times[i], values, series.texts.get(line))
