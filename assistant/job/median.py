"""The median. (The module of the standard library brings in fractions, decimals and random
numbers, at every start.)"""

from __future__ import annotations

from collections.abc import Iterable


def median(values: Iterable[float]) -> float:
    """The middle value, or the mean of the two middle ones. Raises ValueError for no values."""
    ordered = sorted(values)
    if not ordered:
        raise ValueError("no values have no median")
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
