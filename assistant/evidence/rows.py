"""Step lines as rows -> a bounded Series.

All rows are kept up to MAX_ROWS or so. Beyond that the rows are thinned (see thinning.py).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from assistant.evidence.keep import FULL, Keep
from assistant.evidence.screen import RowRun, Screen
from assistant.evidence.series import ABSENT, EMPTY_SERIES, MAX_ROWS, NUMBER, Column, Series
from assistant.evidence.table import of_series, picked
from assistant.evidence.thinning import (
    MAX_METRICS,
    NOTHING,
    Row,
    choose,
    metrics,
    most_telling,
    thin,
)

__all__ = ["Row", "RowRun", "SeriesBuilder", "thinned"]

#: Rows that may pile up before they are thinned.
_BUFFER = 2 * MAX_ROWS


class SeriesBuilder:
    """Collects rows and keeps only what the Series of all of them needs."""

    def __init__(self, keep: Keep = FULL) -> None:
        self._keep = keep
        self._rows: list[Row] = []
        self._latest: deque[Row] = deque()
        # The last rows, behind those of `_latest`, while they are still a run.
        self._tail: RowRun | None = None
        self._screen: Screen | None = None
        self._count = 0
        self._stride = self._stretch = 1
        self._total: tuple[int, int | None] = (0, None)

    @property
    def count(self) -> int:
        """How many rows were added."""
        return self._count

    def add(self, row: Row, total: int | None = None) -> None:
        """Add the row of the next step line, and the total of steps that it announces."""
        self._count += 1
        if total is not None:
            self._total = max(self._total, (row.line, total))
        self._untail()
        self._append(row)

    def add_run(self, run: RowRun, total: int) -> None:
        """Add rows with lines of their own, the total being that of the last one.

        The result is that of adding them one by one; most rows are never made.
        """
        self._count += len(run.steps)
        self._total = max(self._total, (run.line(len(run.steps) - 1), total))
        if self._tail is not None:
            joined = run.behind(self._tail)
            if joined is None:
                self._untail()
            else:
                run, self._tail = joined, None
        steps = run.steps
        # The rows that are none of the last ones: those go through the screen later.
        leaving = max(0, len(steps) - self._keep.last_rows)
        while self._latest and len(self._latest) + len(steps) > self._keep.last_rows:
            self._screened(self._latest.popleft())
        passing = None if self._screen is None else self._screen.passing(run, leaving)
        if passing is None:
            for place in range(len(steps)):
                self._append(run.row(place))
            return
        strided = (place for place in range(leaving) if steps[place] % self._stride == 0)
        for place in sorted(passing.union(strided)):
            self._retain(run.row(place))
        self._tail = run.last(self._keep.last_rows)

    def _untail(self) -> None:
        """Make rows of the last ones of a run."""
        tail, self._tail = self._tail, None
        if tail is not None:
            for place in range(len(tail.steps)):
                self._append(tail.row(place))

    def _append(self, row: Row) -> None:
        self._latest.append(row)
        if len(self._latest) > self._keep.last_rows:
            self._screened(self._latest.popleft())

    def _screened(self, row: Row) -> None:
        """Take a row that is none of the last ones any more, if it may be of note."""
        if (self._screen is None or row.step % self._stride == 0
                or self._screen.lets_pass(row)):
            self._retain(row)

    def _retain(self, row: Row) -> None:
        self._rows.append(row)
        if len(self._rows) >= _BUFFER:
            self._rows, self._stride, self._stretch, _ = thin(
                self._rows, self._stride, self._stretch, self._keep)
            self._screen = Screen(self._rows, self._stretch, self._keep)

    def add_series(self, series: Series) -> None:
        """Add the rows of a Series of other lines of the same file."""
        self._rows += _rows_of(series)
        self._count += series.rows
        self._stride = max(self._stride, series.stride)
        self._stretch = max(self._stretch, series.stretch)
        if series.total_steps is not None:
            self._total = max(self._total, (series.total_line, series.total_steps))

    def build(self, pending: Row | None = None, total: int | None = None) -> Series:
        """The Series of all rows added so far, and of one that will yet be added."""
        self._untail()
        count, totals = self._count, self._total
        rows = [*self._rows, *self._latest]
        if pending is not None:
            count += 1
            rows.append(pending)
            totals = totals if total is None else max(totals, (pending.line, total))
        if not count:
            return EMPTY_SERIES
        rows, stride, stretch, noted = thin(rows, self._stride, self._stretch, self._keep)
        return Series(
            steps=tuple(row.step for row in rows),
            lines=tuple(row.line for row in rows),
            times=tuple(row.time for row in rows),
            columns={name: _column(rows, name) for name in metrics(rows, MAX_METRICS)},
            texts={row.line: row.text for row in rows
                   if row.line in noted and row.text is not None},
            total_steps=totals[1], rows=count, total_line=totals[0],
            stride=stride, stretch=stretch)


def thinned(series: Series, keep: Keep) -> Series:
    """What a SeriesBuilder with this `keep` makes of the rows of a series."""
    if any(line > following for line, following in pairwise(series.lines)):
        builder = SeriesBuilder(keep)
        builder.add_series(series)
        return builder.build()
    places, stride, stretch, noted = choose(of_series(series), series.stride, series.stretch, keep)
    columns = {name: picked(column, places) for name, column in series.columns.items()}
    present = {name for name, column in columns.items() if any(column.kinds)}
    lines = [series.lines[place] for place in places]
    return replace(
        series, steps=[series.steps[place] for place in places], lines=lines,
        times=[series.times[place] for place in places],
        columns={name: columns[name] for name in most_telling(present, MAX_METRICS)},
        texts={line: text for line, text in series.texts.items() if line in noted},
        stride=stride, stretch=stretch)


def _column(rows: Sequence[Row], name: str) -> Column:
    cells = [row.values.get(name, NOTHING) for row in rows]
    return Column(tuple(float(number) if kind == NUMBER else 0.0 for kind, number in cells),
                  bytes(kind for kind, _ in cells))


def _rows_of(series: Series) -> Iterable[Row]:
    columns, texts = series.columns.items(), dict(series.texts.items())
    for i, line in enumerate(series.lines):
        values = {name: (column.kinds[i], column.values[i]) for name, column in columns
                  if column.kinds[i] != ABSENT}
        yield Row(line, series.steps[i], series.times[i], values, texts.get(line))
