from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from assistant.report.ranges import ranges, short_ranges, spans


def test_ranges() -> None:
    assert ranges([0, 1, 2, 5]) == "0-2, 5"
    assert ranges([]) == ""
    assert ranges([7]) == "7"
    assert ranges([3, 2, 9, 2, 8]) == "2-3, 8-9"


@given(st.sets(st.integers(0, 300)))
def test_spans_hold_exactly_the_numbers(numbers: set[int]) -> None:
    found = spans(numbers)
    assert {n for first, last in found for n in range(first, last + 1)} == numbers
    assert all(a[1] + 1 < b[0] for a, b in pairwise(found))


def test_short_ranges_say_how_many_there_are() -> None:
    assert short_ranges(range(10_000), 20) == "0-9999"
    assert short_ranges(range(0, 10_000, 2), 24) == "0, 2, 4, 6, ... (5,000)"


@given(st.sets(st.integers(0, 9_999), min_size=1), st.integers(24, 60))
def test_short_ranges_fit(numbers: set[int], width: int) -> None:
    assert len(short_ranges(numbers, width)) <= width
