"""Step lines as rows -> a bounded Series.

All rows are kept up to MAX_ROWS or so. Beyond that the rows are thinned: those stay whose
step is a multiple of a power of two (so that the ranks of a job keep the same steps and can
be compared), and all rows of note: the first and the last ones, those in which a metric is
abnormal or absent (the first few of each kind), those with the largest values, and of the
metrics in which a peak matters the largest one of each stretch of the run: where the loss
falls, the largest values of all stand at the start, and a late spike is far below them.
Which rows stay depends on the set of rows alone (see bounds.py); how many, see keep.py.
"""

from __future__ import annotations

import math
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from heapq import nlargest
from itertools import islice
from typing import NamedTuple

from assistant.evidence.keep import FULL, Keep
from assistant.evidence.series import (
    ABSENT,
    EMPTY_SERIES,
    MAX_ROWS,
    NUMBER,
    Column,
    Series,
)

#: Metrics whose largest value of each stretch is of note: a stretch is as many steps as a
#: power of two says, so that those of two parts of a file fit into one another.
PEAKED = ("loss", "grad_norm", "per_step_time")
#: Metrics that are kept at all, and those that have rows of note of their own.
MAX_METRICS, NOTED_METRICS = 64, 24
#: Steps that are all multiples of this are one step, or none that a log could print.
_LAST_STRIDE = 1 << 40
#: Rows that may pile up before they are thinned.
_BUFFER = 2 * MAX_ROWS

#: The metrics that matter most, should there be more than MAX_METRICS.
_MAIN = ("loss", "grad_norm", "lr", "per_step_time", "throughput", "local_norm", "local_loss",
         "device_local_norm", "device_local_loss", "load_balancing_loss", "indexer_loss",
         "loss_scale", "overflow", "global_batch_size", "consumed_samples")
#: Metrics that grow with every step: their largest values, being the last, are of no note.
_COUNTERS = frozenset(("consumed_samples",))
_PRIORITY = {name: place for place, name in enumerate(_MAIN)}

_NOTHING = (ABSENT, 0.0)
_LOWEST = -sys.float_info.max


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
    """Collects rows and keeps only what the Series of all of them needs."""

    def __init__(self, keep: Keep = FULL) -> None:
        self._keep = keep
        self._rows: list[Row] = []
        self._latest: deque[Row] = deque()
        self._screen: _Screen | None = None
        self._count = 0
        self._stride = self._stretch = 1
        self._total: tuple[int, int | None] = (0, None)

    def add(self, row: Row, total: int | None = None) -> None:
        """Add the row of the next step line, and the total of steps that it announces."""
        self._count += 1
        if total is not None:
            self._total = max(self._total, (row.line, total))
        self._latest.append(row)
        if len(self._latest) <= self._keep.last_rows:
            return
        row = self._latest.popleft()
        if (self._screen is None or row.step % self._stride == 0
                or self._screen.lets_pass(row)):
            self._rows.append(row)
            if len(self._rows) >= _BUFFER:
                self._rows, self._stride, self._stretch, _ = _thin(
                    self._rows, self._stride, self._stretch, self._keep)
                self._screen = _Screen(self._rows, self._stretch, self._keep)

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
        count, totals = self._count, self._total
        rows = [*self._rows, *self._latest]
        if pending is not None:
            count += 1
            rows.append(pending)
            totals = totals if total is None else max(totals, (pending.line, total))
        if not count:
            return EMPTY_SERIES
        rows, stride, stretch, noted = _thin(rows, self._stride, self._stretch, self._keep)
        return Series(
            steps=tuple(row.step for row in rows),
            lines=tuple(row.line for row in rows),
            times=tuple(row.time for row in rows),
            columns={name: _column(rows, name) for name in _metrics(rows, MAX_METRICS)},
            texts={row.line: row.text for row in rows
                   if row.line in noted and row.text is not None},
            total_steps=totals[1], rows=count, total_line=totals[0],
            stride=stride, stretch=stretch)


class _Screen:
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
                       for name, peaks in _peaks(earlier, stretch).items()}
        for name in _noted_metrics(earlier):
            finite, abnormal = _sorted_out(earlier, name)
            largest = nlargest(keep.largest_rows, (number for number, _ in finite))
            self._limits[name] = (largest[-1] if len(largest) == keep.largest_rows
                                  else -math.inf)
            self._enough.update((name, what) for what, rows in abnormal.items()
                                if len(rows) >= keep.abnormal_rows)

    def lets_pass(self, row: Row) -> bool:
        """Whether a later row could be of note."""
        values = row.values
        if self._is_peak(row):
            return True
        for name, limit in self._limits.items():
            kind, number = values.get(name, _NOTHING)
            # Of equal values the first counts. (A comparison with nan is false.)
            if kind == NUMBER and _LOWEST <= number <= limit:
                continue
            if (name, _what(kind, number)) not in self._enough:
                return True
        return not values.keys() <= self._names

    def _is_peak(self, row: Row) -> bool:
        """Whether a value is the largest of its stretch so far, which it then is."""
        place, found = row.step // self._stretch, False
        for name, peaks in self._peaks.items():
            number = _finite(row, name)
            # Of equal values the first counts.
            if number is not None and number > peaks.get(place, -math.inf):
                peaks[place] = number
                found = True
        return found


