from __future__ import annotations

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.job.median import median


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=9))
def test_as_the_standard_library_has_it(values: list[float]) -> None:
    assert median(iter(values)) == statistics.median(values)


def test_of_nothing() -> None:
    with pytest.raises(ValueError, match="no values"):
        median([])
