"""Round times for the ticks of a time line."""

from __future__ import annotations

from datetime import datetime, timedelta

_STEPS = (0.1, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600,
          43200, 86400, 172800, 604800)
#: Ticks at most.
_MOST = 6
_EPOCH = datetime(1970, 1, 1)


def ticks(start: float, end: float) -> list[float]:
    """Round moments between two times, at most six."""
    step = next((step for step in _STEPS if (end - start) / step <= _MOST), _STEPS[-1])
    if (end - start) / step > _MOST:
        step *= int((end - start) / step / _MOST) + 1
    first = int(start / step) + 1
    found: list[float] = []
    while first * step <= end and len(found) <= _MOST:
        found.append(round(first * step, 3))
        first += 1
    return found


def label(time: float) -> str:
    """`08:29:10`; a day's beginning shows the day."""
    moment = _EPOCH + timedelta(seconds=time)
    if not (moment.hour or moment.minute or moment.second or moment.microsecond):
        return moment.strftime("%m-%d")
    return moment.strftime("%H:%M:%S") + (f".{moment.microsecond // 100000}"
                                          if moment.microsecond else "")
