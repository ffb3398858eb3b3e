"""How far a job is and how fast it goes, from its model; and whether it has stopped moving."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from statistics import median

from assistant.evidence.series import NUMBER, Series
from assistant.job.types import Job

#: A job has stopped moving if a step takes so many times as long as it usually does, and at
#: least so many seconds; before the first step nothing at all must have been written.
SLOWER, LEAST, BEFORE_FIRST = 10.0, 120.0, 900.0
#: Rows of a series that say what a step usually takes.
_USUAL_ROWS = 20


def last_value(job: Job, metric: str) -> float | None:
    """The last finite value of a metric, the median over the ranks that print one."""
    found = [value for process in job.processes
             if (value := _last(process.series, metric)) is not None]
    return median(found) if found else None


def usual_step(job: Job) -> float | None:
    """Seconds that a step has taken of late, the median; None if no log says it."""
    found: list[float] = []
    for process in job.processes:
        found += _numbers(process.series, "per_step_time")[-_USUAL_ROWS:]
    return median(found) / 1000 if found else None


def states(job: Job) -> dict[str, int]:
    """State to number of ranks, the most frequent first."""
    return dict(Counter(process.state for process in job.processes).most_common())


def has_ended(job: Job) -> bool:
    """Whether every process of the job is known to have come to an end."""
    ended = {"finished", "failed", "crashed", "killed"}
    found = {process.state for process in job.ranks() or job.processes}
    return bool(found & ended) and found <= ended | {"stopped", "absent", "empty"}


class Pace:
    """Watches the steps go by.

    Args:
        now: seconds of a clock that only grows. limit: seconds without progress that are too
            many, None: by what a step usually takes.
    """

    def __init__(self, now: float, limit: float | None = None) -> None:
        self._limit = limit
        self._step: int | None = None
        self._since = now
        self._usual: float | None = None

    def see(self, step: int | None, usual: float | None, now: float) -> float | None:
        """The last step and what one takes; gives the seconds that it had stood still if it
        moves now."""
        self._usual = usual if usual is not None else self._usual
        if step is None or step == self._step:
            return None
        stood, self._step, self._since = now - self._since, step, now
        return stood

    def still(self, now: float) -> float | None:
        """Seconds since the last new step, None before the first one."""
        return None if self._step is None else now - self._since

    def limit(self) -> float:
        """Seconds without progress that are too many."""
        if self._limit is not None:
            return self._limit
        if self._step is None:
            return BEFORE_FIRST
        return max(LEAST, SLOWER * (self._usual or 0.0))


def _last(series: Series, metric: str) -> float | None:
    values = _numbers(series, metric)
    return values[-1] if values else None


def _numbers(series: Series, metric: str) -> Sequence[float]:
    column = series.columns.get(metric)
    if column is None:
        return []
    return [value for value, kind in zip(column.values, column.kinds, strict=True)
            if kind == NUMBER and math.isfinite(value)]
