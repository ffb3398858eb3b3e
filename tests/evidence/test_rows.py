from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.evidence import rows as rows_module
from assistant.evidence import thinning
from assistant.evidence.keep import FULL, LIGHT, Keep, for_files
from assistant.evidence.rows import Row, SeriesBuilder
from assistant.evidence.series import (
    ABSENT,
    EMPTY_SERIES,
    MAX_ROWS,
    NOT_APPLICABLE,
    NOT_OBTAINED,
    NUMBER,
    Column,
    Series,
)


def build(rows: list[Row], total: int | None = None, keep: Keep = FULL) -> Series:
    builder = SeriesBuilder(keep)
    for row in rows:
        builder.add(row, total)
    return builder.build()


def loss(line: int, value: float, step: int | None = None) -> Row:
    return Row(line, line if step is None else step, float(line), {"loss": (NUMBER, value)},
               f"line {line}")


def test_nothing() -> None:
    assert build([]) == EMPTY_SERIES


def test_columns_tell_the_four_kinds_apart() -> None:
    series = build([
        Row(1, 1, None, {"loss": (NUMBER, math.inf), "lr": (NUMBER, 0.1)}),
        Row(5, 2, 7.0, {"loss": (NOT_OBTAINED, 0.0)}),
        Row(9, 3, 8.0, {"loss": (NOT_APPLICABLE, 0.0), "lr": (NUMBER, 0.2)}),
    ], total=10)
    assert series.columns["loss"].kinds == bytes([NUMBER, NOT_OBTAINED, NOT_APPLICABLE])
    assert series.columns["loss"].values == (math.inf, 0.0, 0.0)
    assert series.columns["lr"].kinds == bytes([NUMBER, ABSENT, NUMBER])
    assert (series.steps, series.lines, series.times) == ((1, 2, 3), (1, 5, 9), (None, 7.0, 8.0))
    assert (series.rows, series.total_steps, series.total_line) == (3, 10, 9)


def test_all_rows_stay_while_they_are_few() -> None:
    series = build([loss(i, 1.0) for i in range(1, 900)])
    assert (series.steps, series.stride) == (tuple(range(1, 900)), 1)


def test_thinning_keeps_what_is_of_note() -> None:
    rng = random.Random(1)
    rows = [loss(i, 1.0 + rng.random()) for i in range(1, 30001)]
    rows[12344] = loss(12345, math.nan)
    rows[20000] = loss(20001, 99.0)
    rows[20002] = Row(20003, 20003, 1.0, {}, "absent")
    series = build(rows)
    assert len(series.steps) <= MAX_ROWS
    assert series.rows == 30000
    assert series.stride == 32
    assert {*range(1, 9), *range(30000 - 63, 30001), 12345, 20001, 20003} <= set(series.steps)
    assert set(range(32, 30001, 32)) <= set(series.steps)
    assert {1, 30000, 12345, 20001, 20003} <= set(series.texts)
    assert 3200 not in series.texts


def test_rows_are_bounded_whatever_they_hold() -> None:
    rng = random.Random(2)
    values = [math.nan, math.inf, -math.inf]
    rows = [Row(i, 0, None, {f"metric {rng.randrange(200)}": (rng.randrange(1, 4),
                                                             rng.choice([*values, rng.random()]))
                             for _ in range(20)}, "x") for i in range(1, 20000)]
    series = build(rows)
    assert len(series.steps) <= MAX_ROWS
    assert len(series.columns) <= rows_module.MAX_METRICS


def falling(count: int, seed: int) -> list[float]:
    """The loss of a run that learns: it falls from 12 to about 2, with some noise."""
    rng = random.Random(seed)
    return [2.0 + 10.0 * math.exp(-5.0 * i / count) + 0.05 * rng.random() for i in range(count)]


@pytest.mark.parametrize("name", ["loss", "grad_norm", "per_step_time"])
@pytest.mark.parametrize("every", [1, 10, 1000])
def test_a_late_peak_far_below_the_first_values_is_kept(name: str, every: int) -> None:
    for seed in range(12):
        values = falling(6000, seed)
        at = random.Random(seed).randrange(2000, 5900)
        values[at] *= 2.0
        series = build([Row(i + 1, (i + 1) * every, None, {name: (NUMBER, value)}, f"line {i}")
                        for i, value in enumerate(values)])
        assert at + 1 in series.lines
        assert series.texts[at + 1] == f"line {at}"
        assert len(series.lines) <= MAX_ROWS


@given(st.lists(st.tuples(st.integers(0, 500), st.one_of(
    st.floats(-5, 5), st.sampled_from([math.nan, math.inf]))), max_size=80))
