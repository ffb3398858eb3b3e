from __future__ import annotations

from assistant.job.ranks import main_pid, stated_rank
from assistant.job.types import Job
from tests.job.support import Log, job_of, process, scheduler, states, worker


def rank_of(job: Job, name: str) -> int | None:
    return next(f.rank for f in job.files if f.name == name)


def test_the_log_counts_before_its_name() -> None:
    logs = [Log(f"b/worker_{n}.log", n).started(n + 2) for n in (0, 1)]
    job = job_of(worker(0, folder="a/"), worker(1, folder="a/"), *logs)
    assert [rank_of(job, f"b/worker_{n}.log") for n in (0, 1)] == [2, 3]


def test_a_log_that_states_nothing_goes_by_its_name() -> None:
    job = job_of(Log("worker_3.log", time=None).event())
    assert states(job) == {3: "failed"}


def test_where_numbers_are_local_the_offset_of_the_others_holds() -> None:
    stated = Log("b/worker_0.log", 1).started(2)
    mute = Log("b/worker_1.log", 2).mark("banner", mode="PYNATIVE").event()
    job = job_of(worker(0, folder="a/"), worker(1, folder="a/"), stated, mute)
    assert rank_of(job, "b/worker_1.log") == 3


def test_where_no_log_of_a_node_states_a_rank_the_free_ones_are_its() -> None:
    mute = [Log(f"b/worker_{n}.log", n).mark("connection").event() for n in (0, 1)]
    job = job_of(scheduler([0, 1], 4, "a/"), worker(0, folder="a/"), worker(1, folder="a/"), *mute)
    assert [rank_of(job, f"b/worker_{n}.log") for n in (0, 1)] == [2, 3]


def test_two_nodes_that_state_nothing_stay_fragments() -> None:
    logs = [Log(f"{folder}/worker_{n}.log", time=None).event()
            for folder in ("a", "b") for n in (0, 1)]
    job = job_of(*logs)
    assert states(job) == {}
    assert [p.key for p in job.processes] == [
        "a/worker_0.log", "a/worker_1.log", "b/worker_0.log", "b/worker_1.log"]


def test_console_says_that_numbers_are_local() -> None:
    console = Log("b/console.log").mark("console-auto-rank")
    job = job_of(console, Log("b/worker_0.log").event(), Log("b/worker_1.log").event())
    assert states(job) == {}


def test_console_gives_the_rank_of_a_renamed_log() -> None:
    console = Log("console.log").mark("console-worker", rank=2, file="msrun_log/h_7.log")
    job = job_of(console, Log("msrun_log/h_7.log", 5).mark("connection"))
    assert rank_of(job, "msrun_log/h_7.log") == 2


def test_a_log_of_several_ranks_has_none() -> None:
    log = Log("worker.log", 1).started(0).started(1)
    assert stated_rank(log.done()) is None
    assert states(job_of(log)) == {}


def test_data_set_and_launcher_state_ranks_too() -> None:
    assert stated_rank(Log("x").mark("data-rank", rank=5, stage=1).done()) == 5
    assert stated_rank(Log("x").mark("launcher-rank", rank=-1, device=0).done()) is None


def test_who_states_the_rank_is_the_process() -> None:
    log = Log("worker_0.log", 8).mark("connection").mark("connection")
    log.mark("rank-stated", pid=9, rank=0)
    assert main_pid(log.done()) == 9


def test_cann_log_belongs_to_the_worker_of_its_process() -> None:
    plog = Log("debug/plog/plog-101_2026.log", 101).mark("hccl-rank", world=2, rank=0).error()
    job = job_of(worker(0), worker(1), plog)
    assert rank_of(job, plog.name) == 1
    assert process(job, 1).files == ("msrun_log/worker_1.log", plog.name)


def test_cann_log_of_a_stranger_stays_alone_where_workers_are_known() -> None:
    plog = Log("debug/plog/plog-999_2026.log", 999).mark("hccl-rank", world=2, rank=0).error()
    job = job_of(worker(0), worker(1), plog)
    assert rank_of(job, plog.name) is None
    assert job.processes[-1].key == plog.name


def test_without_workers_the_largest_communicator_counts() -> None:
    plog = Log("plog/plog-5_1.log", 5)
    plog.mark("hccl-rank", world=2, rank=1).mark("hccl-rank", world=16, rank=9, device=1)
    other = Log("plog/plog-6_1.log", 6).mark("hccl-rank", world=2, rank=0)
    job = job_of(plog, other)
    assert rank_of(job, plog.name) == 9
    assert rank_of(job, other.name) is None
    assert process(job, 9).device == 1
    assert job.facts["world_size"] == 16
    assert states(job) == {9: "running"}


def test_cann_logs_and_screen_of_one_process_are_one() -> None:
    parts = [Log(f"{kind}/plog/plog-5_1.log", 5).mark("hccl-device", device=3).error()
             for kind in ("debug", "run")]
    screen = Log("console.log", 5).mark("launcher-rank", rank=-1, device=3).event("cann", "EI0006")
    job = job_of(*parts, screen)
    assert [p.key for p in job.processes] == ["console.log"]
    assert len(job.processes[0].files) == 3
