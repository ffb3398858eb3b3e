"""A rank's metric against that of the other ranks of its stage at the same steps."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from assistant.diagnose.match import subject_of
from assistant.diagnose.signals.track import Found, Track
from assistant.job.median import median
from assistant.rules.types import MetricSignal

#: Median absolute deviation to standard deviation, for normal values.
MAD_TO_SIGMA = 1.4826
#: Rows needed before a speed is judged.
SPEED_ROWS = 5
#: Rows, the last ones, that are compared with those of other ranks: enough to be sure, and
#: ten thousand ranks are compared in seconds.
PEER_ROWS = 128


class Peers:
    """The values of all ranks of one stage at one step; complete before anything is asked."""

    def __init__(self) -> None:
        self._of: dict[object, float] = {}

    def add(self, whom: object, value: float) -> None:
        """Take in the value of a rank; of a step that it printed twice the last one."""
        self._of[whom] = value

    def median_without(self, whom: object) -> float | None:
        """The median of the others, None without others."""
        values, left = self._in_order, len(self._of) - (whom in self._of)
        if left < 1:
            return None
        own = bisect_left(values, self._of[whom]) if whom in self._of else len(values)

        def at(place: int) -> float:
            return values[place if place < own else place + 1]

        return at(left // 2) if left % 2 else (at(left // 2 - 1) + at(left // 2)) / 2

    @cached_property
    def spread(self) -> float | None:
        """Robust standard deviation, at least a hundredth of the median; None for less than
        three ranks, of which nobody can tell who is odd."""
        if len(self._of) < 3:
            return None
        middle = median(self._in_order)
        deviation = median(abs(value - middle) for value in self._in_order)
        return max(MAD_TO_SIGMA * deviation, 0.01 * abs(middle), 1e-12)

    @cached_property
    def _in_order(self) -> list[float]:
        return sorted(self._of.values())


#: (stage, step) to the values there.
Table = Mapping[tuple[int | None, int], Peers]


def peers(tracks: Sequence[Track]) -> Table:
    """The values that are compared: of each rank the last rows."""
    table: dict[tuple[int | None, int], Peers] = defaultdict(Peers)
    for track in tracks:
        whom, stage = subject_of(track.process), track.process.stage
        for i in track.finite()[-PEER_ROWS:]:
            table[stage, track.steps[i]].add(whom, track.values[i])
    return table


def against(track: Track, table: Table) -> Iterator[tuple[int, float, float]]:
    """(row, own value, median of the others of its stage at that step)."""
    whom, stage = subject_of(track.process), track.process.stage
    for i in track.finite()[-PEER_ROWS:]:
        middle = table[stage, track.steps[i]].median_without(whom)
        if middle is not None:
            yield i, track.values[i], middle


def slower_than_peers(track: Track, signal: MetricSignal, table: Table) -> Found | None:
    """By the medians over the rows that it shares with its peers; shown at the worst one."""
    rows = list(against(track, table))
    if len(rows) < max(signal.steps, SPEED_ROWS):
        return None
    mine = median(value for _, value, _ in rows)
    theirs = median(middle for _, _, middle in rows)
    if not slower(track, signal.by, mine, theirs):
        return None
    sign = -1 if is_rate(track) else 1
    worst = max(rows, key=lambda row: sign * row[1] / row[2] if row[2] else 0.0)
    return Found(worst[0], mine, theirs, len(rows))


def slower(track: Track, by: float, value: float, reference: float) -> bool:
    """Whether a time is `by` times the reference, or a rate that part of it."""
    if reference <= 0 or value <= 0:
        return False
    return (reference / value if is_rate(track) else value / reference) >= by


def is_rate(track: Track) -> bool:
    """Whether more is faster."""
    return "throughput" in track.metric


def unlike_peers(track: Track, signal: MetricSignal, table: Table) -> Found | None:
    """The first run of `for:` rows in which the value is more than `by` robust standard
    deviations away from its peers."""
    run: list[tuple[int, float, float]] = []
    for row, value, middle in against(track, table):
        spread = table[track.process.stage, track.steps[row]].spread
        apart = spread is not None and abs(value - middle) > signal.by * spread
        run = [*run, (row, value, middle)] if apart else []
        if len(run) >= signal.steps:
            return Found(*run[0], count=len(run))
    return None