@settings(deadline=None)
def test_of_every_stretch_the_first_of_the_largest_rows_is_kept(
        rows: list[tuple[int, float]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        tighten(patch)
        series = build([loss(line, value, step) for line, (step, value) in enumerate(rows, 1)],
                       keep=FEW)
        finite = [(line, step, value) for line, (step, value) in enumerate(rows, 1)
                  if math.isfinite(value)]
        places = {step // series.stretch for _, step, _ in finite}
        assert len(places) <= 3
        # ... and no shorter stretch would do.
        assert series.stretch == 1 or len({2 * s // series.stretch for _, s, _ in finite}) > 3
        for place in places:
            inside = [(line, value) for line, step, value in finite
                      if step // series.stretch == place]
            top = max(value for _, value in inside)
            line = min(line for line, value in inside if value == top)
            assert line in series.lines and line in series.texts


def test_most_important_metrics_are_kept() -> None:
    row = Row(1, 1, None, {**{f"a{i}": (NUMBER, 1.0) for i in range(200)},
                           "loss": (NUMBER, 2.0)})
    assert "loss" in build([row]).columns


CELLS = st.tuples(st.sampled_from([NUMBER, NUMBER, NUMBER, NOT_OBTAINED, NOT_APPLICABLE]),
                  st.sampled_from([0.0, 1.0, 2.0, 7.5, math.nan, math.inf, -math.inf]))
ROWS = st.lists(st.tuples(st.integers(0, 40), st.dictionaries(
    st.sampled_from(["loss", "lr", "grad_norm", "aux"]), CELLS)), max_size=60)


def tighten(patch: pytest.MonkeyPatch) -> None:
    """Make bounds so small that random rows exceed them."""
    patch.setattr(thinning, "NOTED_METRICS", 2)
    patch.setattr(thinning, "PEAKED", ("loss", "grad_norm"))
    patch.setattr(rows_module, "_BUFFER", 8)


FEW = Keep(first_hits=3, last_hits=2, first_rows=2, last_rows=3, abnormal_rows=1, largest_rows=2,
           stretches=3, strided_rows=4)
FEWER = Keep(first_hits=1, last_hits=1, first_rows=1, last_rows=2, abnormal_rows=1,
             largest_rows=1, stretches=2, strided_rows=2)


@given(ROWS, st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=300)
def test_result_does_not_depend_on_how_rows_were_cut(rows: list[tuple[int, dict[str, tuple[
        int, float]]]], rng: random.Random) -> None:
    with pytest.MonkeyPatch.context() as patch:
        tighten(patch)
        all_rows = [Row(line, step, None, {
            name: (kind, number if kind == NUMBER else 0.0)
            for name, (kind, number) in values.items()}, f"text {line}")
            for line, (step, values) in enumerate(rows, 1)]
        parts: list[list[Row]] = [[] for _ in range(4)]
        for row in all_rows:
            rng.choice(parts).append(row)
        whole = build(all_rows, 40, FEW)
        one, two = SeriesBuilder(FEW), SeriesBuilder(FEW)
        for part in parts[:2]:
            one.add_series(build(part, 40, FEW))
        for part in parts[2:]:
            two.add_series(build(part, 40, FEW))
        merged = SeriesBuilder(FEW)
        merged.add_series(two.build())
        merged.add_series(one.build())
        assert repr(merged.build()) == repr(whole)


@given(ROWS)
@settings(deadline=None, max_examples=300)
def test_what_is_thinned_later_is_the_same(
        rows: list[tuple[int, dict[str, tuple[int, float]]]]) -> None:
    all_rows = [Row(line, step, None, {
        name: (kind, number if kind == NUMBER else 0.0)
        for name, (kind, number) in values.items()}, f"text {line}")
        for line, (step, values) in enumerate(rows, 1)]
    with pytest.MonkeyPatch.context() as patch:
        tighten(patch)
        later = SeriesBuilder(FEWER)
        later.add_series(build(all_rows, 40, FEW))
        at_once = repr(build(all_rows, 40, FEWER))
        assert repr(later.build()) == at_once
        assert repr(rows_module.thinned(build(all_rows, 40, FEW), FEWER)) == at_once


def test_rows_out_of_order_are_thinned_as_a_builder_does() -> None:
    """Only a file that was tampered with holds them."""
    rows = build([loss(i, float(i % 7)) for i in range(1, 60)])
    turned = replace(rows, lines=rows.lines[::-1], texts={})
    builder = SeriesBuilder(FEW)
    builder.add_series(turned)
    assert repr(rows_module.thinned(turned, FEW)) == repr(builder.build())


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="not of one length"):
        Series(steps=(1, 2), lines=(1, 2), times=(None, None),
               columns={"loss": Column((1.0,), b"\1")})


def test_the_bounds_hold() -> None:
    most = FULL.first_rows + FULL.last_rows + FULL.strided_rows + (
        thinning.NOTED_METRICS * (6 * FULL.abnormal_rows + FULL.largest_rows)
        + len(thinning.PEAKED) * FULL.stretches)
    assert most <= MAX_ROWS
    assert for_files(10) is FULL and for_files(10_000) is LIGHT


def test_more_metrics_than_are_kept() -> None:
    """Whatever was cut or thinned, the most telling ones stay."""
    few = Keep(first_hits=1, last_hits=1, first_rows=1, last_rows=2, abnormal_rows=1,
               largest_rows=1, stretches=2, strided_rows=2)
    rows = [Row(line, line, None, {f"a{line % 90:02}": (NUMBER, 1.0), "loss": (NUMBER, 2.0),
                                   "grad_norm": (NUMBER, 3.0)}, f"line {line}")
            for line in range(1, 3000)]
    merged = SeriesBuilder(few)
    merged.add_series(build(rows[1500:], keep=few))
    merged.add_series(build(rows[:1500], keep=few))
    for series in (build(rows, keep=few), merged.build()):
        assert {"loss", "grad_norm"} < set(series.columns) and len(series.columns) <= 64
