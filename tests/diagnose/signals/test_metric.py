"""`metric:` signals: what is seen, and above all what is not."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.diagnose.match import Match
from assistant.diagnose.signals import metric
from assistant.diagnose.view import View
from assistant.evidence.rows import Row, SeriesBuilder
from assistant.evidence.series import (
    ABSENT,
    MAX_ROWS,
    NOT_APPLICABLE,
    NOT_OBTAINED,
    NUMBER,
    Column,
    Series,
)
from assistant.rules.types import MetricSignal
from tests.diagnose.support import log, rule, series, view, worker

NAN, INF = float("nan"), float("inf")
#: As the built-in rules ask.
SPIKE = {"deviations": 8, "window": 20, "times": 1.3}


def found(seen: View, name: Any = "loss", **values: Any) -> list[Match]:
    signal = rule(signals={"x": {"metric": name, **values}}).signals["x"]
    assert isinstance(signal, MetricSignal)
    return list(metric.matches(signal, seen))


def steps(values: list[float | None], name: str = "loss", **test: Any) -> list[int]:
    """Steps at which one rank with these values shows the symptom."""
    seen = view(worker(0, steps=series(**{name: values})))
    return [int(m.values["step"]) for m in found(seen, name, **test)]


@pytest.mark.parametrize(("values", "test", "step"), [
    ([1, 2, NAN, NAN], {"is": "nan"}, 3), ([1, 2, INF], {"is": "inf"}, 3),
    ([1, -INF, 3], {"is": "inf"}, 2), ([1, 0, 0], {"is": "zero"}, 2),
    ([1, None, 3], {"is": "absent"}, 2), ([1, 9, 3], {"above": 8}, 2),
    ([5, 1, 9], {"below": 2}, 2), ([5, 1, 9, 3], {"above": 2, "below": 4}, 4),
    ([NAN, 1, NAN, NAN], {"is": "nan", "for": 2}, 3),
    ([NAN, 1, 2, NAN], {"is": "nan", "skip_first": 1}, 4),
])
def test_the_first_row_that_shows_it(values: list[float | None], test: dict[str, Any],
                                     step: int) -> None:
    assert steps(values, **test) == [step]


@pytest.mark.parametrize(("values", "test"), [
    ([1, 2, INF], {"is": "nan"}), ([1, 2, NAN], {"is": "inf"}), ([1, None, NAN], {"is": "zero"}),
    ([1, 2], {"is": "absent"}), ([1, NAN, 3], {"above": 8}), ([None, None], {"below": 1}),
    ([NAN, 1, NAN], {"is": "nan", "for": 2}), ([NAN, 1], {"is": "nan", "skip_first": 1}),
    ([1e300, 1e308, 1e308], {"is": "inf"}), ([NAN], {"is": "nan", "skip_first": 1}),
])
def test_not_shown(values: list[float | None], test: dict[str, Any]) -> None:
    assert steps(values, **test) == []


def test_four_ways_of_no_number() -> None:
    kinds = bytes([NUMBER, NOT_OBTAINED, NOT_APPLICABLE, ABSENT, NUMBER])
    column = Column((1.0, 0.0, 0.0, 0.0, NAN), kinds)
    made = Series((1, 2, 3, 4, 5), (1, 2, 3, 4, 5), (None,) * 5, {"loss": column}, {}, None, 5)
    seen = view(worker(0, steps=made))
    assert {test: [m.values["step"] for m in found(seen, **{"is": test})] for test in (
        "not-obtained", "not-applicable", "absent", "nan", "zero", "inf")} == {
        "not-obtained": ["2"], "not-applicable": ["3"], "absent": ["4"], "nan": ["5"],
        "zero": [], "inf": []}


def test_a_metric_that_nobody_printed() -> None:
    assert steps([1, 2], "lr", **{"is": "absent"}) == []
    seen = view(worker(0, steps=series(lr=[1, 2])), worker(1))
    assert [m.subject for m in found(seen, "loss", **{"is": "absent"})] == [0]
    assert not found(seen, "loss", below=1) and not found(seen, "loss", spike=SPIKE)


def test_the_first_metric_that_is_there() -> None:
    seen = view(worker(0, steps=series(norm=[1, NAN], lr=[NAN, 1])))
    [match] = found(seen, ["none", "norm", "lr"], **{"is": "nan"})
    assert match.values == {"metric": "norm", "step": "2", "value": "nan"}


def test_rows_of_an_earlier_run_do_not_count() -> None:
    made = series(first_line=10, loss=[NAN, 1, 2, NAN])
    seen = view(worker(0, steps=made, run_start=12))
    assert [m.values["step"] for m in found(seen, **{"is": "nan"})] == ["4"]
    assert not found(view(worker(0, steps=made, run_start=99)), **{"is": "nan"})


def test_every_rank_by_itself_and_its_line() -> None:
    seen = view(worker(0, steps=series(loss=[1, NAN])), worker(1, steps=series(loss=[1, 2])),
                worker(2, steps=series(loss=[NAN, NAN])))
    matches = found(seen, **{"is": "nan"})
    assert [(m.subject, m.values["step"], m.count) for m in matches] == [(0, "2", 1), (2, "1", 2)]
    assert matches[0].citation is not None and matches[0].citation.text == "step line 11"


def test_the_fullest_file_of_a_process_counts() -> None:
    extra = log("a/more.log", rank=0, steps=series(loss=[1, NAN, 3, NAN]))
    part = worker(0, steps=series(loss=[NAN]), process={
        "files": ("a/worker_0.log", "a/more.log")})
    [match] = found(view(part, extra), **{"is": "nan"})
    assert match.values["step"] == "2" and match.citation is not None
    assert match.citation.file == "a/more.log"


# Courses of healthy runs: falling, noisy, with a warm-up.

def healthy(seed: int, count: int = 300) -> list[float]:
    """A loss curve as of a language model: falls from 11 to 3, noisier at its start."""
    random = Random(seed)
    noise = random.choice([0.002, 0.02, 0.08])
    pace = random.uniform(5, 80)
    values = []
    for i in range(count):
        level = 3 + 8 * math.exp(-i / pace)
        values.append(max(0.1, level * (1 + random.gauss(0, noise))))
    return values


@pytest.mark.parametrize("seed", range(40))
def test_no_spike_in_a_healthy_loss(seed: int) -> None:
    assert steps(healthy(seed), spike=SPIKE, skip_first=5) == []


@pytest.mark.parametrize("seed", range(20))
def test_no_spike_in_a_healthy_norm(seed: int) -> None:
    random = Random(seed)
    values = [random.lognormvariate(0, 0.25) + (20 if i < 3 else 0) for i in range(300)]
    assert steps(values, "grad_norm", spike={**SPIKE, "times": 3}, skip_first=5) == []


@pytest.mark.parametrize("values", [
    [], [3.0], [9, 3], [1, 2, 3, 4, 5, 6, 7], [1.0] * 300, [900, 300, 310, 301, 302, 300, 305],
    [0.0] * 50, [-1.0] * 20 + [-0.5], [300 + i % 7 for i in range(200)],
])
def test_no_spike_where_there_is_little_or_nothing(values: list[float]) -> None:
    assert steps([*map(float, values)] or [None], spike=SPIKE) == []


@pytest.mark.parametrize("seed", range(40))
def test_a_spike_in_a_healthy_loss(seed: int) -> None:
    values = healthy(seed)
    at = Random(seed).randrange(40, 299)
    values[at] = 3 * values[at]
    assert steps(values, spike=SPIKE, skip_first=5) == [at + 1]


def test_the_numbers_behind_a_spike() -> None:
    values = [2.0, 2.1, 1.9] * 5 + [9.0] + [2.0] * 5 + [9.5, 2.0]
    [match] = found(view(worker(0, steps=series(loss=values))), spike=SPIKE)
    assert match.values["step"] == "16" and match.values["value"] == "9"
    assert match.values["median"] == "2" and match.count == 2


def test_a_spike_beside_values_that_are_no_numbers() -> None:
    values: list[float | None] = [2.0, None, NAN, INF] * 10 + [9.0]
    assert steps(values, spike=SPIKE) == [41]


@given(st.lists(st.floats(0.5, 20), min_size=0, max_size=80))
def test_the_quick_way_finds_what_the_plain_way_finds(values: list[float]) -> None:
    """A spike by its definition, value by value."""
    from statistics import median

    plain = []
    for i in range(8, len(values)):
        window = values[max(0, i - 20):i]
        middle = median(window)
        spread = 1.4826 * median(abs(v - middle) for v in window)
        if values[i] > middle + 8 * spread and values[i] > 1.3 * middle:
            plain.append(i + 1)
    assert steps([*values] or [None], spike=SPIKE) == plain[:1]


# Courses.

@pytest.mark.parametrize(("values", "test", "shown"), [
    ([9.0, *[2.0] * 20], {"is": "flat"}, [2]), ([2.0] * 19, {"is": "flat"}, []),
    ([0.0] * 30, {"is": "flat"}, []), ([2.0, 2.1] * 15, {"is": "flat"}, []),
    ([2.0] * 5, {"is": "flat", "for": 5}, [1]), ([2.0] * 20 + [3.0], {"is": "flat"}, []),
    ([1.0 + 0.1 * i for i in range(30)], {"is": "rising", "by": 1.3}, [11]),
    ([4.0 - 0.1 * i for i in range(30)], {"is": "rising", "by": 1.3}, []),
    ([4.0 - 0.1 * i for i in range(30)], {"is": "falling", "by": 1.3}, [11]),
    ([0.0] * 30, {"is": "rising", "by": 1.3}, []), ([0.0] * 30, {"is": "falling"}, []),
    ([-4.0 + 0.1 * i for i in range(30)], {"is": "rising", "by": 1.3}, []),
])
def test_courses(values: list[float], test: dict[str, Any], shown: list[int]) -> None:
    assert steps([*values], **test) == shown


@pytest.mark.parametrize("seed", range(20))
def test_a_healthy_loss_is_neither_flat_nor_rising(seed: int) -> None:
    values = healthy(seed)
    assert steps([*values], **{"is": "flat", "for": 20}) == []
    assert steps([*values], **{"is": "rising", "by": 1.5}) == []


def test_slower_than_its_own_past() -> None:
    past = {"slower_than": "past", "by": 1.5, "for": 10, "skip_first": 5}
    warm_up = [9000.0, 800, 500, 310, 305]
    assert steps([*warm_up, *[300.0] * 40], "per_step_time", **past) == []
    assert steps([*warm_up, *[300.0] * 20, *[460.0] * 10], "per_step_time", **past) == [26]
    # too short for ten steps at each end: thirds, and each of the last is as slow
    assert steps([*warm_up, *[300.0] * 10, *[460.0] * 10], "per_step_time", **past) == [20]
    uneven = [*[300.0] * 10, *[460.0] * 8, 400.0, 460.0]
    assert steps([*warm_up, *uneven], "per_step_time", **past) == []
    assert steps([*warm_up, *[300.0] * 4, *[460.0] * 10], "per_step_time", **past) == []
    assert steps([*warm_up, *[100.0] * 4, *[800.0] * 21], "per_step_time", **past) == [23]
    assert steps([*[9.0] * 15, *[5.0] * 10], "throughput", **past) == [20]
    assert steps([*[9.0] * 25, *[5.0] * 10], "throughput", **past) == [26]
    assert steps([*[5.0] * 25, *[9.0] * 10], "throughput", **past) == []


# Long series: rows are thinned out by the scan.

def thinned(values: list[float]) -> Series:
    builder = SeriesBuilder()
    for i, value in enumerate(values):
        builder.add(Row(i + 1, i + 1, float(i), {"loss": (NUMBER, value)}, f"line {i + 1}"))
    made = builder.build()
    assert len(made.steps) <= MAX_ROWS < made.rows
    return made


@pytest.mark.parametrize("at", [3000, 4321, 5998])
def test_a_single_spike_in_thousands_of_steps(at: int) -> None:
    random = Random(at)
    values = [2.0 + random.gauss(0, 0.02) for _ in range(6000)]
    values[at] = 20.0
    [match] = found(view(worker(0, steps=thinned(values))), spike=SPIKE, skip_first=5)
    assert match.values["step"] == str(at + 1)
    assert match.citation is not None
    assert (match.citation.line, match.citation.text) == (at + 1, f"line {at + 1}")


@pytest.mark.parametrize("at", [0, 17, 3001, 5999])
def test_the_first_nan_in_thousands_of_steps(at: int) -> None:
    values = [2.0] * at + [NAN] * (6000 - at)
    [match] = found(view(worker(0, steps=thinned(values))), **{"is": "nan"})
    assert match.values["step"] == str(at + 1)


@pytest.mark.parametrize("seed", range(10))
def test_thinning_makes_no_spike(seed: int) -> None:
    made = thinned(healthy(seed, 8000))
    assert not found(view(worker(0, steps=made)), spike=SPIKE, skip_first=5)


def learning(seed: int, steps: int = 6000) -> list[float]:
    """A loss that falls from 12 to 2, and its noise."""
    random = Random(seed)
    return [2.0 + 10.0 * math.exp(-5.0 * i / steps) + random.gauss(0, 0.02)
            for i in range(steps)]


@pytest.mark.parametrize("seed", range(20))
def test_a_late_spike_in_a_long_run_whose_loss_falls(seed: int) -> None:
    values = learning(seed)
    at = Random(seed).randrange(1500, 5990)
    values[at] *= 2.0
    [match] = found(view(worker(0, steps=thinned(values))), spike=SPIKE, skip_first=5)
    assert match.values["step"] == str(at + 1)
    assert match.citation is not None and match.citation.text == f"line {at + 1}"


@pytest.mark.parametrize("seed", range(20))
def test_no_spike_in_a_long_run_whose_loss_falls(seed: int) -> None:
    made = thinned(learning(seed))
    assert not found(view(worker(0, steps=made)), spike=SPIKE, skip_first=5)


def test_so_many_steps_must_stand_out() -> None:
    times = [300.0] * 12 + [900.0] + [300.0] * 5 + [900.0] + [300.0] * 5
    seen = view(worker(0, steps=series(per_step_time=times)))
    for count, holds in ((1, True), (2, True), (3, False)):
        signal = rule(signals={"x": {"metric": "per_step_time",
                                     "spike": {"times": 2, "at_least": count}}}).signals["x"]
        assert isinstance(signal, MetricSignal)
        assert bool(list(metric.matches(signal, seen))) == holds


@pytest.mark.parametrize(("values", "step", "count"), [
    ([0.0] * 8, "1", 8), ([1.0, 0.0, 0.0, 0.0, 0.0], "2", 4), ([0.0, 1.0, 0.0, 0.0, 0.0], "3", 3),
    ([0.0, 0.0, 1.0, 0.0, 0.0, 0.0], "4", 3),
])
def test_a_run_that_began_in_the_skipped_steps_is_told_from_there(
        values: list[float], step: str, count: int) -> None:
    seen = view(worker(0, steps=series(lr=values)))
    zero = {"metric": "lr", "is": "zero", "for": 3, "skip_first": 2}
    signal = rule(signals={"x": zero}).signals["x"]
    assert isinstance(signal, MetricSignal)
    [one] = metric.matches(signal, seen)
    assert (one.values["step"], one.count) == (step, count)
