"""Ranks that were lost, by the worker logs alone."""

from __future__ import annotations

from tests.job.support import T0, Log, job_of, states, worker

STOPPED = {0: "running", 1: "running", 2: "stopped"}
RUNNING = dict.fromkeys(range(3), "running")


def at_step(rank: int, step: int, total: int = 9000) -> Log:
    """A worker in the middle of training, all of them at the same time."""
    log = worker(rank, 3).at(T0 + 10).steps(step)
    log.total = total
    return log


def gone(log: Log) -> Log:
    return log.mark("peer-gone", ip="127.0.0.1", port=8886)


def test_one_stops_and_another_sees_its_connection_close() -> None:
    assert states(job_of(gone(at_step(0, 5)), at_step(1, 5), at_step(2, 4))) == STOPPED
    assert states(job_of(gone(at_step(0, 4)).step(5), at_step(1, 5), at_step(2, 4))) == STOPPED


def test_a_rank_that_is_not_behind_or_lives_on_is_not_lost() -> None:
    assert states(job_of(gone(at_step(0, 5)), at_step(1, 5), at_step(2, 5))) == RUNNING
    later = at_step(2, 4).at(T0 + 60).plain()
    assert states(job_of(gone(at_step(0, 5)), at_step(1, 5), later)) == RUNNING


def test_who_sees_a_connection_close_lives() -> None:
    logs = [gone(at_step(0, 5)), at_step(1, 5), gone(at_step(2, 4))]
    assert states(job_of(*logs)) == RUNNING


def test_connections_of_the_start_mean_nothing() -> None:
    first = worker(0, 3).at(T0 + 5)
    first.hits["landmark/peer-gone"].append(first.hits["landmark/banner"][0])
    assert states(job_of(first.at(T0 + 10).steps(5), at_step(1, 5), at_step(2, 4))) == RUNNING


def test_the_others_go_on_for_long() -> None:
    assert states(job_of(at_step(0, 900), at_step(1, 900), at_step(2, 4))) == STOPPED
    assert states(job_of(at_step(0, 500), at_step(1, 500), at_step(2, 4))) == RUNNING


def test_slow_steps_need_longer() -> None:
    slow = [worker(rank, 3) for rank in range(3)]
    for log, last in zip(slow, (16, 16, 3), strict=True):
        for step in range(1, last + 1):
            log.step(step, 60.0)
        log.total = 99
    assert states(job_of(*slow)) == RUNNING
    assert states(job_of(slow[0].step(30, 900.0), slow[1], slow[2])) == STOPPED


def test_logs_of_another_node_may_be_older() -> None:
    here = [at_step(rank, 900) for rank in (0, 1)]
    there = [at_step(rank, 4) for rank in (2, 3)]
    for log in (*here, *there):
        log.name = ("a/" if log in here else "b/") + log.name
        log.total = 9000
    assert set(states(job_of(*here, *there)).values()) == {"running"}


def test_most_of_the_ranks_are_not_lost() -> None:
    logs = [at_step(0, 900), at_step(1, 4), at_step(2, 4)]
    assert states(job_of(*logs)) == RUNNING


def test_who_is_through_is_not_lost() -> None:
    """The others may be writing down their last step."""
    assert states(job_of(gone(at_step(0, 9, 10)), at_step(1, 10, 10), at_step(2, 10, 10))) == {
        0: "running", 1: "finished", 2: "finished"}
