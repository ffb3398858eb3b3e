"""`metric:` signals: tests over the step series, by robust statistics.

Medians and the median absolute deviation are used throughout, since a mean is moved by
the very outliers that are looked for (Rousseeuw and Croux, 1993: 1.4826 * MAD estimates
a normal standard deviation).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from assistant.diagnose.match import Match
from assistant.diagnose.signals.peers import (
    MAD_TO_SIGMA,
    SPEED_ROWS,
    is_rate,
    peers,
    slower,
    slower_than_peers,
    unlike_peers,
)
from assistant.diagnose.signals.track import Found, Track, match_of, track_of, tracks
from assistant.diagnose.view import View
from assistant.evidence.series import ABSENT, NOT_APPLICABLE, NOT_OBTAINED, NUMBER
from assistant.job.median import median
from assistant.rules.types import MetricSignal, Spike

#: Values needed before a spike can be told from warm-up.
SPIKE_HISTORY = 8
#: Rows over which a course is judged when the rule does not say `for:`.
TREND_ROWS = 20
#: Tests of the kind of a value (see evidence/series.py), and the kind.
_KINDS = {"not-obtained": NOT_OBTAINED, "not-applicable": NOT_APPLICABLE, "absent": ABSENT}


def matches(signal: MetricSignal, view: View) -> Iterator[Match]:
    """One match for every process on which the test holds."""
    known = tracks(signal, view)
    judge = _judge(signal, known)
    for track in known:
        found = judge(track)
        if found is not None:
            yield match_of(*_since(track, found, signal))


def _since(track: Track, found: Found, signal: MetricSignal) -> tuple[Track, Found]:
    """Where a run that begins right behind the skipped steps began in truth."""
    if found.row or not signal.skip_first or signal.spike or signal.slower_than or (
            signal.unlike or signal.test in ("flat", "rising", "falling")):
        return track, found
    whole = track_of(track.process, track.file, replace(signal, skip_first=0))
    if whole is None:
        return track, found
    # Of a run appended to others the steps skipped are those of this run.
    first = len(_flags(whole, signal)[:signal.skip_first].rstrip(b"\1"))
    if first == signal.skip_first:
        return track, found
    value = whole.values[first] if whole.kinds[first] == NUMBER else None
    return whole, Found(first, value, found.median, found.count + signal.skip_first - first)


def needed(signal: MetricSignal) -> int:
    """Steps with a finite number that one process must have printed, those of `skip_first`
    not counted, before the test can hold."""
    if signal.spike is not None:
        return SPIKE_HISTORY + 1
    if signal.slower_than is not None:
        return max(signal.steps, SPEED_ROWS) if signal.slower_than == "peers" else 3 * SPEED_ROWS
    if signal.test in ("flat", "rising", "falling"):
        return signal.steps if signal.steps > 1 else TREND_ROWS
    return signal.steps


def _judge(signal: MetricSignal, known: Sequence[Track]) -> Callable[[Track], Found | None]:
    """The test of the signal, as a function of one track."""
    if signal.spike is not None:
        spike = signal.spike
        return lambda track: _spike(track, spike)
    if signal.slower_than == "peers":
        table = peers(known)
        return lambda track: slower_than_peers(track, signal, table)
    if signal.slower_than == "past":
        return lambda track: _slower_than_past(track, signal)
    if signal.unlike is not None:
        table = peers(known)
        return lambda track: unlike_peers(track, signal, table)
    if signal.test in ("flat", "rising", "falling"):
        return lambda track: _trend(track, signal)
    return lambda track: _run(track, signal)


def _run(track: Track, signal: MetricSignal) -> Found | None:
    """The first run of `for:` rows that each satisfy the row test."""
    flags = _flags(track, signal)
    row = flags.find(b"\1" * signal.steps)
    if row < 0:
        return None
    value = track.values[row] if track.kinds[row] == NUMBER else None
    return Found(row, value, None, flags.count(1))


def _flags(track: Track, signal: MetricSignal) -> bytes:
    """One byte a row: 1 where the row satisfies the test by itself."""
    test = signal.test
    if test in _KINDS:
        wanted = _KINDS[test]
        return bytes(kind == wanted for kind in track.kinds) if wanted in track.kinds else b""
    if test == "nan":
        # Where there is no number, values hold 0.0; a finite sum has no nan and no inf.
        return b"" if math.isfinite(sum(track.values)) else bytes(map(math.isnan, track.values))
    if test == "inf":
        return b"" if math.isfinite(sum(track.values)) else bytes(map(math.isinf, track.values))
    if test == "zero":
        return bytes(kind == NUMBER and value == 0.0
                     for kind, value in zip(track.kinds, track.values, strict=True))
    return bytes(kind == NUMBER and (signal.above is None or value > signal.above)
                 and (signal.below is None or value < signal.below)
                 for kind, value in zip(track.kinds, track.values, strict=True))


def _spike(track: Track, spike: Spike) -> Found | None:
    """The first finite value far above the median of the window before it."""
    rows = track.finite()
    values = [track.values[i] for i in rows]
    found: Found | None = None
    count = 0
    for place in range(SPIKE_HISTORY, len(rows)):
        window, value = values[max(0, place - spike.window):place], values[place]
        # The median is not below the smallest value: most rows need no more than this.
        if value <= min(window) * spike.times:
            continue
        middle = median(window)
        if value <= abs(middle) * spike.times:
            continue
        spread = MAD_TO_SIGMA * median(abs(v - middle) for v in window)
        if value > middle + spike.deviations * spread:
            count += 1
            found = found or Found(rows[place], value, middle)
    if found is None or count < spike.at_least:
        return None
    return Found(found.row, found.value, found.median, count)


def _trend(track: Track, signal: MetricSignal) -> Found | None:
    """Flat: the last rows stay within a thousandth; rising, falling: by the factor `by`."""
    length = signal.steps if signal.steps > 1 else TREND_ROWS
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


def _slower_than_past(track: Track, signal: MetricSignal) -> Found | None:
    """The last steps against the first: by their medians; where the run is too short for three
    times `for:` by thirds of it, and then each of the last must be as slow as their median."""
    rows = track.finite()
    if len(rows) < 3 * SPEED_ROWS:
        return None
    window = past_window(signal, len(rows))
    first, last = ([track.values[i] for i in part] for part in (rows[:window], rows[-window:]))
    before, now = median(first), median(last)
    if not slower(track, signal.by, now, before):
        return None
    fastest = max(last) if is_rate(track) else min(last)
    if window < signal.steps and not slower(track, signal.by, fastest, before):
        return None
    return Found(rows[-window], now, before, window)


def past_window(signal: MetricSignal, rows: int) -> int:
    """How many steps of each end are compared, in a run of so many."""
    return max(SPEED_ROWS, min(signal.steps, rows // 3))
