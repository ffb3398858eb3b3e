from __future__ import annotations

from assistant.evidence.types import Hit
from assistant.job import console
from assistant.job.types import LogFile
from tests.job.support import Log, job_of, process, states, worker


def read(log: Log) -> tuple[console.Console, ...]:
    return console.read([LogFile(log.done(), "console", "")])


def ended(log: Log, pid: int, code: int | None = None) -> Log:
    """msrun names a process that ended."""
    log.plain("Worker process exit with exception")
    captures = (("code", str(code)), ("pid", str(pid))) if code is not None else (
        ("pid", str(pid)),)
    log.hits["landmark/console-exit"].append(
        Hit(log.line, "exit", log.time, captures, "ERROR", "ME", 1))
    return log


def launched(*ranks: int, folder: str = "") -> Log:
    """The console of an msrun that waits for its workers."""
    log = Log(f"{folder}console.log")
    for rank in ranks:
        log.mark("console-worker", rank=rank, file=f"msrun_log/worker_{rank}.log")
    return log.mark("console-spawned")


def test_what_msrun_prints() -> None:
    log = Log("console.log").mark("launcher-command", world=16, local=8, index=1)
    log.mark("console-worker", rank=8, file="out/msrun_log/worker_8.log").mark("console-spawned")
    log.mark("rank-stated", pid=7, node=8, rank=8)
    found = read(ended(log, 7, -9))[0]
    assert (found.world, found.local, found.index) == (16, 8, 1)
    assert found.logs == {"worker_8.log": 8}
    assert found.pids == {7: 8}
    assert found.exits[7].code == -9 and found.exits[7].line == log.line
    assert found.joined and found.failed and not found.kills


def test_a_screen_that_msrun_did_not_print_on_is_none() -> None:
    assert read(Log("console.log").event()) == ()


def test_older_msrun_prints_no_code() -> None:
    assert read(ended(Log("console.log"), 5))[0].exits[5].code is None


def test_ranks_given_later() -> None:
    log = Log("console.log").mark("console-worker", rank="None", file="worker_0.log")
    assert read(log)[0].auto_ranks


def test_exit_code_reaches_the_rank_of_the_process() -> None:
    log = ended(launched(0, 1), 101, -9).mark("console-kill")
    job = job_of(worker(0, 2).steps(5), worker(1, 2).steps(4), log)
    assert states(job) == {0: "killed", 1: "crashed"}
    end = process(job, 1).exit
    assert end is not None and (end.code, end.file) == (-9, "console.log")
    assert process(job, 0).exit is None


def test_the_exit_of_the_one_process_that_never_told_its_number() -> None:
    def ends(*mute: int) -> list[int | None]:
        told = [worker(r, 3).steps(2) for r in range(3) if r not in mute]
        logs = [Log(f"msrun_log/worker_{r}.log").plain() for r in mute]
        log = ended(launched(0, 1, 2), 777, -9).mark("console-kill")
        job = job_of(*told, *logs, log)
        return [p.exit.code if p.exit is not None else None for p in job.ranks()]

    assert ends(1) == [None, -9, None]
    assert ends(1, 2) == [None, None, None]  # it may be either
    assert ends() == [None, None, None]


def test_same_process_number_on_two_nodes() -> None:
    consoles = [ended(launched(0, folder="a/"), 7, -9), launched(1, folder="b/")]
    job = job_of(worker(0, 2, "a/", pid=7).steps(3), worker(1, 2, "b/", pid=7).steps(3), *consoles)
    assert process(job, 0).exit is not None
    assert process(job, 1).exit is None


def test_a_console_alone_tells_of_the_ranks() -> None:
    log = launched(0, 1)
    for rank in (0, 1):
        log.mark("rank-stated", pid=50 + rank, node=rank, rank=rank)
    assert [p.pid for p in job_of(log).ranks()] == [50, 51]
    job = job_of(ended(log, 51, -11).mark("console-kill"))
    assert states(job) == {0: "killed", 1: "crashed"}
    assert process(job, 1).phase == "joined"


def test_a_console_beside_worker_logs_is_an_echo() -> None:
    job = job_of(launched(0, 1), worker(0, 2), worker(1, 2))
    assert [f.echo for f in job.files if f.role == "console"] == [True]
    assert all(p.rank is not None for p in job.processes)


def test_launched_without_a_file_is_absent() -> None:
    job = job_of(launched(0, 1), worker(0, 2))
    assert states(job) == {0: "running", 1: "absent"}
    assert process(job, 1).phase == "launched"


def test_ctrl_c_kills() -> None:
    job = job_of(launched(0).mark("console-interrupted"), worker(0, 1).steps(3))
    assert states(job) == {0: "killed"}


def test_all_ended_well() -> None:
    job = job_of(launched(0).mark("console-ok"), worker(0, 1).steps(3))
    assert states(job) == {0: "finished"}
