"""What came first, where it is sound to say so."""

from __future__ import annotations

from assistant.diagnose.timeline import reference_time
from assistant.job.types import Clock
from tests.diagnose.pairs import distance, order
from tests.diagnose.support import T0, match, view, worker

CLOCKS = {"a": Clock(0.0, 0.0), "b": Clock(100.0, 2.0), "c": Clock()}
VIEW = view(worker(0, "a"), worker(1, "b"), worker(2, "c"), clocks=CLOCKS)


def test_lines_decide_in_one_file_whatever_the_times() -> None:
    early, late = match("f", 3, T0 + 9), match("f", 5, T0)
    assert (order(VIEW, early, late), order(VIEW, late, early)) == (-1, 1)
    assert order(VIEW, early, early) == 0


def test_the_clock_decides_on_one_node() -> None:
    assert order(VIEW, match("f", 9, T0), match("g", 1, T0 + 0.1)) == -1
    assert order(VIEW, match("f", 9, T0), match("g", 1, T0)) == 0
    assert order(VIEW, match("f", 9, None), match("g", 1, T0)) == 0


def test_between_nodes_the_difference_must_exceed_what_is_not_known() -> None:
    here = match("f", 1, T0, "a")
    assert order(VIEW, here, match("g", 1, T0 + 100 + 3, "b")) == -1
    assert order(VIEW, here, match("g", 1, T0 + 100 - 3, "b")) == 1
    assert order(VIEW, here, match("g", 1, T0 + 100 + 1, "b")) == 0
    assert order(VIEW, here, match("g", 1, T0 + 1e6, "c")) == 0


def test_distance_on_the_reference_clock() -> None:
    there = match("g", 1, T0 + 130, "b")
    assert reference_time(VIEW, there) == T0 + 30
    assert distance(VIEW, match("f", 1, T0 + 10), there) == 20
    assert distance(VIEW, match("f", 1), there) is None
    assert reference_time(VIEW, match("f", 1, T0, "unknown")) == T0