def _thin(rows: list[Row], stride: int, stretch: int,
          keep: Keep) -> tuple[list[Row], int, int, frozenset[int]]:
    """The rows that stay, by line; the stride and the length of a stretch that were needed;
    lines of the rows of note."""
    rows.sort(key=lambda row: row.line)
    stretch = _stretch(rows, stretch, keep.stretches)
    noted = frozenset(row.line for row in _noted(rows, stretch, keep))
    strided = [row for row in rows if row.step % stride == 0]
    while len(strided) > keep.strided_rows and stride < _LAST_STRIDE:
        stride *= 2
        strided = [row for row in strided if row.step % stride == 0]
    lines = noted.union(row.line for row in strided[:keep.strided_rows])
    return [row for row in rows if row.line in lines], stride, stretch, noted


def _stretch(rows: Iterable[Row], stretch: int, most: int) -> int:
    """The length of a stretch by which the rows with a peak lie in at most so many."""
    # Of every stretch a row stays, its peak: so later lengths do not depend on the others.
    places = {row.step // stretch for row in rows
              if any(_finite(row, name) is not None for name in PEAKED)}
    while len(places) > most and stretch < _LAST_STRIDE:
        stretch *= 2
        places = {place // 2 for place in places}
    return stretch


def _peaks(rows: Iterable[Row], stretch: int) -> dict[str, dict[int, Row]]:
    """Metric to stretch to the row with the largest value there, the first of equal ones."""
    found: dict[str, dict[int, Row]] = {name: {} for name in PEAKED}
    for row in rows:
        for name, peaks in found.items():
            number = _finite(row, name)
            if number is None:
                continue
            best = peaks.get(row.step // stretch)
            if best is None or number > best.values[name][1]:
                peaks[row.step // stretch] = row
    return found


def _finite(row: Row, name: str) -> float | None:
    """The value of a metric, None where it is no finite number."""
    kind, number = row.values.get(name, _NOTHING)
    return number if kind == NUMBER and math.isfinite(number) else None


def _noted(rows: Sequence[Row], stretch: int, keep: Keep) -> Iterator[Row]:
    """The rows of note, some of them several times."""
    yield from rows[:keep.first_rows]
    yield from rows[-keep.last_rows:]
    for peaks in _peaks(rows, stretch).values():
        yield from (peaks[place] for place in sorted(peaks)[:keep.stretches])
    for name in _noted_metrics(rows):
        finite, abnormal = _sorted_out(rows, name)
        for found in abnormal.values():
            yield from islice(found, keep.abnormal_rows)
        for _, row in nlargest(keep.largest_rows, finite, key=_value_then_line):
            yield row


def _value_then_line(entry: tuple[float, Row]) -> tuple[float, int]:
    number, row = entry
    return number, -row.line


def _sorted_out(rows: Iterable[Row],
                name: str) -> tuple[list[tuple[float, Row]], dict[str, list[Row]]]:
    """The finite values of a metric, and the rows of each kind of abnormality."""
    finite: list[tuple[float, Row]] = []
    abnormal: dict[str, list[Row]] = {}
    for row in rows:
        kind, number = row.values.get(name, _NOTHING)
        if kind == NUMBER and math.isfinite(number):
            finite.append((number, row))
        else:
            abnormal.setdefault(_what(kind, number), []).append(row)
    return finite, abnormal


def _what(kind: int, number: float) -> str:
    """What a cell holds: `number`, or the name of its abnormality."""
    if kind != NUMBER:
        return f"kind {kind}"
    return "number" if math.isfinite(number) else repr(number)


def _noted_metrics(rows: Iterable[Row]) -> list[str]:
    """Names of the metrics that have rows of note."""
    return _metrics(rows, NOTED_METRICS, _COUNTERS)


def _metrics(rows: Iterable[Row], limit: int, without: Set[str] = frozenset()) -> list[str]:
    """Names of the `limit` metrics that matter most, in name order."""
    names = {name for row in rows for name in row.values} - without
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
