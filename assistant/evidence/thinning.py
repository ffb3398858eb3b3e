"""Which rows of a Series stay when they are too many.

Those stay whose step is a multiple of a power of two (so that the ranks of a job keep the same
steps and can be compared), and all rows of note: the first and the last ones, those in which a
metric is abnormal or absent (the first few of each kind), those with the largest values, and of
the metrics in which a peak matters the largest one of each stretch of the run: where the loss
falls, the largest values of all stand at the start, and a late spike is far below them.
Which rows stay depends on the set of rows alone (see bounds.py); how many, see keep.py.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from assistant.evidence.keep import Keep
from assistant.evidence.series import ABSENT, NUMBER
from assistant.evidence.table import Cells, Table, what

#: Metrics whose largest value of each stretch is of note: a stretch is as many steps as a
#: power of two says, so that those of two parts of a file fit into one another.
PEAKED = ("loss", "grad_norm", "per_step_time")
#: Metrics that are kept at all, and those that have rows of note of their own. Only where a log
#: has more than the former, the least telling ones that stay may differ with how it was cut: a
#: row that goes no longer says that its metrics were there.
MAX_METRICS, NOTED_METRICS = 64, 24
#: Steps that are all multiples of this are one step, or none that a log could print.
_LAST_STRIDE = 1 << 40

#: The metrics that matter most, should there be more than MAX_METRICS.
_MAIN = ("loss", "grad_norm", "lr", "per_step_time", "throughput", "local_norm", "local_loss",
         "device_local_norm", "device_local_loss", "load_balancing_loss", "indexer_loss",
         "loss_scale", "overflow", "global_batch_size", "consumed_samples")
#: Metrics that grow with every step: their largest values, being the last, are of no note.
_COUNTERS = frozenset(("consumed_samples",))
_PRIORITY = {name: place for place, name in enumerate(_MAIN)}

NOTHING = (ABSENT, 0.0)
LOWEST = -sys.float_info.max


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


def thin(rows: list[Row], stride: int, stretch: int,
         keep: Keep) -> tuple[list[Row], int, int, frozenset[int]]:
    """The rows that stay, by line; the stride and the length of a stretch that were needed;
    lines of the rows of note."""
    rows.sort(key=lambda row: row.line)
    chosen = choose(_table(rows), stride, stretch, keep)
    return ([rows[place] for place in chosen.places], chosen.stride, chosen.stretch,
            chosen.noted)


class Chosen(NamedTuple):
    """What stays of a table.

    Attributes:
        places: of the rows that stay. stride, stretch: that were needed.
        noted: lines of the rows of note.
    """

    places: list[int]
    stride: int
    stretch: int
    noted: frozenset[int]


def choose(table: Table, stride: int, stretch: int, keep: Keep) -> Chosen:
    """Which rows stay of those that were kept so far with this stride and stretch."""
    steps, lines = table.steps, table.lines
    stretch = _stretch(table, stretch, keep.stretches)
    noted = frozenset(lines[place] for place in _noted(table, stretch, keep))
    strided = [place for place, step in enumerate(steps) if step % stride == 0]
    while len(strided) > keep.strided_rows and stride < _LAST_STRIDE:
        stride *= 2
        strided = [place for place in strided if steps[place] % stride == 0]
    stay = noted.union(lines[place] for place in strided[:keep.strided_rows])
    return Chosen([place for place, line in enumerate(lines) if line in stay], stride, stretch,
                  noted)


def _table(rows: Sequence[Row]) -> Table:
    cells = {}
    for name in {name for row in rows for name in row.values}:
        column = [row.values.get(name, NOTHING) for row in rows]
        cells[name] = Cells([number for _, number in column], bytes([kind for kind, _ in column]))
    return Table([row.step for row in rows], [row.line for row in rows], cells)


def _stretch(table: Table, stretch: int, most: int) -> int:
    """The length of a stretch by which the rows with a peak lie in at most so many."""
    # Of every stretch a row stays, its peak: so later lengths do not depend on the others.
    peaked = {place for name in PEAKED if name in table.cells
              for place in table.cells[name].finite}
    places = {table.steps[place] // stretch for place in peaked}
    while len(places) > most and stretch < _LAST_STRIDE:
        stretch *= 2
        places = {place // 2 for place in places}
    return stretch


def _noted(table: Table, stretch: int, keep: Keep) -> Iterator[int]:
    """Places of the rows of note, some of them several times."""
    count = len(table.lines)
    yield from range(min(count, keep.first_rows))
    yield from range(max(0, count - keep.last_rows), count)
    stretches = [step // stretch for step in table.steps]
    for name in PEAKED:
        if name in table.cells:
            yield from table.cells[name].peaks(stretches, keep.stretches)
    for name in most_telling(set(table.cells), NOTED_METRICS, _COUNTERS):
        yield from table.cells[name].abnormal(keep.abnormal_rows)
        yield from table.cells[name].largest(keep.largest_rows)


def peaks_of(rows: Iterable[Row], stretch: int) -> dict[str, dict[int, Row]]:
    """Metric to stretch to the row with the largest value there, the first of equal ones."""
    found: dict[str, dict[int, Row]] = {name: {} for name in PEAKED}
    for row in rows:
        for name, peaks in found.items():
            number = finite(row, name)
            if number is None:
                continue
            best = peaks.get(row.step // stretch)
            if best is None or number > best.values[name][1]:
                peaks[row.step // stretch] = row
    return found


def finite(row: Row, name: str) -> float | None:
    """The value of a metric, None where it is no finite number."""
    kind, number = row.values.get(name, NOTHING)
    return number if kind == NUMBER and math.isfinite(number) else None


def sorted_out(rows: Iterable[Row],
               name: str) -> tuple[list[tuple[float, Row]], dict[str, list[Row]]]:
    """The finite values of a metric, and the rows of each kind of abnormality."""
    numbers: list[tuple[float, Row]] = []
    abnormal: dict[str, list[Row]] = {}
    for row in rows:
        kind, number = row.values.get(name, NOTHING)
        if kind == NUMBER and math.isfinite(number):
            numbers.append((number, row))
        else:
            abnormal.setdefault(what(kind, number), []).append(row)
    return numbers, abnormal


def noted_metrics(rows: Iterable[Row]) -> list[str]:
    """Names of the metrics that have rows of note."""
    return metrics(rows, NOTED_METRICS, _COUNTERS)


def metrics(rows: Iterable[Row], limit: int, without: Set[str] = frozenset()) -> list[str]:
    """Names of the `limit` metrics of rows that matter most, in name order."""
    return most_telling({name for row in rows for name in row.values}, limit, without)


def most_telling(names: Set[str], limit: int, without: Set[str] = frozenset()) -> list[str]:
    """The `limit` names of metrics that matter most, in name order."""
    ranked = sorted(names - without, key=lambda n: (_PRIORITY.get(n, len(_PRIORITY)), n))
    return sorted(ranked[:limit])
