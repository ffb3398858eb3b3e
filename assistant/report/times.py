"""Times of logs as text."""

from __future__ import annotations

from datetime import datetime, timedelta

_EPOCH = datetime(1970, 1, 1)


def iso(time: float | None) -> str | None:
    """Seconds since 1970 of a log's own clock as `2026-11-30T08:29:13.988`, None if unknown."""
    if time is None:
        return None
    try:
        return (_EPOCH + timedelta(seconds=time)).isoformat(timespec="milliseconds")
    except (OverflowError, ValueError):
        return None
