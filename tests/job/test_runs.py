from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.job.runs import begin_time, last_run, launches, stale_names
from assistant.job.types import LogFile
from tests.job.support import T0, Log, job_of, process, scheduler, states, worker


def test_one_run() -> None:
    assert last_run(worker(0).steps(3).done(), "worker") == (1, 1)


def test_a_second_banner_begins_a_run() -> None:
    log = worker(0, pid=11).steps(5).event()
    first = log.line
    log.pid = 22
    log.started(0).steps(2)
    assert last_run(log.done(), "worker") == (first + 1, 2)


def test_a_banner_twice_in_a_row_is_one_run() -> None:
    log = Log("worker_0.log", 7).mark("banner", pid=None, mode="GRAPH")
    log.mark("banner", pid=None, mode="GRAPH").mark("connection").step(1)
    assert last_run(log.done(), "worker") == (1, 1)


def test_a_rank_stated_again_by_the_same_process_is_one_run() -> None:
    log = worker(0, pid=11).mark("rank-stated", node=0, rank=0).steps(2)
    assert last_run(log.done(), "worker").number == 1


def test_without_banner_the_run_begins_with_the_new_process() -> None:
    log = Log("worker_0.log", 11).mark("connection").mark("rank-stated", node=0, rank=0).steps(2)
    before = log.line
    log.pid = 22
    log.mark("connection").mark("rank-stated", node=0, rank=0)
    assert last_run(log.done(), "worker") == (before + 1, 2)


def test_the_step_counter_falls_back_with_a_new_process() -> None:
    log = Log("worker_0.log", 11).mark("connection").steps(5)
    log.pid = 22
    log.mark("connection").steps(2)
    assert last_run(log.done(), "worker") == (8, 2)
    one = Log("worker_0.log", 11).mark("connection").steps(5).mark("connection").steps(2)
    assert last_run(one.done(), "worker").number == 1


def test_many_ranks_in_one_file_are_no_runs() -> None:
    log = Log("all.log", 1).started(0).steps(2)
    log.pid = 2
    log.started(1).steps(2)
    assert last_run(log.done(), "worker") == (1, 1)


def test_console_of_two_launches() -> None:
    log = Log("console.log")
    for _ in range(2):
        log.mark("console-scheduler", file="s.log")
        for rank in range(2):
            log.mark("console-worker", rank=rank, file=f"worker_{rank}.log")
        log.mark("console-spawned")
    assert last_run(log.done(), "console") == (5, 2)


def test_only_the_last_run_counts() -> None:
    log = worker(0, 1, pid=11).steps(4).event().error()
    log.pid = 22
    log.started(0, 1).steps(2)
    log.total = 2
    job = job_of(log)
    rank = process(job, 0)
    assert (rank.state, rank.pid, rank.last_step, rank.errors) == ("finished", 22, 2, False)
    assert rank.series.rows == 2 and rank.whole
    assert job.first_time is not None and job.first_time > T0 + 4


def test_files_of_an_earlier_job_are_stale() -> None:
    old = [worker(rank, start=T0 - 5000).steps(3).event() for rank in (2, 3)]
    new = [worker(rank, 2).steps(10) for rank in (0, 1)]
    job = job_of(scheduler(range(2), 2), *new, *old)
    assert states(job) == {0: "finished", 1: "finished"}
    assert {f.name for f in job.files if f.stale} == {
        "msrun_log/worker_2.log", "msrun_log/worker_3.log"}


def test_a_rank_beyond_the_world_is_stale_at_any_time() -> None:
    job = job_of(scheduler(range(2), 2), worker(0, 2), worker(1, 2), worker(2, 3).event())
    assert states(job) == {0: "running", 1: "running"}


def test_an_early_death_is_not_stale() -> None:
    early = Log("msrun_log/worker_1.log", 7, T0 - 50).mark("banner", mode="GRAPH").event()
    job = job_of(scheduler([0], 2), worker(0, 2), early)
    assert states(job)[1] == "failed"


def test_folders_are_not_compared_with_each_other() -> None:
    far = [worker(rank, folder="b/", start=T0 - 90_000) for rank in (2, 3)]
    job = job_of(scheduler(range(4), folder="a/"), worker(0, folder="a/"), worker(1, folder="a/"),
                 *far)
    assert not any(f.stale for f in job.files)


