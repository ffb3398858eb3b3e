"""The step lines of one file as columns, bounded whatever the number of steps.

Sequences are kept as arrays (see packed.py), whatever they are given as.

A value has one of four kinds (the numbers are the codes in `Column.kinds`):

* ABSENT: the field is not on the line;
* NUMBER: a number, which may be `nan` or `inf` (the framework computed it);
* NOT_OBTAINED: `NaN` or `None`: no value was obtained;
* NOT_APPLICABLE: `N/A (non-last PP stage, ...)`.

Source of the distinction: mindformers/pynative/callback/loss_callback.py (2.1.0).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field

from assistant.evidence import packed

ABSENT, NUMBER, NOT_OBTAINED, NOT_APPLICABLE = 0, 1, 2, 3

#: Rows kept of one file; beyond it rows are thinned out, abnormal and extreme ones stay.
MAX_ROWS = 2200


@dataclass(frozen=True, slots=True)
class Column:
    """One metric: `values[i]` holds a number where `kinds[i]` is NUMBER, else 0.0."""

    values: packed.Floats
    kinds: bytes

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", packed.floats(self.values))


@dataclass(frozen=True, slots=True)
class Series:
    """Columns over the kept step lines of one file, in order of appearance.

    Attributes:
        steps: step number of each row (graph mode: counted over epochs).
        lines: line of the log of each row.
        times: time of each row, None where the line carries none.
        columns: metric to column, all as long as `steps`. `grad_norm` also holds graph
            mode's `global_norm`, `throughput` its `train_throughput_per_npu`;
            `per_step_time` is in milliseconds, `throughput` in TFLOP/s per card.
        texts: line number to the text of the step line, for the first, last, abnormal and
            extreme rows.
        total_steps: the total that the step lines announce (`step:[ 5/ 100]`: 100), by the
            last one that does.
        total_line: line of that one, 0 if none does.
        rows: true number of step lines.
        stride: beside rows of note, those stay whose step is a multiple of it (1: all).
        stretch: of so many steps each the row with the largest loss (and other metrics in
            which a peak matters) is of note.

    Raises ValueError where columns are not of one length.
    """

    steps: Sequence[int] = ()
    lines: Sequence[int] = ()
    times: Sequence[float | None] = ()
    columns: Mapping[str, Column] = field(default_factory=dict)
    texts: Mapping[int, str] = field(default_factory=dict)
    total_steps: int | None = None
    rows: int = 0
    total_line: int = 0
    stride: int = 1
    stretch: int = 1

    def __post_init__(self) -> None:
        if not all(len(cells) == len(self.steps) for cells in self._cells()):
            raise ValueError("the columns of a series are not of one length")
        object.__setattr__(self, "steps", packed.integers(self.steps))
        object.__setattr__(self, "lines", packed.integers(self.lines))
        object.__setattr__(self, "times", packed.times(self.times))
        object.__setattr__(self, "texts", packed.texts(self.texts))

    def _cells(self) -> Iterator[Sized]:
        yield from (self.lines, self.times)
        for column in self.columns.values():
            yield from (column.values, column.kinds)


EMPTY_SERIES = Series()
