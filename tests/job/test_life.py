from __future__ import annotations

import pytest

from assistant.evidence.types import FileEvidence, Line
from assistant.job import life
from assistant.job.life import Failure, Others, Own
from assistant.job.types import Exit, LogFile
from tests.job.support import T0, Log, job_of, process, scheduler, states, worker


def own_of(log: Log) -> Own:
    return life.read([LogFile(log.done(), "worker", "", 0)], {"banner": "started",
                                                              "training-start": "training"})


def test_phase_and_beginning() -> None:
    job = job_of(worker(0, 1))
    assert (process(job, 0).phase, process(job, 0).whole) == ("training", True)
    cut = Log("worker_0.log", 1).mark("building").steps(3)
    assert (process(job_of(cut), 0).phase, process(job_of(cut), 0).whole) == ("training", False)
    assert process(job_of(Log("worker_0.log").plain()), 0).phase == "started"


@pytest.mark.parametrize(("lines", "whole"), [
    (["banner", "cluster-formed"], True),
    (["config-file", "connection", "cluster-formed"], True),
    (["cluster-formed", "banner"], False),
    (["", "connection", "topology-retry+", "topology-retry", "cluster-formed"], True),
    (["", "connection", "cluster-formed"], True),
    (["connection", "topology-retry+", "cluster-formed"], False),
    (["registering", "connection", "topology-retry+", "cluster-formed"], False),
    (["topology-retry+", "topology-retry", "cluster-formed"], False),
    (["", "topology-retry", "cluster-formed"], False),
    (["cluster-formed", "building"], False),
    (["", "connection", "building"], False),
    (["", "building"], False)])
def test_the_beginning_of_a_log(lines: list[str], whole: bool) -> None:
    """What stands where `tail` may have cut a log; `+`: the first retry."""
    log = Log("worker_0.log")
    for name in lines:
        if not name:
            log.plain()
            continue
        log.mark(name.removesuffix("+"))
        if name.endswith("+"):
            log.hits["landmark/topology-first-retry"].append(log.hits["landmark/topology-retry"][-1])
    assert process(job_of(log.mark("communication-initialised")), 0).whole is whole


def test_end_of_training() -> None:
    assert states(job_of(worker(0, 1).steps(10))) == {0: "finished"}
    assert states(job_of(worker(0, 1).steps(9))) == {0: "running"}
    assert states(job_of(worker(0, 1).steps(3).mark("training-end"))) == {0: "finished"}
    assert states(job_of(worker(0, 1).mark("unregistered"))) == {0: "finished"}
    assert process(job_of(worker(0, 1).steps(10)), 0).phase == "finished"


def test_leaving_in_order_is_an_end() -> None:
    log = scheduler(range(2), 2).mark("node-unregistered", node=0)
    assert states(job_of(log, worker(0, 2).steps(3), worker(1, 2).steps(3))) == {
        0: "finished", 1: "running"}


@pytest.mark.parametrize("kind", ["traceback", "cann", "dataset", "cluster", "cpp-stack"])
def test_an_event_at_the_end_is_a_failure(kind: str) -> None:
    assert states(job_of(worker(0, 1).steps(3).event(kind).plain())) == {0: "failed"}


def test_a_crash_dump_is_a_crash() -> None:
    assert states(job_of(worker(0, 1).steps(3).event("native"))) == {0: "crashed"}


def test_a_process_that_went_on_did_not_fail() -> None:
    assert states(job_of(worker(0, 1).steps(3).event().steps(5, 4))) == {0: "running"}
    assert states(job_of(Log("worker_0.log").event().mark("building"))) == {0: "running"}
    assert process(job_of(worker(0, 1).steps(3).event().steps(5, 4)), 0).errors


def test_step_lines_that_were_held_back_prove_nothing() -> None:
    log = worker(0, 1).event()
    for number in (1, 2):
        log.plain()
        log.rows.append((number, log.line, None))
    assert states(job_of(log)) == {0: "failed"}


def test_an_ignored_exception_ends_nothing() -> None:
    log = worker(0, 1).steps(3).mark("exception-ignored").event()
    assert states(job_of(log)) == {0: "running"}


def test_an_exception_after_the_last_step() -> None:
    log = worker(0, 1).steps(10).event()
    assert states(job_of(log)) == {0: "failed"}
    well = scheduler([0], 1).mark("node-unregistered", node=0)
    assert states(job_of(log, well)) == {0: "finished"}


def test_who_ends_itself_because_of_the_cluster_was_killed() -> None:
    log = worker(0, 2).steps(3).mark("exception-callback").mark("self-sigterm").event()
    job = job_of(log, worker(1, 2).steps(3).event())
    assert states(job) == {0: "killed", 1: "failed"}


def test_an_error_before_ending_itself_is_its_own() -> None:
    log = worker(0, 1).steps(3).event().mark("self-sigterm")
    assert states(job_of(log)) == {0: "failed"}


@pytest.mark.parametrize(("code", "state"), [
    (1, "failed"), (3, "failed"), (None, "failed"), (-9, "crashed"), (-6, "crashed"),
    (137, "crashed"), (134, "crashed")])
def test_exit_codes(code: int | None, state: str) -> None:
    assert life.own_end(Own(read=True), Exit(code, None, "c", 1), False, False) == state


def test_exit_by_the_own_sigterm_is_killed() -> None:
    assert life.own_end(Own(read=True, sigterm=True), Exit(-15, None, "c", 1), False, False
                        ) == "killed"


def test_an_abort_after_an_exception_is_a_failure() -> None:
    own = own_of(worker(0, 1).event())
    assert life.own_end(own, Exit(-6, None, "c", 1), False, False) == "failed"


