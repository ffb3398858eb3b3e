"""A rank against the others of its stage."""

from __future__ import annotations

from random import Random
from statistics import median
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.diagnose.signals import metric
from assistant.diagnose.signals.peers import PEER_ROWS, Peers
from assistant.rules.types import MetricSignal
from tests.diagnose.support import rule, series, view, worker

SLOW = {"slower_than": "peers", "by": 1.4, "for": 5, "skip_first": 2}


def odd(*columns: list[float], name: str = "per_step_time", stages: list[int] | None = None,
        **test: Any) -> list[int | str | None]:
    """Ranks that stand out; one column a rank."""
    signal = rule(signals={"x": {"metric": name, **test}}).signals["x"]
    assert isinstance(signal, MetricSignal)
    seen = view(*(worker(rank, steps=series(**{name: values}),
                         process={"stage": stages[rank] if stages else None})
                  for rank, values in enumerate(columns)))
    return [m.subject for m in metric.matches(signal, seen)]


@given(st.dictionaries(st.integers(0, 9), st.integers(0, 5).map(float), min_size=1))
def test_the_median_of_the_others(values: dict[int, float]) -> None:
    peers = Peers()
    for whom, value in values.items():
        peers.add(whom, -1.0)
        peers.add(whom, value)
    for whom in (*values, 77):
        others = [v for w, v in values.items() if w != whom]
        assert peers.median_without(whom) == (median(others) if others else None)


def test_spread() -> None:
    peers = Peers()
    for whom, value in enumerate([1.0, 2.0, 3.0, 4.0, 100.0]):
        peers.add(whom, value)
    assert peers.spread == pytest.approx(1.4826)
    few = Peers()
    few.add(0, 1.0)
    few.add(1, 5.0)
    assert few.spread is None
    few = Peers()
    for whom, value in enumerate([1.0, 1.0, 5.0]):
        few.add(whom, value)
    assert few.spread == 0.01


@pytest.mark.parametrize("seed", range(15))
def test_nobody_is_slow_in_a_healthy_job(seed: int) -> None:
    random = Random(seed)
    together = [random.gauss(300, 20) for _ in range(60)]
    columns = [[9000 + 500 * rank, 700, *(t + random.gauss(0, 8) for t in together)]
               for rank in range(8)]
    assert odd(*columns, **SLOW) == []


@pytest.mark.parametrize("seed", range(15))
def test_a_straggler(seed: int) -> None:
    random = Random(seed)
    slow = random.randrange(8)
    columns = [[random.gauss(300, 10) * (1.6 if rank == slow else 1) for _ in range(40)]
               for rank in range(8)]
    assert odd(*columns, **SLOW) == [slow]


def test_of_two_ranks_the_slower_one() -> None:
    assert odd([300.0] * 10, [500.0] * 10, **SLOW) == [1]
    assert odd([300.0] * 10, **SLOW) == []


def test_a_rate_is_the_other_way_round() -> None:
    assert odd([9.0] * 10, [9.0] * 10, [5.0] * 10, name="throughput", **SLOW) == [2]
    assert odd(*[[5.0] * 10] * 3, [9.0] * 10, name="throughput", **SLOW) == []


def test_stages_go_at_their_own_pace() -> None:
    fast, slow = [300.0] * 10, [500.0] * 10
    assert odd(fast, fast, slow, slow, stages=[0, 0, 1, 1], **SLOW) == []
    assert odd(fast, fast, slow, fast, stages=[0, 0, 1, 1], **SLOW) == [2]


@pytest.mark.parametrize(("name", "good", "usual", "worst"), [
    ("per_step_time", 300.0, 500.0, 900.0), ("throughput", 9.0, 5.0, 2.0)])
def test_the_worst_step_is_told(name: str, good: float, usual: float, worst: float) -> None:
    columns = [[good] * 10] * 3
    slow = [*[usual] * 6, worst, *[usual] * 3]
    signal = rule(signals={"x": {"metric": name, **SLOW}}).signals["x"]
    assert isinstance(signal, MetricSignal)
    [match] = metric.matches(signal, view(*(
        worker(rank, steps=series(**{name: values}))
        for rank, values in enumerate([*columns, slow]))))
    assert (match.subject, match.values["step"]) == (3, "7")


def test_few_steps_say_nothing() -> None:
    assert odd([300.0] * 6, [300.0] * 6, [600.0] * 6, **SLOW) == []
    assert odd([300.0] * 7, [300.0] * 7, [600.0] * 7, **SLOW) == [2]


def test_a_single_slow_step_says_nothing() -> None:
    assert odd([300.0] * 20, [300.0] * 20, [*[300.0] * 19, 9000.0], **SLOW) == []


def test_only_shared_steps_are_compared() -> None:
    """A rank that lags behind in steps is held against what its peers did at those steps."""
    course = [600.0] * 20 + [300.0] * 20
    assert odd(course, course, course[:20], **SLOW) == []


def test_a_rank_that_became_slow_in_a_long_run() -> None:
    count = 10 * PEER_ROWS
    late = [300.0] * (count - PEER_ROWS) + [600.0] * PEER_ROWS
    assert odd([300.0] * count, [300.0] * count, late, **SLOW) == [2]


UNLIKE = {"unlike": "peers", "by": 20, "for": 3}


@pytest.mark.parametrize("seed", range(10))
def test_a_rank_unlike_its_peers(seed: int) -> None:
    random = Random(seed)
    columns = [[random.gauss(2, 0.05) for _ in range(30)] for _ in range(8)]
    assert odd(*columns, name="local_norm", **UNLIKE) == []
    columns[5][10:13] = [40.0, 41.0, 42.0]
    assert odd(*columns, name="local_norm", **UNLIKE) == [5]
    columns[5][11] = 2.0
    assert odd(*columns, name="local_norm", **UNLIKE) == []


def test_the_first_of_the_odd_rows_is_told() -> None:
    column = [2.0] * 10
    seen = view(*(worker(rank, steps=series(loss=column)) for rank in range(3)),
                worker(3, steps=series(loss=[2.0] * 4 + [9.0] * 6)))
    signal = rule(signals={"x": {"metric": "loss", **UNLIKE}}).signals["x"]
    assert isinstance(signal, MetricSignal)
    [match] = metric.matches(signal, seen)
    assert match.values == {"metric": "loss", "step": "5", "value": "9", "median": "2"}


def test_of_two_ranks_nobody_can_tell_which_is_odd() -> None:
    assert odd([2.0] * 9, [90.0] * 9, name="loss", **UNLIKE) == []
