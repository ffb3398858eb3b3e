"""Tells of most rows, alone or as columns, that they are of no note, given earlier rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from heapq import nlargest
from itertools import groupby
from typing import Protocol

from assistant.evidence.keep import Keep
from assistant.evidence.series import NUMBER
from assistant.evidence.table import what
from assistant.evidence.thinning import (
    LOWEST,
    NOTHING,
    Row,
    finite,
    noted_metrics,
    peaks_of,
    sorted_out,
)


class RowRun(Protocol):
    """Rows that follow one another and hold the same metrics, as columns."""

    @property
    def steps(self) -> Sequence[int]:
        """The step of each row."""

    @property
    def names(self) -> Sequence[str]:
        """Metrics of which each row has a number."""

    @property
    def words(self) -> Mapping[str, tuple[int, float]]:
        """Metrics that have the same value in all rows."""

    def column(self, name: str) -> Sequence[float]:
        """The numbers of one of `names`."""

    def row(self, place: int) -> Row:
        """One row with all that belongs to it."""

    def line(self, place: int) -> int:
        """The line of one row."""

    def last(self, most: int) -> RowRun:
        """The last rows alone, at most so many, to be kept for long."""

    def behind(self, earlier: RowRun) -> RowRun | None:
        """The rows of an earlier run and these as one; None where they are of other kinds."""


class Screen:
    """Tells quickly of most rows that they are of no note, given earlier rows.

    A row passes if it could be of note: it may hold one of the largest values so far, or an
    abnormality of which there are not enough yet, or a metric that was not seen before, or
    be the largest of its stretch so far.
    """

    def __init__(self, earlier: Sequence[Row], stretch: int, keep: Keep) -> None:
        self._names = {name for row in earlier for name in row.values}
        #: metric to the least value that counts no more among the largest
        self._limits: dict[str, float] = {}
        self._enough: set[tuple[str, str]] = set()
        self._stretch = stretch
        #: metric to stretch to the largest value there
        self._peaks = {name: {place: row.values[name][1] for place, row in peaks.items()}
                       for name, peaks in peaks_of(earlier, stretch).items()}
        for name in noted_metrics(earlier):
            numbers, abnormal = sorted_out(earlier, name)
            largest = nlargest(keep.largest_rows, (number for number, _ in numbers))
            self._limits[name] = (largest[-1] if len(largest) == keep.largest_rows
                                  else -math.inf)
            self._enough.update((name, kind) for kind, rows in abnormal.items()
                                if len(rows) >= keep.abnormal_rows)

    def lets_pass(self, row: Row) -> bool:
        """Whether a later row could be of note."""
        values = row.values
        if self._is_peak(row):
            return True
        for name, limit in self._limits.items():
            kind, number = values.get(name, NOTHING)
            # Of equal values the first counts. (A comparison with nan is false.)
            if kind == NUMBER and LOWEST <= number <= limit:
                continue
            if (name, what(kind, number)) not in self._enough:
                return True
        return not values.keys() <= self._names

    def passing(self, run: RowRun, most: int) -> set[int] | None:
        """The places of rows that could be of note, of the first `most` of a run; None: any of
        them could."""
        if not self._names.issuperset((*run.names, *run.words)):
            return None
        found: set[int] = set()
        columns: dict[str, Sequence[float]] = {}
        for name, limit in self._limits.items():
            if name in run.names:
                column = columns[name] = run.column(name)[:most]
                # Printed numbers are never nan; one too large to hold is inf.
                if max(column, default=0.0) > limit or min(column, default=0.0) < LOWEST:
                    found.update(place for place, number in enumerate(column)
                                 if not LOWEST <= number <= limit
                                 and (name, what(NUMBER, number)) not in self._enough)
                continue
            kind, number = run.words.get(name, NOTHING)
            if (not (kind == NUMBER and LOWEST <= number <= limit)
                    and (name, what(kind, number)) not in self._enough):
                return None
        stretches = [step // self._stretch for step in run.steps[:most]]
        for name, peaks in self._peaks.items():
            if name in run.names:
                column = columns.get(name) or run.column(name)
                found.update(_new_peaks(peaks, stretches, column))
        return found

    def _is_peak(self, row: Row) -> bool:
        """Whether a value is the largest of its stretch so far, which it then is."""
        place, found = row.step // self._stretch, False
        for name, peaks in self._peaks.items():
            number = finite(row, name)
            # Of equal values the first counts.
            if number is not None and number > peaks.get(place, -math.inf):
                peaks[place] = number
                found = True
        return found


def _new_peaks(peaks: dict[int, float], stretches: Sequence[int],
               column: Sequence[float]) -> Iterator[int]:
    """Places of the values that are the largest ones of their stretch so far; `peaks` follows."""
    start = 0
    for stretch, rows in groupby(stretches):
        end = start + sum(1 for _ in rows)
        part = column[start:end]
        largest = max(part)
        if largest > peaks.get(stretch, -math.inf):
            if largest == math.inf:  # none that counts, but hides those that do
                yield from range(start, end)
            else:
                peaks[stretch] = largest
                yield start + part.index(largest)
        start = end
