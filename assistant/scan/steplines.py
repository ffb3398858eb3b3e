"""Step lines and the monitors' lines around them -> rows of the series.

A monitor prints its values on lines of its own, before or after the step line. They join the
row of that step, so that a row is a step and a column that is absent in it was not printed.
Rows that monitors alone would make count only in a file without step lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, Protocol

from assistant.evidence.keep import FULL, Keep
from assistant.evidence.rows import Row, RowRun, SeriesBuilder
from assistant.evidence.series import Series
from assistant.logtext import monitor, steps
from assistant.logtext.layout import Layout, layout_of
from assistant.logtext.linelayout import LineLayout, Run, line_layout
from assistant.logtext.steps import StepLine, Value
from assistant.scan.shown import shown

#: How often a file may change the heads of its step lines and still be read in bulk.
_CHANGES = 64
#: Lines of one layout from which on reading them in bulk pays.
RUN = 8


class Places(Protocol):
    """What a block tells of the lines in it."""

    def number(self, start: int) -> int:
        """Number of the line that begins here."""

    def line(self, start: int) -> bytes:
        """The bytes of the line that begins here."""

    def time(self, start: int) -> float | None:
        """The time of the nearest stamped line above."""


class _Line(NamedTuple):
    """A line of a run, kept for itself: its number, its time, its bytes."""

    number: int
    time: float | None
    line: bytes


class _Rows:
    """The lines of a run as rows (a RowRun).

    Args:
        kept: what is known of the first lines. starts, places: where to find the others.
    """

    def __init__(self, run: Run, kept: Sequence[_Line], starts: Sequence[int],
                 places: Places) -> None:
        self.names: Sequence[str] = run.names
        self.words: Mapping[str, tuple[int, float]] = run.words
        self._run, self._kept, self._starts, self._places = run, kept, starts, places

    @cached_property
    def steps(self) -> Sequence[int]:
        return self._run.steps

    def column(self, name: str) -> Sequence[float]:
        return self._run.column(name)

    def row(self, place: int) -> Row:
        number, time, line = self._line(place)
        return Row(number, self._run.step(place), time, self._run.values(place), shown(line))

    def line(self, place: int) -> int:
        return self._line(place).number

    def __len__(self) -> int:
        return len(self._run)

    def total(self, place: int) -> int:
        """The total of steps that one line announces."""
        return self._run.total(place)

    def part(self, first: int, end: int) -> _Rows:
        """Some of the rows."""
        known = len(self._kept)
        return _Rows(self._run.part(first, end), self._kept[first:end],
                     self._starts[max(0, first - known):max(0, end - known)], self._places)

    def last(self, most: int) -> _Rows:
        first = max(0, len(self) - most)
        kept = [self._line(place) for place in range(first, len(self))]
        return _Rows(self._run.part(first, len(self)), kept, (), self._places)

    def behind(self, earlier: RowRun) -> _Rows | None:
        if not isinstance(earlier, _Rows):
            return None
        run = self._run.behind(earlier._run)
        if run is None:
            return None
        return _Rows(run, [*earlier._kept, *self._kept], self._starts, self._places)

    def _line(self, place: int) -> _Line:
        if place < len(self._kept):
            return self._kept[place]
        start = self._starts[place - len(self._kept)]
        time = self._run.time(place)
        return _Line(self._places.number(start),
                     self._places.time(start) if time is None else time,
                     self._places.line(start))


class StepEnds(NamedTuple):
    """What the lines before and behind some step lines could change of them.

    Attributes:
        leaning: whether a line took its step from lines before the first one, if there are any.
        monitored: step of what a monitor printed above the first step line, if it did.
        last: step of the last row, which a monitor's line may yet join.
        unstepped: whether the last row still waits for its step line.
        stepped: whether there is a step line.
    """

    leaning: bool
    monitored: int | None
    last: int | None
    unstepped: bool
    stepped: bool


class StepCollector:
    """Collects the step lines of one file in order."""

    def __init__(self, keep: Keep = FULL) -> None:
        self._steps = SeriesBuilder(keep)
        self._monitors = SeriesBuilder(keep)
        # The row that monitors' lines may still join, and whether it has its step line.
        self._row: Row | None = None
        self._values: dict[str, tuple[int, float]] = {}
        self._total: int | None = None
        self._stepped = False
        self._monitored: int | None = None
        self._leaning = False
        # Step of a monitor's line before which there was no row.
        self._opening: int | None = None
        self._layout: Layout | None = None
        self.line_layout: LineLayout | None = None
        """Whole lines that `take_run` reads."""
        self._changes = 0
        # The last line of a run, while nothing came behind it that it may belong to.
        self._held: _Rows | None = None

    def take(self, number: int, line: bytes, time: float | None) -> bool:
        """Read one line; whether it is a step line or a monitor's line."""
        if self._layout is not None:
            known = self._layout.parse(line)
            if known is not None:
                self._follow(line)
                self._take_step(number, line, time, *known)
                return True
        found = list(steps.parse_all(line))
        for item in found:
            if item.kind == "monitor":
                self._take_monitor(number, line, time, item)
            else:
                step = self._next_step() if item.step is None else item.step
                self._take_step(number, line, time, step, item.total, dict(item.values))
        if len(found) == 1:
            layout = layout_of(line, found[0])
            if layout is not None:
                self._layout = layout
                self._follow(line)
        return bool(found)

    def take_run(self, data: bytes, starts: Sequence[int], places: Places) -> int:
        """Read lines of a block in bulk, up to the first one that is no step line like the
        one before, if they are worth it.

        Args:
            starts: where in `data` each of them begins; lines with numbers of their own.

        Returns:
            How many were read.
        """
        if self.line_layout is None or len(starts) < RUN:
            return 0
        run = self.line_layout.read(data, starts)
        if len(run) < RUN:
            return 0
        rows = _Rows(run, (), starts, places)
        joined = None if self._held is None else rows.behind(self._held)
        if joined is not None:
            rows = joined
        else:
            # The first one may join what a monitor printed above it.
            self._take_row(rows.row(0), rows.total(0))
            self._flush()
            rows = rows.part(1, len(rows))
        self._steps.add_run(rows.part(0, len(rows) - 1), rows.total(len(rows) - 2))
        self._held = rows.last(1)
        return len(run)

    def _follow(self, line: bytes) -> None:
        """Whole lines are laid out like this one from here on."""
        if (self._layout is not None and self._changes < _CHANGES
                and not (self.line_layout and len(self.line_layout.read(line, (0,))))):
            self._changes += 1
            self.line_layout = line_layout(line, self._layout)

    def build(self) -> Series:
        """The series of all lines taken; more can be taken after it."""
        self._release()
        pending = (self._row, self._total)
        series = self._steps.build(*pending) if self._stepped else self._steps.build()
        if series.rows:
            return series
        return self._monitors.build() if self._stepped else self._monitors.build(*pending)

    def ends(self) -> StepEnds:
        """How the lines taken hang together with others of the same file."""
        self._release()
        last = self._row.step if self._row is not None else None
        return StepEnds(self._leaning, self._opening, last,
                        last is not None and not self._stepped,
                        self._steps.count > 0 or (last is not None and self._stepped))

    def _take_step(self, number: int, line: bytes, time: float | None, step: int,
                   total: int | None, values: dict[str, tuple[int, float]]) -> None:
        self._take_row(Row(number, step, time, values, shown(line)), total)

    def _take_row(self, row: Row, total: int | None) -> None:
        self._release()
        values = dict(row.values)
        if self._row is not None:
            if self._row.step == row.step and not self._stepped:
                values = {**self._values, **values}
            else:
                self._flush()
        self._row = row._replace(values=values)
        self._values, self._total, self._stepped = values, total, True

    def _release(self) -> None:
        """The last line of a run is the row that monitors' lines may join."""
        held, self._held = self._held, None
        if held is not None:
            self._take_row(held.row(0), held.total(0))

    def _take_monitor(self, number: int, line: bytes, time: float | None,
                      item: StepLine) -> None:
        self._release()
        if item.step is not None:
            self._monitored = item.step
        self._leaning |= self._monitored is None
        # Without any step named so far it belongs to the step that is being computed.
        step = self._monitored if self._monitored is not None else self._next_step()
        if self._row is None and self._opening is None:
            self._opening = step
        if self._row is None or self._row.step != step:
            self._flush()
            self._values = {}
            self._row = Row(number, step, time, self._values, shown(line))
            self._total, self._stepped = item.total, False
        for name, value in item.values.items():
            known = self._values.get(name)
            self._values[name] = value if known is None else monitor.worst(Value(*known), value)

    def _next_step(self) -> int:
        """The step of a line that does not say it and stands before its step line."""
        self._release()
        if self._row is None:
            self._leaning = True
            return 1
        return self._row.step + 1 if self._stepped else self._row.step

    def _flush(self) -> None:
        self._release()
        if self._row is not None:
            (self._steps if self._stepped else self._monitors).add(self._row, self._total)
        self._row = None
