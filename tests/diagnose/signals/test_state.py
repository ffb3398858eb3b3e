"""`state:` and `reached:` signals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from assistant.diagnose.match import Match
from assistant.diagnose.signals import state
from assistant.diagnose.view import View
from assistant.job.types import Exit, Process
from assistant.rules.types import ReachedSignal, StateSignal
from tests.diagnose.support import absent, event, hit, log, rule, series, view, worker


def found(seen: View, **values: Any) -> list[Match]:
    signal = rule(signals={"x": values}).signals["x"]
    if isinstance(signal, StateSignal):
        return list(state.matches(signal, seen, frozenset()))
    assert isinstance(signal, ReachedSignal)
    return list(state.reached(signal, seen))


def ranks(seen: View, **values: Any) -> list[int | str | None]:
    return [m.subject for m in found(seen, **values)]


def at_step(rank: int, last: int, **values: Any) -> Any:
    return worker(rank, steps=series(loss=[1.0] * last), **values)


def test_states() -> None:
    seen = view(worker(0, state="killed"), worker(1, state="failed"), worker(2), absent(3))
    assert ranks(seen, state="killed") == [0]
    assert ranks(seen, state=["failed", "absent"]) == [1, 3]
    assert ranks(seen, state="any") == [0, 1, 2, 3]


def test_behind_most_of_the_others() -> None:
    seen = view(at_step(0, 5), at_step(1, 4), at_step(2, 5), at_step(3, 5))
    assert ranks(seen, state="any", behind="peers") == [1]
    assert ranks(seen, state="any", behind="none") == [0, 2, 3]
    half = view(at_step(0, 5), at_step(1, 4), at_step(2, 5), at_step(3, 4))
    assert ranks(half, state="any", behind="peers") == [1, 3]
    many = view(at_step(0, 5), at_step(1, 4), at_step(2, 4), at_step(3, 4))
    assert ranks(many, state="any", behind="peers") == []
    assert ranks(view(at_step(0, 1)), state="any", behind="peers") == []


def test_of_ranks_without_a_log_nobody_knows_how_far_they_got() -> None:
    seen = view(at_step(0, 5), at_step(1, 4), absent(2), absent(3))
    assert ranks(seen, state=["running"], behind="peers") == [1]


def test_behind_the_total_of_its_own_steps() -> None:
    def told(rank: int, last: int, total: int | None) -> Any:
        return worker(rank, steps=replace(series(loss=[1.0] * last), total_steps=total))

    seen = view(told(0, 4, 10), told(1, 10, 10), told(2, 4, None), worker(3))
    assert ranks(seen, state="any", behind="total") == [0]


def test_of_a_rank_whose_log_was_not_read_nobody_knows_that_it_holds_no_error() -> None:
    seen = view(worker(0), worker(1, events=[event(1)]), absent(2))
    assert ranks(seen, state="any", without="error") == [0]


def test_a_fragment_is_behind_nobody() -> None:
    fragment = log("pasted.log")
    fragment.process = Process("pasted.log", files=("pasted.log",))
    seen = view(fragment, at_step(1, 5), at_step(2, 5))
    assert ranks(seen, state="any", behind="peers") == []


def test_behind_in_phase_before_training() -> None:
    early = {"phase": "registered"}
    seen = view(worker(0, process={"phase": "joined"}), worker(1, process=early),
                worker(2, process={"phase": "building"}), absent(3))
    assert ranks(seen, state="any", behind="peers") == [1, 3]


def test_a_stage_that_prints_no_steps_is_not_behind() -> None:
    silent = {"stage": 0}
    seen = view(worker(0, process=silent), at_step(1, 5, process={"stage": 1}),
                at_step(2, 5, process={"stage": 1}))
    assert ranks(seen, state="any", behind="peers") == []
    stuck = view(worker(0), at_step(1, 5), at_step(2, 5))
    assert ranks(stuck, state="any", behind="peers") == [0]


def test_without_error() -> None:
    seen = view(worker(0, events=[event(3)]), worker(1))
    assert ranks(seen, state="any", without="error") == [1]


def exits(rank: int, code: int | None, time: float | None, line: int = 1, **more: Any) -> Any:
    return worker(rank, process={"exit": Exit(code, time, "console.log", line), **more})


def test_exit_codes() -> None:
    seen = view(exits(0, -9, 1.0), exits(1, 1, 2.0), worker(2))
    assert ranks(seen, state="any", exit_code=-9) == [0]
    assert ranks(seen, state="any", exit_code=[1, -11]) == [1]
    assert [m.values["exit_code"] for m in found(seen, state="any", exit_code=-9)] == ["-9"]


def test_the_console_names_whose_end_it_reports_first() -> None:
    assert ranks(view(exits(0, 1, 9.0), exits(1, 1, 5.0), worker(2)), state="any",
                 named_by="console") == [1]
    assert ranks(view(exits(0, 1, None, 7), exits(1, 1, None, 3)), state="any",
                 named_by="console") == [1]
    assert ranks(view(worker(0)), state="any", named_by="console") == []


@pytest.mark.parametrize(("declared", "named"), [(4.0, []), (6.0, [0]), (0.0, [0])])
def test_the_console_is_not_believed_after_the_scheduler(declared: float,
                                                         named: list[int]) -> None:
    seen = view(exits(0, 1, 5.0), worker(1, process={"timed_out": declared}))
    assert ranks(seen, state="any", named_by="console") == named
    assert ranks(seen, state="any", named_by="scheduler") == [1]


def test_the_consoles_line_is_quoted_before_the_last_one() -> None:
    console = log("console.log", "console", hits={
        "landmark/console-exit": [hit(4, "process 100 exit"), hit(5, "process 101 exit")]})
    seen = view(console, exits(0, -9, 1.0, 4), worker(1, state="killed"))
    [match] = found(seen, state="any", exit_code=-9)
    assert match.citation is not None
    assert (match.citation.file, match.citation.text) == ("console.log", "process 100 exit")
    assert [q.text for q in match.more] == ["last line"]
    [other] = found(seen, state="killed")
    assert other.citation is not None
    assert (other.citation.file, other.citation.line) == ("a/worker_1.log", 100)
    assert other.values == {"state": "killed", "phase": "training", "pid": "101"}


def test_no_line_to_quote() -> None:
    seen = view(worker(0, process={"last_line": None}), absent(1),
                worker(2, process={"files": ("elsewhere.log",)}))
    assert [m.citation for m in found(seen, state="any")] == [None, None, None]


def test_reached() -> None:
    seen = view(worker(0, process={"phase": "joined"}), worker(1), absent(3),
                worker(2, process={"whole": False}), worker(4, process={"phase": None}))
    assert ranks(seen, reached="joined") == [0, 1, 2]
    assert ranks(seen, reached="training") == [1, 2]
    assert ranks(seen, reached="joined", from_start=True) == [0, 1]


def test_what_made_a_later_line_due_is_quoted() -> None:
    mark = {"landmark/rank-stated": [hit(7, "This node 0 rank id: 0", 5.0)]}
    passed = {"started": ("a/worker_0.log", 1), "joined": ("a/worker_0.log", 7),
              "training": ("a/worker_0.log", 10)}
    seen = view(worker(0, hits=mark, steps=series(loss=[1.0]), process={"passed": passed}))
    [joined] = found(seen, reached="registered")
    assert joined.citation is not None and joined.time == 5.0
    assert (joined.citation.line, joined.citation.text) == (7, "This node 0 rank id: 0")
    [training] = found(seen, reached="building")
    assert training.citation is not None and training.citation.line == 10
    assert "step" in training.citation.text
