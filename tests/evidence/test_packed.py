from __future__ import annotations

import copy
import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.evidence import packed

FLOATS = st.lists(st.floats(allow_nan=False))
TIMES = st.lists(st.one_of(st.none(), st.floats(allow_nan=False)))
INTEGERS = st.lists(st.integers())
TEXTS = st.dictionaries(st.integers(), st.text())


@given(FLOATS)
def test_floats_are_what_they_were(values: list[float]) -> None:
    made = packed.floats(values)
    assert made == tuple(values) and made != (*values, 1.5)
    assert pickle.loads(pickle.dumps(made)) == copy.deepcopy(made) == made
    assert list(made) == values and packed.floats(made) is made


@given(TIMES)
def test_times_are_what_they_were(values: list[float | None]) -> None:
    made = packed.times(values)
    assert made == tuple(values) and list(made) == values
    assert [made[i] for i in range(len(made))] == values
    assert made[1:] == tuple(values[1:]) and packed.times(made[1:]) == tuple(values[1:])
    assert pickle.loads(pickle.dumps(made)) == made
    assert made != (*values, None)


@given(INTEGERS)
def test_integers_are_what_they_were(values: list[int]) -> None:
    made = packed.integers(values)
    assert made == tuple(values) and pickle.loads(pickle.dumps(made)) == made


@given(TEXTS)
def test_texts_are_what_they_were(values: dict[int, str]) -> None:
    made = packed.texts(values)
    assert made == values and dict(made.items()) == values
    assert set(made) == set(values) and len(made) == len(values)
    assert all(line in made and made[line] == text for line, text in values.items())
    assert pickle.loads(pickle.dumps(made)) == values


def test_a_line_without_a_text() -> None:
    made = packed.texts({3: "x"})
    assert 4 not in made and made.get(4) is None
    with pytest.raises(KeyError):
        made[4]


@given(st.lists(st.floats()))
def test_numbers_read_twice_are_equal(values: list[float]) -> None:
    assert packed.floats(values) == packed.floats([*values])
    assert packed.floats([*values, math.nan]) != packed.floats([*values, 1.5])


def test_a_nan_is_not_lost() -> None:
    assert math.isnan(packed.floats((1.0, math.nan))[1])


def test_they_are_small() -> None:
    text = "{ step:[ 1/ 10], loss: 2.5, per_step_time: 100ms, lr: 1.0e-05 }"
    made = packed.texts({line: f"{text}{line}" for line in range(500)})
    assert len(pickle.dumps(made)) < 12_000
