from __future__ import annotations

from assistant.evidence.series import ABSENT, NUMBER
from assistant.scan.steplines import StepCollector

STEP = (b"2026-11-30 08:29:12,661 - mindformers/log[a.py:337] - INFO - { step:[ %4d/  100], "
        b"loss:  %f, per_step_time:   1081ms, grad_norm: NaN }")
GRAPH = (b"- INFO - { Epoch:[  2/  2], step:[    3/   19], loss:[1.5/2.5], per_step_time: 10ms, "
         b"lr: 0.5, overflow cond: False, loss_scale: 1.0")
MONITOR = b'{"step": %d, "micro_step": 0, "local_loss": %f}'


def collect(*lines: bytes) -> StepCollector:
    collector = StepCollector()
    for number, line in enumerate(lines, 1):
        collector.take(number, line, float(number))
    return collector


def test_step_lines_become_rows() -> None:
    series = collect(b"text", STEP % (1, 2.5), STEP % (2, 2.0)).build()
    assert (series.steps, series.lines, series.times) == ((1, 2), (2, 3), (2.0, 3.0))
    assert series.columns["loss"].values == (2.5, 2.0)
    assert (series.total_steps, series.rows) == (100, 2)


def test_whether_it_is_a_step_line() -> None:
    collector = StepCollector()
    assert collector.take(1, STEP % (1, 1.0), None)
    assert collector.take(2, MONITOR % (1, 1.0), None)
    assert not collector.take(3, b"step one is done", None)


def test_values_of_monitors_join_the_row_of_their_step() -> None:
    before = collect(MONITOR % (1, 7.0), MONITOR % (1, 9.0), STEP % (1, 2.5), STEP % (2, 2.0))
    after = collect(STEP % (1, 2.5), MONITOR % (1, 9.0), STEP % (2, 2.0))
    for series in (before.build(), after.build()):
        assert series.steps == (1, 2)
        assert series.columns["local_loss"].values == (9.0, 0.0)
        assert series.columns["local_loss"].kinds == bytes([NUMBER, ABSENT])
        assert series.rows == 2


def test_rows_of_monitors_alone_count_where_there_is_no_step_line() -> None:
    assert collect(MONITOR % (1, 7.0), MONITOR % (2, 9.0)).build().steps == (1, 2)
    assert collect(MONITOR % (0, 7.0), STEP % (1, 2.5)).build().steps == (1,)


def test_two_ranks_in_one_console() -> None:
    series = collect(b"[rank0]: " + STEP % (1, 2.5), b"[rank1]: " + STEP % (1, 3.5)).build()
    assert series.steps == (1, 1)
    assert series.columns["loss"].values == (2.5, 3.5)


def test_layouts_may_change_on_the_way() -> None:
    nan = (STEP % (3, 0.0)).replace(b"0.000000", b"nan")
    more = (STEP % (4, 1.0)).replace(b" }", b", throughput:   2.5T }")
    series = collect(STEP % (1, 2.5), STEP % (2, 2.25), nan, more, STEP % (5, 1.5), GRAPH).build()
    assert series.steps == (1, 2, 3, 4, 5, 22)
    assert repr(tuple(series.columns["loss"].values)) == "(2.5, 2.25, nan, 1.0, 1.5, 1.5)"
    assert series.columns["throughput"].kinds == bytes([0, 0, 0, NUMBER, 0, 0])
