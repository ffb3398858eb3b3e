"""Time stamps of every known layout -> seconds since 1970 of the log's own wall clock.

Logs carry no time zone, so the wall clock is read as if it were UTC. A stamp without a year
(`07-02 10:11:46`, `W726 02:00:13.29`) says too little and is not read at all.

Fractions come in two kinds. `33,357` and `17.680613` are decimal fractions of a second.
`48.190.00` are two groups whose joined digits count microseconds, without padding on the
Python side: 19000 us, not 190 ms. Source: mindspore/log.py (2.10), which slices
`str(microsecond)` without padding it.
"""

from __future__ import annotations

from datetime import date
from functools import lru_cache

#: Expression of a stamp; its four groups are the arguments of `seconds`.
STAMP = (rb"(\d{4}[-/]\d\d[-/]\d\d)[-T ](\d\d:\d\d:\d\d)"
         rb"(?:[.,](\d{1,9})(\.\d{0,3})?)?")

_EPOCH = date(1970, 1, 1).toordinal()


@lru_cache(maxsize=1024)
def _whole_seconds(day: bytes, clock: bytes) -> int | None:
    """Whole seconds since 1970; None for a day or an hour that no calendar has."""
    hour, minute, second = int(clock[:2]), int(clock[3:5]), int(clock[6:])
    if hour > 23 or minute > 59 or second > 60:
        return None
    try:
        ordinal = date(int(day[:4]), int(day[5:7]), int(day[8:])).toordinal()
    except ValueError:
        return None
    return (ordinal - _EPOCH) * 86400 + hour * 3600 + minute * 60 + second


def seconds(day: bytes, clock: bytes, fraction: bytes | None, rest: bytes | None) -> float | None:
    """Seconds since 1970 of a stamp that STAMP matched; None if there is no such moment.

    Args:
        day: `2026-11-30`. clock: `08:03:48`.
        fraction: digits behind the first point or comma.
        rest: the second group with its point (`.00`), None where there is only one.
    """
    whole = _whole_seconds(day, clock)
    if whole is None:
        return None
    if not fraction:
        return float(whole)
    if rest is None:
        return whole + int(fraction) / 10.0 ** len(fraction)
    return whole + int(fraction + rest[1:]) / 1_000_000