def test_an_old_cann_log_is_stale_unless_it_is_of_a_process_of_the_job() -> None:
    logs = [Log(f"ascend/log/debug/plog/plog-{pid}_1.log", pid, T0 - 30_000).error()
            for pid in (100, 999)]
    job = job_of(scheduler([0], 1), worker(0, 1), *logs)
    assert [f.name for f in job.files if f.stale] == [logs[1].name]


def test_a_folder_of_an_earlier_launch() -> None:
    old = [worker(r, 2, "first/", start=T0 - 500).steps(3).event() for r in range(2)]
    new = [worker(r, 2, "second/").steps(10) for r in range(2)]
    job = job_of(*old, *new)
    assert states(job) == {0: "finished", 1: "finished"}
    assert {f.name for f in job.files if f.stale} == {log.name for log in old}


def test_folders_of_one_launch_share_no_rank() -> None:
    far = [worker(r, folder="b/", start=T0 + 5000).steps(10) for r in (2, 3)]
    job = job_of(*[worker(r, folder="a/").steps(10) for r in (0, 1)], *far)
    assert not any(f.stale for f in job.files)


def test_begin_time_of_the_last_run() -> None:
    evidence = worker(0).steps(3).done()
    assert begin_time(LogFile(evidence, "worker", "")) == evidence.first_time
    later = begin_time(LogFile(evidence, "worker", "", run_start=5))
    assert later is not None and evidence.first_time is not None and later > evidence.first_time


def test_two_jobs_one_after_the_other() -> None:
    early = [scheduler(range(2), 4, folder="b/"), *(
        Log(f"b/worker_{rank}.log", 50 + rank).mark("connection") for rank in range(4))]
    late = [scheduler(range(4), folder="a/", start=T0 + 500),
            *(worker(rank, folder="a/", start=T0 + 500).steps(10) for rank in range(4))]
    job = job_of(*early, *late)
    assert {file.name for file in job.files if file.stale} == {log.name for log in early}
    assert {process.rank for process in job.processes} == {0, 1, 2, 3}


def test_two_jobs_at_the_same_time_are_both_counted() -> None:
    logs = [scheduler(range(2), 2, folder="a/"),
            scheduler(range(2), 2, folder="b/", start=T0 + 0.2)]
    job = job_of(*logs)
    assert not any(file.stale for file in job.files)
    assert sorted(launches(job.files)) == ["a", "b"]


def test_a_copy_of_a_scheduler_log_is_no_launch() -> None:
    job = job_of(scheduler(range(2), 2, folder="a/"), scheduler(range(2), 2, folder="b/"))
    assert sorted(launches(job.files)) == ["a"]


def timed_to(log: Log, line: int) -> LogFile:
    """A worker log of which the last line with a time is this one."""
    return LogFile(replace(log.done(), time_lines=(1, line)), "worker", "")


@pytest.mark.parametrize(("came", "fresh", "stale"), [
    ((), (), ()),                 # no worker is of the launch: all failed before they logged
    ((0, 1, 3), (0, 1, 3), ()),   # the scheduler waited for rank 2 in vain
    ((0, 1), (0, 1), (2,)),       # of two ranks: the third is left from before
    ((0, 1, 2, 3), (0, 1), (2,)),  # rank 2 came, so that it logged: this log is another one
])
def test_a_failure_without_a_time_below_an_earlier_run(
        came: tuple[int, ...], fresh: tuple[int, ...], stale: tuple[int, ...]) -> None:
    """What a rerun appends before it logs anything, as a failed import."""
    expected = 2 if came == (0, 1) else 4
    begun = Log("scheduler.log").at(T0 + 900).mark("scheduler-begin")
    for rank in came:
        begun.mark("node-registered", rank=rank, node=rank, expected=expected)
    files = [LogFile(begun.done(), "scheduler", "")]
    for rank in range(4):
        log = worker(rank).steps(3)
        last = log.line
        if rank in fresh:
            files.append(timed_to(worker(rank, 8).at(T0 + 901).steps(1), last))
        elif rank == 2 or not fresh:
            files.append(timed_to(log.event(), last))
    assert stale_names(files) == {f"msrun_log/worker_{rank}.log" for rank in stale}
    ended = [LogFile(replace(file.evidence, events=()), file.role, "") for file in files]
    assert "msrun_log/worker_2.log" in stale_names(ended)  # nothing was appended
