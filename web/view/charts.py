"""The step series of a job as a few lines a chart, with the first bad step of each.

A chart is plain data that JSON can carry:

    {"metric": "loss", "unit": "", "steps": [1, 2, ...],
     "lines": [{"label": "rank 0", "kind": "rank", "key": 0, "values": [10.4, null, "nan"]}],
     "bad": {"step": 5, "why": "nan", "rank": 0, "file": "worker_0.log", "line": 48} or null,
     "sampled": 0}

A value is a number, null (nothing was printed), or what stood there instead: `nan`, `inf`,
`-inf`, `none` (no value was obtained) or `n/a` (not applicable on this stage).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from assistant.diagnose.types import Diagnosis
from assistant.evidence.series import ABSENT, NOT_APPLICABLE, NOT_OBTAINED, Column
from assistant.job.types import Job, Process
from assistant.rules.types import MetricSignal

#: Metric to its unit, in the order of the charts.
METRICS: Mapping[str, str] = {"loss": "", "grad_norm": "", "lr": "", "per_step_time": "ms",
                              "throughput": "TFLOP/s"}
#: Up to so many ranks each has a line; beyond, stages are summed up.
MAX_LINES = 8
#: Steps of a chart, and ranks of a stage that are looked at for its median.
_STEPS = 400
_SAMPLE = 256
#: Ranks with lines of their own beside the stages.
_SINGLED_OUT = 3
_ODD = {NOT_OBTAINED: "none", NOT_APPLICABLE: "n/a"}

Value = float | str | None


@dataclass(frozen=True, slots=True)
class _Track:
    """One rank's values of one metric by step, and the lines they stand on."""

    process: Process
    values: Mapping[int, Value]
    lines: Mapping[int, int]

    @property
    def rank(self) -> int:
        return self.process.rank if self.process.rank is not None else -1

    @property
    def file(self) -> str:
        return self.process.files[0] if self.process.files else self.process.key


def charts(diagnosis: Diagnosis) -> list[dict[str, Any]]:
    """A chart for each metric that any rank printed as a number."""
    blamed = [rank for finding in diagnosis.findings if finding.role == "cause"
              for rank in finding.ranks]
    found = []
    for metric, unit in METRICS.items():
        tracks = _tracks(diagnosis.job, metric)
        if not any(isinstance(value, float) for track in tracks for value in track.values.values()):
            continue
        bad = _first_bad(tracks, _flagged(diagnosis, metric))
        steps = _thinned(tracks, bad)
        shown = [track for track in tracks
                 if any(track.values.get(step) not in (None, "n/a", "none") for step in steps)]
        if len(shown) <= MAX_LINES:
            lines, sampled = [_line(track, steps) for track in shown], 0
        else:
            lines, sampled = _by_stage(shown, steps, blamed)
        found.append({"metric": metric, "unit": unit, "steps": steps, "lines": lines,
                      "bad": bad, "sampled": sampled})
    return found


def _tracks(job: Job, metric: str) -> list[_Track]:
    tracks = []
    for process in job.processes:
        column = process.series.columns.get(metric)
        if column is None:
            continue
        series = process.series
        values: dict[int, Value] = {}
        lines: dict[int, int] = {}
        for index, step in enumerate(series.steps):
            if column.kinds[index] != ABSENT:
                values[step] = _value(column, index)
                lines[step] = series.lines[index]
        if values:
            tracks.append(_Track(process, values, lines))
    return tracks


def _value(column: Column, index: int) -> Value:
    if odd := _ODD.get(column.kinds[index]):
        return odd
    number = column.values[index]
    if math.isnan(number):
        return "nan"
    if math.isinf(number):
        return "inf" if number > 0 else "-inf"
    return number


def _flagged(diagnosis: Diagnosis, metric: str) -> set[tuple[str, int]]:
    """(file, line) of the evidence of findings that judge this metric."""
    return {(quote.file, quote.line) for finding in diagnosis.findings if finding.role != "note"
            for quote in finding.evidence
            if any(isinstance(signal, MetricSignal) and metric in signal.metric
                   for signal in finding.rule.signals.values())}


def _first_bad(tracks: Iterable[_Track], flagged: set[tuple[str, int]]) -> dict[str, Any] | None:
    """The first step at which the metric is no number, or at which a finding points."""
    best: dict[str, Any] | None = None
    for track in tracks:
        for step, value in track.values.items():
            odd = value in ("nan", "inf", "-inf")
            if not odd and (track.file, track.lines[step]) not in flagged:
                continue
            if best is None or (step, track.rank) < (best["step"], best["rank"]):
                best = {"step": step, "why": value if odd else "flagged", "rank": track.rank,
                        "file": track.file, "line": track.lines[step]}
    return best


def _thinned(tracks: Sequence[_Track], bad: Mapping[str, Any] | None) -> list[int]:
    """The steps to show: all, or evenly chosen ones with the first, the last and the bad."""
    steps = sorted({step for track in tracks for step in track.values})
    if len(steps) <= _STEPS:
        return steps
    stride = -(-len(steps) // _STEPS)
    kept = set(steps[::stride]) | {steps[0], steps[-1]}
    if bad is not None:
        at = steps.index(bad["step"])
        kept |= set(steps[max(0, at - 3):at + 4])
    return sorted(kept)


def _line(track: _Track, steps: Sequence[int]) -> dict[str, Any]:
    key = track.process.rank
    return {"label": f"rank {key}" if key is not None else track.process.key, "kind": "rank",
            "key": key, "values": [_short(track.values.get(step)) for step in steps]}


def _by_stage(tracks: Sequence[_Track], steps: Sequence[int],
              blamed: Sequence[int]) -> tuple[list[dict[str, Any]], int]:
    """Median of each stage (or of all), the lowest and the highest, and the blamed ranks."""
    groups: dict[int | None, list[_Track]] = {}
    for track in tracks:
        groups.setdefault(track.process.stage, []).append(track)
    if len(groups) > MAX_LINES:
        groups = {None: list(tracks)}
    lines: list[dict[str, Any]] = []
    sampled = 0
    for stage, members in sorted(groups.items(), key=lambda item: (item[0] is None, item[0])):
        stride = -(-len(members) // _SAMPLE)
        sample = members[::stride]
        sampled = max(sampled, len(sample) if stride > 1 else 0)
        columns = [[v for t in sample if isinstance(v := t.values.get(step), float)]
                   for step in steps]
        label = "all ranks" if stage is None else f"stage {stage}"
        lines.append({"label": label, "kind": "median", "key": stage,
                      "values": [_short(median(c)) if c else None for c in columns]})
        if len(groups) == 1:
            for kind, pick in (("lowest", min), ("highest", max)):
                lines.append({"label": kind, "kind": kind, "key": stage,
                              "values": [_short(pick(c)) if c else None for c in columns]})
    singled = [track for track in tracks if track.rank in blamed[:_SINGLED_OUT]]
    if len(set(blamed)) < len(tracks):
        lines += [_line(track, steps) for track in singled]
    return lines, sampled


def _short(value: Value) -> Value:
    """Six digits tell all that a chart can show."""
    return float(f"{value:.6g}") if isinstance(value, float) else value
