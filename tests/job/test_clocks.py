from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.job.clocks import order
from tests.job.support import T0, Log, job_of, worker


def two_nodes(skew: float, steps: int = 5, registered: bool = True) -> tuple[Log, ...]:
    """Rank 0 on `a` with the scheduler, rank 1 on `b`, whose clock is ahead by `skew`."""
    head = Log("a/scheduler.log", 9, T0).mark("scheduler-begin")
    for rank, host in enumerate("ab"):
        head.mark("node-registered", node=rank, rank=rank, host=host, ip=f"192.0.2.{rank}",
                  registered=rank + 1, expected=2)
    head.mark("cluster-formed")
    logs = []
    for rank, folder in enumerate("ab"):
        log = Log(f"{folder}/worker_{rank}.log", rank, T0 + 0.3 + rank * skew)
        if registered:
            log.started(rank, 2)
        log.at(T0 + 20 + rank * skew).steps(steps)
        logs.append(log)
    return (head, *logs)


@pytest.mark.parametrize("skew", [0.0, 3600.0, -7.5])
def test_offset_of_another_node(skew: float) -> None:
    clock = job_of(*two_nodes(skew)).clocks["b"]
    assert abs(clock.offset - skew) <= clock.error <= 1.0


def test_steps_alone_are_enough() -> None:
    clock = job_of(*two_nodes(100.0, registered=False)).clocks["b"]
    assert abs(clock.offset - 100.0) <= clock.error <= 2.0


def test_nothing_shared_nothing_known() -> None:
    job = job_of(*two_nodes(0.0, steps=0, registered=False))
    assert job.clocks["b"].error == math.inf
    assert order(job, "a", T0, "b", T0 + 1e9) == 0


def test_the_reference_is_the_schedulers_node() -> None:
    assert job_of(*two_nodes(5.0)).clocks["a"].error == 0.0


def test_order() -> None:
    job = job_of(*two_nodes(3600.0))
    assert order(job, "a", 1.0, "a", 2.0) == -1
    assert order(job, "a", 2.0, "a", 1.0) == 1
    assert order(job, "a", 1.0, "a", 1.0) == 0
    assert order(job, "a", T0, "b", T0 + 3500.0) == 1
    assert order(job, "a", T0, "b", T0 + 3700.0) == -1
    assert order(job, "a", T0, "b", T0 + 3600.0) == 0
    assert order(job, None, T0, "b", T0 + 3700.0) == 0
    assert order(job, "a", None, "b", T0) == 0


def test_one_node_needs_no_name() -> None:
    job = job_of(worker(0, 1).steps(2))
    assert order(job, None, 1.0, "", 2.0) == -1


def test_one_machine_with_two_folders_has_one_clock() -> None:
    logs = [Log(f"{f}/worker_{r}.log", r).started(r, 2).mark(
        "connection", ip="192.0.2.7", master="192.0.2.7", port=1) for r, f in enumerate("ab")]
    assert job_of(*logs).clocks["b"].error == 0.0


@given(skew=st.floats(-1e5, 1e5), waits=st.lists(st.floats(0.1, 50.0), min_size=3, max_size=12),
       lags=st.lists(st.floats(0.0, 0.9), min_size=12, max_size=12))
def test_steps_always_hold_the_true_offset(
        skew: float, waits: list[float], lags: list[float]) -> None:
    """Rank 1 ends every step later than rank 0, but before rank 0 ends the next one."""
    one, other = Log("a/worker_0.log", 0, T0), Log("b/worker_1.log", 1, T0)
    for step, wait in enumerate(waits, 1):
        one.step(step, wait)
        assert one.time is not None
        following = waits[step] if step < len(waits) else wait
        other.at(one.time + lags[step - 1] * following + skew).step(step, 0.0)
    clock = job_of(one, other).clocks["b"]
    assert abs(clock.offset - skew) <= clock.error + 1e-3
