"""Step lines and the monitors' lines around them -> rows of the series.

A monitor prints its values on lines of its own, before or after the step line. They join the
row of that step, so that a row is a step and a column that is absent in it was not printed.
Rows that monitors alone would make count only in a file without step lines.
"""

from __future__ import annotations

from assistant.evidence.keep import FULL, Keep
from assistant.evidence.rows import Row, SeriesBuilder
from assistant.evidence.series import Series
from assistant.logtext import monitor, steps
from assistant.logtext.layout import Layout, layout_of
from assistant.logtext.steps import StepLine, Value
from assistant.scan.shown import shown


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
        self._layout: Layout | None = None

    def take(self, number: int, line: bytes, time: float | None) -> bool:
        """Read one line; whether it is a step line or a monitor's line."""
        if self._layout is not None:
            known = self._layout.parse(line)
            if known is not None:
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
            self._layout = layout_of(line, found[0]) or self._layout
        return bool(found)

    def build(self) -> Series:
        """The series of all lines taken; more can be taken after it."""
        pending = (self._row, self._total)
        series = self._steps.build(*pending) if self._stepped else self._steps.build()
        if series.rows:
            return series
        return self._monitors.build() if self._stepped else self._monitors.build(*pending)

    def _take_step(self, number: int, line: bytes, time: float | None, step: int,
                   total: int | None, values: dict[str, tuple[int, float]]) -> None:
        if self._row is not None:
            if self._row.step == step and not self._stepped:
                values = {**self._values, **values}
            else:
                self._flush()
        self._row = Row(number, step, time, values, shown(line))
        self._values, self._total, self._stepped = values, total, True

    def _take_monitor(self, number: int, line: bytes, time: float | None,
                      item: StepLine) -> None:
        if item.step is not None:
            self._monitored = item.step
        # Without any step named so far it belongs to the step that is being computed.
        step = self._monitored if self._monitored is not None else self._next_step()
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
        if self._row is None:
            return 1
        return self._row.step + 1 if self._stepped else self._row.step

    def _flush(self) -> None:
        if self._row is not None:
            (self._steps if self._stepped else self._monitors).add(self._row, self._total)
        self._row = None
