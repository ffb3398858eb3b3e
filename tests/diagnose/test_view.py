"""What counts, and whom a line is about."""

from __future__ import annotations

from assistant.diagnose.match import Subject
from assistant.diagnose.view import View
from assistant.job.types import Exit, Process
from tests.diagnose.support import absent, error, event, hit, job, log, view, worker


def lines(seen: View, key: str, *roles: str) -> list[tuple[str, int]]:
    return [(file.name, h.line) for file, hits, _ in seen.hits(key, roles) for h in hits]


def test_stale_files_earlier_runs_and_echoes_are_left_out() -> None:
    two = {"k": [hit(3), hit(30)]}
    seen = view(worker(0, hits=two, run_start=10, events=[event(4), event(40)],
                       errors=[error(5), error(50)]),
                worker(1, hits=two, stale=True), worker(2, hits=two, echo=True))
    assert lines(seen, "k") == [("a/worker_0.log", 30)]
    assert [e.line for alike in seen.events("traceback") for _, e in alike.places] == [40]
    assert [h.line for _, _, h in seen.errors(())] == [50]
    assert not lines(seen, "other") and seen.holds("k") and not seen.holds("other")


def test_the_count_is_that_of_the_last_run() -> None:
    seen = view(worker(0, hits={"k": [hit(3), hit(30), hit(31)]}, counts={"k": 50}, run_start=10))
    assert [(len(hits), count) for _, hits, count in seen.hits("k", ())] == [(2, 49)]


def test_roles() -> None:
    one = {"k": [hit(3)]}
    seen = view(log("s", "scheduler", hits=one), log("c", "console", hits=one),
                log("o", hits=one), log("p", "cann", hits=one), worker(0, hits=one),
                log("e", "console", hits=one, echo=True))
    assert {name for name, _ in lines(seen, "k", "worker")} == {"c", "o", "a/worker_0.log"}
    assert {name for name, _ in lines(seen, "k", "scheduler")} == {"c", "o", "s"}
    assert {name for name, _ in lines(seen, "k", "cann")} == {"o", "p"}
    assert {name for name, _ in lines(seen, "k", "console")} == {"c", "o", "e"}
    assert {name for name, _ in lines(seen, "k")} == {"c", "o", "p", "s", "a/worker_0.log"}


def test_alike_events_stand_together_whatever_their_place() -> None:
    seen = view(worker(0, events=[event(4)]), worker(1, events=[event(9)]),
                worker(2, events=[event(4, message="other")]))
    assert [len(alike.places) for alike in seen.events("traceback")] == [2, 1]
    found = seen.event(("a/worker_1.log", 9))
    assert found is not None and found.message == "bad value"
    assert seen.event(("a/worker_1.log", 4)) is None and seen.event(None) is None


def test_whom_a_line_is_about() -> None:
    fragment = log("pasted.log")
    fragment.process = Process("pasted.log", files=("pasted.log",))
    sched = log("scheduler.log", "scheduler")
    loose = log("loose.log")
    seen = view(worker(0), worker(1), fragment, sched, loose)
    assert seen.subject(seen.file_by_name["a/worker_0.log"]) == 0
    assert seen.subject(seen.file_by_name["a/worker_0.log"], rank=1) == 1
    assert seen.subject(fragment.file) == "pasted.log"
    assert seen.subject(fragment.file, pid=101) == 1
    assert seen.subject(sched.file, pid=101) is None
    assert seen.subject(loose.file) is None


def test_who_raised_what_stands_unsigned_on_a_console() -> None:
    def whom(*lines: int, code: int = 1, twice: bool = False, echo: bool = False) -> list[Subject]:
        console = log("console.log", "console", events=[event(n) for n in lines], echo=echo)
        ended = [Process(f"rank {r}", r, "a", state="failed",
                         exit=Exit(code, None, "console.log", 50)) for r in (2, 3)[:1 + twice]]
        seen = view(console, *ended)
        [file] = [f for f in seen.job.files if f.name == "console.log"]
        return [seen.subject(file, event=n) for n in lines]

    assert whom(10) == [2]
    assert whom(10, 60) == [2, None]  # the scheduler's and msrun's own come later
    assert whom(10, 20) == [None, None]  # it may be either
    assert whom(10, twice=True) == [None]
    assert whom(10, code=-9) == [None]
    assert whom(10, echo=True) == [None]


def test_a_pid_of_two_nodes_is_no_rank_elsewhere() -> None:
    seen = view(worker(0, "a", process={"pid": 7}), worker(1, "b", process={"pid": 7}))
    assert seen.by_pid[("a", 7)] == 0 and seen.by_pid[("b", 7)] == 1
    assert (None, 7) not in seen.by_pid


def test_devices_that_the_logs_state_come_before_local_ranks() -> None:
    seen = view(worker(0, process={"device": 1}), worker(1, process={"device": 0}), worker(2))
    assert [seen.rank_of_device("a", n) for n in (0, 1, 2, 3)] == [1, 0, 2, None]
    assert seen.rank_of_device("b", 0) is None


def test_population_and_nodes() -> None:
    seen = view(worker(0, "a"), worker(1, "b", state="empty"), absent(2, "b"))
    assert seen.subjects == {0}
    assert (seen.node_of(2, "?"), seen.node_of(9, "?"), seen.node_of(None, "?")) == ("b", "?", "?")
    assert seen.node_names == {"a": "node a", "b": "node b"}


def test_codes_of_events_and_error_lines() -> None:
    seen = view(worker(0, events=[event(4, codes=["EI0006"])],
                       errors=[error(9, codes=["507011"])]))
    assert seen.codes == {"EI0006", "507011"}
    assert View(job()).codes == frozenset()


def test_a_line_of_a_file() -> None:
    seen = view(worker(0, hits={"k": [hit(3, "three")]}))
    found = seen.hit_at("a/worker_0.log", 3)
    assert found is not None and found.text == "three"
    assert seen.hit_at("a/worker_0.log", 4) is None and seen.hit_at("none", 3) is None
