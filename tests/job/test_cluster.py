from __future__ import annotations

from assistant.job import cluster
from assistant.job.types import LogFile
from tests.job.support import Log, scheduler


def read(*logs: Log) -> cluster.Cluster:
    roles = {"scheduler.log": "scheduler", "console.log": "console", "worker_0.log": "worker"}
    return cluster.read([LogFile(log.done(), roles[log.name], "") for log in logs])


def test_registrations() -> None:
    known = read(scheduler([2, 0], 4, "", per_host=2))
    assert known.registered() == {0, 2}
    assert (known.count, known.expected, known.formed) == (2, 4, False)
    assert known.members[2].host == "host-1" and known.members[2].ip == "192.0.2.2"
    assert known.members[2].device == 0


def test_a_cluster_that_formed_holds_everyone() -> None:
    log = scheduler([0], 4, "").mark("cluster-alive", alive=4)
    assert read(log).registered() == {0, 1, 2, 3}


def test_names_get_their_ranks_when_the_cluster_is_complete() -> None:
    log = Log("scheduler.log", 1).mark("scheduler-begin")
    for node in ("aa", "bb"):
        log.mark("node-registered", node=node, rank=-1, host=f"h-{node}", registered=1, expected=2)
    for node, rank in (("bb", 0), ("aa", 1)):
        log.mark("rank-assigned", node=node, rank=rank, host=f"h-{node}", ip="192.0.2.9", device=0)
    log.mark("node-timed-out", node="aa").mark("node-unregistered", node="bb")
    known = read(log)
    assert known.members[1].host == "h-aa"
    assert list(known.timed_out) == [1]
    assert known.unregistered == {0}


def test_a_worker_states_the_rank_of_a_name() -> None:
    log = Log("scheduler.log", 1).mark("node-timed-out", node="7f3a")
    worker = Log("worker_0.log", 2).mark("rank-stated", node="7f3a", rank=5)
    assert list(read(log, worker).timed_out) == [5]


def test_both_wordings_of_the_list() -> None:
    log = Log("scheduler.log", 1).at(5.0).mark("timed-out-list", nodes="0, 3", total=2)
    known = read(log)
    assert set(known.timed_out) == {0, 3}
    assert known.timed_out[0] > 5.0
    old = Log("console.log", None).at(None).mark("timed-out-list", nodes="'3', '1'")
    assert read(old).timed_out == {3: 0.0, 1: 0.0}


def test_the_console_speaks_only_where_the_scheduler_is_missing() -> None:
    console = Log("console.log").mark("node-timed-out", node="1")
    assert set(read(console).timed_out) == {1}
    assert set(read(scheduler([], 4, ""), console).timed_out) == set()


def test_zero_registered_needs_the_beginning() -> None:
    assert read(scheduler([], 4, "")).count == 0
    assert read(Log("scheduler.log").mark("cluster-alive", alive=4)).count is None


def test_progress_lines_count_too() -> None:
    log = Log("scheduler.log").mark("cluster-progress", registered=3, expected=8)
    known = read(log)
    assert (known.count, known.expected) == (3, 8)


def test_stale_schedulers_say_nothing() -> None:
    file = LogFile(scheduler([0], 4, "").done(), "scheduler", "", stale=True)
    assert cluster.read([file]) == cluster.Cluster()
