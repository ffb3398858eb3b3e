"""`metric:` signals: tests over the step series, by robust statistics.

Medians and the median absolute deviation are used throughout, since a mean is moved by
the very outliers that are looked for (Rousseeuw and Croux, 1993: 1.4826 * MAD estimates
a normal standard deviation).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from assistant.diagnose.types import Citation
from assistant.diagnose.view import Match, Subject, View, subject_of
from assistant.evidence.series import ABSENT, NOT_APPLICABLE, NOT_OBTAINED, NUMBER
from assistant.job.types import LogFile, Process
from assistant.rules.types import MetricSignal, Spike

MAD_TO_SIGMA = 1.4826
#: Values needed before a spike can be told from warm-up.
_SPIKE_HISTORY = 8
#: Rows over which slow drifts are judged when the rule does not say `for:`.
_TREND_ROWS = 20
_SPEED_ROWS = 5


@dataclass(frozen=True, slots=True)
class Track:
    """One metric of one process: rows after `skip_first`, in order."""

    process: Process
    file: LogFile
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
    """The first row that shows the symptom, with the numbers behind it."""

    row: int
    value: float | None
    median: float | None = None
    count: int = 1


def matches(signal: MetricSignal, view: View) -> Iterator[Match]:
    """One match for every process on which the test holds."""
    tracks = [track for process in view.population
              if (track := _track(process, signal, view)) is not None]
    judge = _judge(signal, tracks)
    for track in tracks:
        found = judge(track)
        if found is not None:
            yield _match(track, found, signal)


def _track(process: Process, signal: MetricSignal, view: View) -> Track | None:
    file = series_file(process, view)
    if file is None:
        return None
    series = file.evidence.series
    name = next((m for m in signal.metric if m in series.columns), signal.metric[0])
    column = series.columns.get(name)
    start = next((i for i, line in enumerate(series.lines) if line >= file.run_start),
                 len(series.lines)) + signal.skip_first
    steps = series.steps[start:]
    if not steps:
        return None
    values = column.values[start:] if column else (0.0,) * len(steps)
    kinds = column.kinds[start:] if column else bytes(len(steps))
    return Track(process, file, steps, series.lines[start:], values, kinds)


def series_file(process: Process, view: View) -> LogFile | None:
    """The file of a process that holds most step lines."""
    names = set(process.files)
    files = [f for f in view.files if f.name in names and f.evidence.series.steps]
    return max(files, key=lambda f: f.evidence.series.rows, default=None)


def _judge(signal: MetricSignal, tracks: list[Track]) -> Callable[[Track], Found | None]:
    if signal.spike is not None:
        spike = signal.spike
        return lambda track: _spike(track, spike)
    if signal.slower_than == "peers":
        table = _by_step(tracks)
        return lambda track: _slower_than_peers(track, signal, table)
    if signal.slower_than == "past":
        return lambda track: _slower_than_past(track, signal)
    if signal.unlike is not None:
        table = _by_step(tracks)
        return lambda track: _unlike_peers(track, signal, table)
    if signal.test in ("flat", "rising", "falling"):
        return lambda track: _trend(track, signal)
    return lambda track: _run(track, signal)


def _run(track: Track, signal: MetricSignal) -> Found | None:
    """The first run of `for:` rows that each satisfy the row test."""
    length = 0
    first: Found | None = None
    for i, kind in enumerate(track.kinds):
        length = length + 1 if _row(signal, kind, track.values[i]) else 0
        if length == signal.steps and first is None:
            start = i - length + 1
            first = Found(start, track.values[start] if kind == NUMBER else None)
    if first is None:
        return None
    total = sum(_row(signal, kind, track.values[i]) for i, kind in enumerate(track.kinds))
    return Found(first.row, first.value, None, total)


def _row(signal: MetricSignal, kind: int, value: float) -> bool:
    test = signal.test
    if test in ("not-obtained", "not-applicable", "absent"):
        return kind == {"not-obtained": NOT_OBTAINED, "not-applicable": NOT_APPLICABLE,
                        "absent": ABSENT}[test]
    if kind != NUMBER:
        return False
    if test == "nan":
        return math.isnan(value)
    if test == "inf":
        return math.isinf(value)
    if test == "zero":
        return value == 0.0
    return ((signal.above is None or value > signal.above)
            and (signal.below is None or value < signal.below))


def _spike(track: Track, spike: Spike) -> Found | None:
    """The first finite value far above the median of the window before it."""
    rows = track.finite()
    found: Found | None = None
    count = 0
    for place in range(_SPIKE_HISTORY, len(rows)):
        window = [track.values[i] for i in rows[max(0, place - spike.window):place]]
        middle = median(window)
        spread = MAD_TO_SIGMA * median(abs(v - middle) for v in window)
        value = track.values[rows[place]]
        if value > middle + spike.deviations * spread and value > abs(middle) * spike.times:
            count += 1
            found = found or Found(rows[place], value, middle)
    return Found(found.row, found.value, found.median, count) if found else None


def _trend(track: Track, signal: MetricSignal) -> Found | None:
    """Flat: the last rows stay within a thousandth; rising, falling: by the factor `by`."""
    length = max(signal.steps, _TREND_ROWS) if signal.steps == 1 else signal.steps
    rows = track.finite()[-length:]
    if len(rows) < length:
        return None
    values = [track.values[i] for i in rows]
    middle = median(values)
    quarter = max(1, length // 4)
    start, end = median(values[:quarter]), median(values[-quarter:])
    holds = {
        "flat": max(values) - min(values) <= 1e-3 * abs(middle) and middle != 0.0,
        "rising": start > 0 and end >= start * signal.by,
        "falling": start > 0 and end * signal.by <= start,
    }[signal.test or "flat"]
    return Found(rows[0], values[-1], middle, len(rows)) if holds else None


_Peers = dict[tuple[int | None, int], list[tuple[Subject, float]]]


def _by_step(tracks: list[Track]) -> _Peers:
    """(stage, step) to the values of all ranks at that step."""
    table: _Peers = defaultdict(list)
    for track in tracks:
        for i in track.finite():
            table[track.process.stage, track.steps[i]].append(
                (subject_of(track.process), track.values[i]))
    return table


def _against_peers(track: Track, table: _Peers) -> Iterator[tuple[int, float, list[float]]]:
    """(row, own value, values of the others of its stage at that step)."""
    own = subject_of(track.process)
    for i in track.finite():
        others = [v for who, v in table[track.process.stage, track.steps[i]] if who != own]
        if others:
            yield i, track.values[i], others


def _slower_than_peers(track: Track, signal: MetricSignal, table: _Peers) -> Found | None:
    rows: list[int] = []
    own: list[float] = []
    peers: list[float] = []
    for i, value, others in _against_peers(track, table):
        rows.append(i)
        own.append(value)
        peers.append(median(others))
    if len(rows) < max(signal.steps, _SPEED_ROWS):
        return None
    mine, theirs = median(own), median(peers)
    if not _slower(signal, mine, theirs):
        return None
    worst = max(range(len(rows)), key=lambda k: own[k] / peers[k] if peers[k] else 0.0)
    return Found(rows[worst], mine, theirs, len(rows))


def _slower_than_past(track: Track, signal: MetricSignal) -> Found | None:
    rows = track.finite()
    window = max(signal.steps, _SPEED_ROWS)
    if len(rows) < 3 * window:
        return None
    before = median(track.values[i] for i in rows[:window])
    now = median(track.values[i] for i in rows[-window:])
    return Found(rows[-window], now, before, window) if _slower(signal, now, before) else None


def _slower(signal: MetricSignal, value: float, reference: float) -> bool:
    if reference <= 0 or value <= 0:
        return False
    ratio = reference / value if "throughput" in signal.metric[0] else value / reference
    return ratio >= signal.by


def _unlike_peers(track: Track, signal: MetricSignal, table: _Peers) -> Found | None:
    length = 0
    for i, value, others in _against_peers(track, table):
        middle = median(others)
        spread = max(MAD_TO_SIGMA * median(abs(v - middle) for v in others),
                     0.01 * abs(middle), 1e-12)
        length = length + 1 if len(others) >= 2 and abs(value - middle) > signal.by * spread else 0
        if length >= signal.steps:
            return Found(i, value, middle, length)
    return None


def _match(track: Track, found: Found, signal: MetricSignal) -> Match:
    series = track.file.evidence.series
    line = track.lines[found.row]
    text = series.texts.get(line)
    if text is None and series.texts:
        # Texts are kept for telling rows only; the nearest one is quoted instead.
        line = min(series.texts, key=lambda kept: (abs(kept - line), kept))
        text = series.texts[line]
    place = series.lines.index(line) if line in series.lines else None
    time = series.times[place] if place is not None else None
    citation = Citation(track.file.name, line, time, text) if text is not None else None
    values = {"step": str(track.steps[found.row]), "metric": signal.metric[0]}
    if found.value is not None:
        values["value"] = f"{found.value:g}"
    if found.median is not None:
        values["median"] = f"{found.median:g}"
    return Match(subject_of(track.process), track.file.node, citation, (), values, time,
                 count=found.count)
