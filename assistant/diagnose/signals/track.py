"""One metric of one process over its steps, and the row of it that shows a symptom."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.diagnose.match import Match, cite, subject_of
from assistant.diagnose.view import View
from assistant.evidence.series import ABSENT, NUMBER, Column
from assistant.job.types import LogFile, Process
from assistant.rules.types import MetricSignal


@dataclass(frozen=True, slots=True)
class Track:
    """One metric of one process: rows of the last run after `skip_first`, in order."""

    process: Process
    file: LogFile
    metric: str
    steps: Sequence[int]
    lines: Sequence[int]
    values: Sequence[float]
    kinds: bytes

    def finite(self) -> list[int]:
        """Indexes of rows that hold a finite number."""
        return [i for i, kind in enumerate(self.kinds)
                if kind == NUMBER and math.isfinite(self.values[i])]


@dataclass(frozen=True, slots=True)
class Found:
    """The first row that shows the symptom, with the numbers behind it.

    Attributes:
        row: index in the track.
        value: what was measured there, None where there is no number.
        median: what it was measured against, None where there is no such thing.
        count: how many rows show it.
    """

    row: int
    value: float | None
    median: float | None = None
    count: int = 1


def tracks(signal: MetricSignal, view: View) -> list[Track]:
    """The metric of every process that printed it, or only steps where it is sought absent."""
    return [track for process, file in view.series
            if (track := track_of(process, file, signal)) is not None]


def track_of(process: Process, file: LogFile, signal: MetricSignal) -> Track | None:
    """The metric of one process from one of its files, None where there is nothing to judge."""
    series = file.evidence.series
    name = next((m for m in signal.metric if m in series.columns), signal.metric[0])
    start = bisect_left(series.lines, file.run_start) + signal.skip_first
    column = series.columns.get(name)
    if start >= len(series.steps) or (column is None and signal.test != "absent"):
        return None
    if column is None:
        column = Column((0.0,) * len(series.steps), bytes([ABSENT]) * len(series.steps))
    return Track(process, file, name, series.steps[start:], series.lines[start:],
                 column.values[start:], column.kinds[start:])


def match_of(track: Track, found: Found) -> Match:
    """What was found as evidence: the step line, or the nearest one whose text was kept."""
    series = track.file.evidence.series
    line = track.lines[found.row]
    if line not in series.texts and series.texts:
        line = min(series.texts, key=lambda kept: (abs(kept - line), kept))
    place = bisect_left(series.lines, line)
    known = place < len(series.lines) and series.lines[place] == line
    time = series.times[place] if known else None
    text = series.texts.get(line)
    values = {"step": str(track.steps[found.row]), "metric": track.metric}
    if found.value is not None:
        values["value"] = f"{found.value:g}"
    if found.median is not None:
        values["median"] = f"{found.median:g}"
    return Match(subject_of(track.process), track.file.node,
                 cite(track.file, line, time, text) if text is not None else None,
                 (), values, time, count=found.count)