def test_killed_where_few_failed_and_the_log_ends_with_them() -> None:
    job = job_of(*[worker(r).steps(4) for r in (0, 1, 3)], worker(2).steps(4).event())
    assert states(job) == {0: "killed", 1: "killed", 2: "failed", 3: "killed"}


def test_stopped_where_all_others_failed_later() -> None:
    failed = [worker(r).steps(5).plain(after=30.0).event() for r in (0, 2, 3)]
    job = job_of(worker(1).steps(4).plain(after=31.0), *failed)
    assert states(job) == {0: "failed", 1: "stopped", 2: "failed", 3: "failed"}


def test_stopped_at_the_same_step_long_before_all_others_failed() -> None:
    failed = [worker(r).steps(5).plain(after=30.0).event() for r in (0, 2, 3)]
    assert states(job_of(worker(1).steps(5), *failed))[1] == "stopped"


def test_without_any_failure_a_timed_out_job_stopped() -> None:
    log = scheduler(range(2), 2).mark("node-timed-out", node=0)
    job = job_of(log, worker(0, 2).steps(4), worker(1, 2).steps(3))
    assert states(job) == {0: "stopped", 1: "stopped"}
    assert process(job, 0).timed_out is not None and process(job, 1).timed_out is None


def test_a_healthy_job_is_still_running() -> None:
    assert states(job_of(worker(0, 2).steps(4), worker(1, 2).steps(3))) == {
        0: "running", 1: "running"}


def test_a_job_that_stands_still_stopped() -> None:
    log = scheduler(range(2), 2).plain(after=3600.0)
    assert states(job_of(log, worker(0, 2).steps(4), worker(1, 2).steps(3))) == {
        0: "stopped", 1: "stopped"}
    slow = scheduler(range(2), 2).plain(after=300.0)
    assert states(job_of(slow, worker(0, 2).steps(4), worker(1, 2).steps(3))) == {
        0: "running", 1: "running"}
    assert states(job_of(log, worker(0, 2), worker(1, 2))) == {0: "running", 1: "running"}
    assert states(job_of(log, worker(0, 2).steps(10), worker(1, 2).steps(10))) == {
        0: "finished", 1: "finished"}


def test_a_job_that_was_stopped_while_it_stood_still_stopped() -> None:
    def ended(after: float) -> dict[int, str]:
        console = (Log("console.log").mark("console-spawned")
                   .mark("console-worker", rank=0, file="worker_0.log")
                   .mark("console-worker", rank=1, file="worker_1.log")
                   .plain(after=after).mark("console-interrupted"))
        return states(job_of(console, worker(0, 2).steps(4), worker(1, 2).steps(4)))

    assert ended(60.0) == {0: "stopped", 1: "stopped"}
    assert ended(5.0) == {0: "killed", 1: "killed"}


def test_giving_up_the_cluster_is_a_failure() -> None:
    log = Log("worker_0.log", 1).mark("connect-failed").mark("networking-failed")
    assert states(job_of(log)) == {0: "failed"}


def test_an_msrun_that_waits_for_nobody_kills_nobody() -> None:
    console = Log("console.log").mark("console-worker", rank=0, file="worker_0.log")
    job = job_of(console, worker(0, 2).steps(4), worker(1, 2).steps(4).event())
    assert states(job) == {0: "stopped", 1: "failed"}


def test_error_lines_at_the_end_of_a_bad_job_are_a_failure() -> None:
    job = job_of(worker(0, 2).steps(4).error(), worker(1, 2).steps(4).event())
    assert states(job) == {0: "failed", 1: "failed"}
    assert states(job_of(worker(0, 1).steps(4).error())) == {0: "running"}
    early = worker(0, 2).error().steps(4)
    assert states(job_of(early, worker(1, 2).steps(4).event()))[0] == "killed"


def test_before_training_only_a_lone_straggler_is_behind() -> None:
    others = Others([Failure(None, "building", T0)] * 3, silent=1)
    assert life.silent_end(Own(read=True, phase="joined"), T0, others) == "stopped"
    few = Others([Failure(None, "building", T0)], silent=3)
    assert life.silent_end(Own(read=True, phase="joined"), T0, few) == "killed"


def test_a_stage_that_prints_no_steps_is_not_behind() -> None:
    others = Others([Failure(5, "training", T0)], silent=3)
    assert life.silent_end(Own(read=True, phase="training"), T0, others) == "killed"
    assert life.silent_end(Own(read=True, phase="building"), T0, others) == "stopped"


def test_empty_and_absent() -> None:
    job = job_of(scheduler([0, 1], 3), worker(0, 3), FileEvidence("msrun_log/worker_1.log"))
    assert states(job) == {0: "running", 1: "empty", 2: "absent"}
    assert process(job, 1).phase == "registered"
    assert process(job, 1).last_line is None


def test_a_lone_log_says_nothing_of_the_others() -> None:
    assert states(job_of(worker(3, 8).steps(2))) == {3: "running"}


def test_a_fragment() -> None:
    job = job_of(Log("pasted.txt").event())
    assert [(p.key, p.rank, p.state, p.errors) for p in job.processes] == [
        ("pasted.txt", None, "failed", True)]


def test_last_line_and_times() -> None:
    log = worker(0, 1).steps(3).plain("the end")
    found = process(job_of(log), 0)
    assert found.last_line == (log.line, "the end")
    assert found.last_time == log.time
    assert found.last_step == 3


def test_nothing_is_claimed_of_what_no_process_wrote() -> None:
    junk = FileEvidence("msrun_log/worker_1.log", size=9, lines=2,
                        head=(Line(1, "hello"),), tail=(Line(2, "world"),))
    job = job_of(Log("msrun_log/worker_0.log").started(0, 2).event(), junk)
    assert states(job) == {0: "failed", 1: "running"}
