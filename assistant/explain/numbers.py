"""`metric:` and `fact:` signals: how near the numbers came to what is asked."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping

from assistant.diagnose.holding import Holding
from assistant.diagnose.match import Subject, cite, subject_of
from assistant.diagnose.signals.metric import SPIKE_HISTORY, needed, past_window
from assistant.diagnose.signals.peers import MAD_TO_SIGMA, SPEED_ROWS, against, is_rate, peers
from assistant.diagnose.signals.track import Track, tracks
from assistant.diagnose.types import Citation
from assistant.diagnose.view import View
from assistant.explain.types import Say, Seen
from assistant.job.median import median
from assistant.rules.types import ConfigSignal, FactSignal, MetricSignal

#: What came nearest on a track: how near, the row, what to say.
_Near = tuple[float, int | None, Say]


def seen(signal: MetricSignal, holding: Holding, asked: Iterable[Subject],
         view: View) -> Iterator[Seen]:
    """What there was on each of the asked ranks: the step that came nearest."""
    known = {subject_of(track.process): track for track in tracks(signal, view)}
    measure = _measure(signal, list(known.values()))
    names = " | ".join(signal.metric)
    for subject in asked:
        track = known.get(subject) if subject is not None else None
        if holding.on(subject):
            own = holding.of(subject)[0]
            yield Seen(subject, True, Say("metric.holds", {
                "step": own.values.get("step", "?"), "value": own.values.get("value", "-"),
                "metric": own.values.get("metric", names)}), 0.0, own.citation)
        elif track is None:
            yield Seen(subject, False, _without(signal, names, subject, view))
        elif _counted(signal) and len(track.finite()) < needed(signal):
            yield Seen(subject, False, Say("metric.too-few", {
                "n": len(track.finite()), "needed": needed(signal), "metric": track.metric,
                "skipped": signal.skip_first}), float(len(track.finite())))
        else:
            near = measure(track)
            if near is None:
                yield Seen(subject, False, Say("metric.no-peers", {"metric": track.metric}))
            else:
                close, row, say = near
                yield Seen(subject, False, say, close, _line(track, row))


def _without(signal: MetricSignal, names: str, subject: Subject, view: View) -> Say:
    """Why a rank gives nothing to judge: no step lines, too few, or others than asked for."""
    own = [file.evidence.series for process, file in view.series
           if subject_of(process) == subject]
    rows = max((len(series.steps) for series in own), default=0)
    columns = sorted({column for series in own for column in series.columns})
    if rows and rows <= signal.skip_first:
        return Say("metric.skipped", {"n": rows, "skipped": signal.skip_first})
    if columns and not set(columns) & set(signal.metric):
        return Say("metric.other-columns", {"metric": names, "columns": ", ".join(columns)})
    return Say("metric.no-steps", {"metric": names, "n": rows})


def _counted(signal: MetricSignal) -> bool:
    """Whether the test is about numbers (not about the absence of them)."""
    return signal.test not in ("not-obtained", "not-applicable", "absent", "nan", "inf")


def _measure(signal: MetricSignal, known: list[Track]) -> Callable[[Track], _Near | None]:
    if signal.spike is not None:
        return lambda track: _spike(track, signal)
    if signal.slower_than == "peers":
        table = peers(known)
        return lambda track: _slower(track, signal, [
            (value, middle) for _, value, middle in against(track, table)])
    if signal.slower_than == "past":
        return lambda track: _slower_than_past(track, signal)
    if signal.unlike is not None:
        table = peers(known)

        def unlike(track: Track) -> _Near | None:
            rows = [(abs(value - middle) / spread, row, value, middle)
                    for row, value, middle in against(track, table)
                    if (spread := table[track.process.stage, track.steps[row]].spread)]
            if not rows:
                return None
            apart, row, value, middle = max(rows)
            return apart, row, Say("metric.unlike", {
                "metric": track.metric, "step": track.steps[row], "value": _number(value),
                "median": _number(middle), "apart": _number(apart), "asked": _number(signal.by)})
        return unlike
    if signal.test in ("flat", "rising", "falling"):
        return lambda track: _trend(track, signal)
    if _counted(signal):
        return lambda track: _bound(track, signal)
    return lambda track: _kind(track, signal)


def _bound(track: Track, signal: MetricSignal) -> _Near | None:
    """For `above`, `below` and `zero`: the value nearest to the bound, and the longest run."""
    rows = track.finite()
    if not rows:
        return None
    above = signal.above is not None
    low = 0.0 if signal.test == "zero" else signal.below
    bound = signal.above if signal.above is not None else low if low is not None else 0.0

    def close(row: int) -> float:
        value = track.values[row]
        return -abs(value) if signal.test == "zero" else value if above else -value

    row = max(rows, key=close)
    asked = ("= 0" if signal.test == "zero" else " ".join(
        [*([f"> {signal.above:g}"] if signal.above is not None else ()),
         *([f"< {signal.below:g}"] if signal.below is not None else ())]))
    run = _longest(track, signal)
    if run:
        return float(run) + 1e12, row, Say("metric.run", {
            "metric": track.metric, "n": run, "asked": asked, "needed": signal.steps})
    return close(row) - bound * (1 if above else -1), row, Say("metric.bound", {
        "metric": track.metric, "step": track.steps[row], "value": _number(track.values[row]),
        "asked": asked})


def _longest(track: Track, signal: MetricSignal) -> int:
    """The longest run of rows that satisfy the test by themselves."""
    best = run = 0
    finite = set(track.finite())
    for row, value in enumerate(track.values):
        fits = row in finite and (value == 0.0 if signal.test == "zero" else (
            (signal.above is None or value > signal.above)
            and (signal.below is None or value < signal.below)))
        run = run + 1 if fits else 0
        best = max(best, run)
    return best


def _kind(track: Track, signal: MetricSignal) -> _Near:
    """For `nan`, `not-obtained` and their like: what the values are instead."""
    numbers = len(track.finite())
    return 0.0, None, Say("metric.kind", {
        "metric": track.metric, "n": numbers, "rows": len(track.steps),
        "asked": signal.test or "-", "needed": signal.steps})


def _spike(track: Track, signal: MetricSignal) -> _Near | None:
    spike = signal.spike
    rows = track.finite()
    values = [track.values[i] for i in rows]
    best: _Near | None = None
    for place in range(SPIKE_HISTORY, len(rows)):
        if spike is None:
            break
        window, value = values[max(0, place - spike.window):place], values[place]
        middle = median(window)
        spread = MAD_TO_SIGMA * median(abs(v - middle) for v in window)
        times = value / abs(middle) if middle else 0.0
        apart = (value - middle) / spread if spread else math.copysign(math.inf, value - middle)
        close = min(times / spike.times, apart / spike.deviations if spike.deviations else 1.0)
        if best is None or close > best[0]:
            best = close, rows[place], Say("metric.spike", {
                "metric": track.metric, "step": track.steps[rows[place]],
                "value": _number(value), "median": _number(middle), "times": _number(times),
                "asked": _number(spike.times),
                "apart": _number(apart) if math.isfinite(apart) else "-",
                "deviations": _number(spike.deviations)})
    return best


def _slower(track: Track, signal: MetricSignal,
            pairs: list[tuple[float, float]]) -> _Near | None:
    if not pairs:
        return None
    if len(pairs) < max(signal.steps, SPEED_ROWS):
        return float(len(pairs)) - 1e6, None, Say("metric.shared", {
            "metric": track.metric, "n": len(pairs), "needed": max(signal.steps, SPEED_ROWS)})
    mine, theirs = median(value for value, _ in pairs), median(middle for _, middle in pairs)
    return _factor(track, signal, mine, theirs, "metric.slower-peers")


def _slower_than_past(track: Track, signal: MetricSignal) -> _Near | None:
    rows = track.finite()
    window = past_window(signal, len(rows))
    before = median(track.values[i] for i in rows[:window])
    now = median(track.values[i] for i in rows[-window:])
    return _factor(track, signal, now, before, "metric.slower-past")


def _factor(track: Track, signal: MetricSignal, mine: float, theirs: float, key: str) -> _Near:
    over, under = (theirs, mine) if is_rate(track) else (mine, theirs)
    times = over / under if under > 0 else 0.0
    return times, None, Say(key, {"metric": track.metric, "value": _number(mine),
                                  "median": _number(theirs), "times": _number(times),
                                  "asked": _number(signal.by)})


def _trend(track: Track, signal: MetricSignal) -> _Near:
    length = needed(signal)
    values = [track.values[i] for i in track.finite()[-length:]]
    quarter = max(1, length // 4)
    start, end = median(values[:quarter]), median(values[-quarter:])
    if signal.test == "flat":
        middle = abs(median(values))
        share = (max(values) - min(values)) / middle if middle else math.inf
        return -share, None, Say("metric.flat", {"metric": track.metric, "n": length,
                                                 "share": f"{share:.2%}"})
    change = end / start if signal.test == "rising" else start / end if end else math.inf
    return change, None, Say("metric.trend", {
        "metric": track.metric, "start": _number(start), "end": _number(end), "n": length,
        "test": signal.test or "", "asked": _number(signal.by)})


def _line(track: Track, row: int | None) -> Citation | None:
    """The step line of a row, where its text was kept."""
    if row is None:
        return None
    line = track.lines[row]
    text = track.file.evidence.series.texts.get(line)
    time = track.file.evidence.series.times
    return cite(track.file, line, time[0] if time and len(time) == 1 else None, text) if (
        text) else None


def fact_seen(signal: FactSignal | ConfigSignal, holding: Holding, view: View) -> Iterator[Seen]:
    """For `fact:` and `config:`: the value that the logs state."""
    known: Mapping[str, str | int | float] = view.job.facts
    names: tuple[str, ...] = ()
    if isinstance(signal, ConfigSignal):
        known, names = view.config, signal.keys
    else:
        names = (signal.name,)
    name = next((key for key in names if key in known), names[0])
    value = known.get(name)
    asked = " ".join(
        [*([f"= {signal.is_}"] if signal.is_ is not None else ()),
         *([f"> {signal.above:g}"] if signal.above is not None else ()),
         *([f"< {signal.below:g}"] if signal.below is not None else ()),
         *([f"!= {signal.differs_from} ({view.job.facts.get(signal.differs_from, '?')})"]
           if signal.differs_from else ())])
    values = {"fact": name, "value": value, "asked": asked}
    key = "fact.unknown" if value is None else "fact.holds" if holding.true else "fact.other"
    yield Seen(None, holding.true, Say(key, values))


def _number(value: float) -> str:
    return f"{value:.4g}"
