"""What was printed together with a quoted line."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.diagnose import diagnose
from assistant.diagnose.types import Citation
from assistant.evidence.types import ErrorLine, Event
from tests.diagnose.support import error, event, hit, job, rule, rules, view, worker


def _beside(line: int, errors: Sequence[ErrorLine], events: Sequence[Event] = ()) -> list[int]:
    made = worker(0, errors=errors, events=events)
    return [quote.line for quote in view(made).beside(Citation(made.name, line, None, ""))]


def test_errors_and_events_close_above_and_below() -> None:
    near = [error(3, "above"), error(5, "quoted"), error(8, "below")]
    assert _beside(5, errors=near, events=[event(9)]) == [3, 8, 11]


def test_a_line_inside_an_event_stands_for_it() -> None:
    assert _beside(10, errors=[error(6)], events=[event(9)]) == [6]


def test_what_stands_further_off_is_none() -> None:
    assert _beside(5, errors=[error(1), error(5), error(9)]) == []
    assert _beside(7, errors=[error(5)]) == []


def test_no_more_than_three_each_way() -> None:
    assert _beside(10, errors=[error(n, f"{n}") for n in range(2, 20)]) == [9, 8, 7, 11, 12, 13]


def test_another_process_wrote_it() -> None:
    other = ErrorLine("x", 1, (hit(6, pid=9),))
    assert _beside(5, errors=[ErrorLine("y", 1, (hit(5, pid=7),)), other]) == []
    assert _beside(5, errors=[ErrorLine("y", 1, (hit(5),)), other]) == [6]


def test_a_cause_quotes_what_was_printed_with_it_and_its_codes() -> None:
    block = event(6, "EE9999", "Inner Error!", kind="cann", codes=["EE9999"])
    made = worker(0, errors=[error(5, "call failed, error code is 507011", codes=["507011"])],
                  events=[block])
    inner = rule("hccl.inner", signals={"x": {"block": "cann"}})
    found = diagnose(job(made), rules(inner)).findings
    assert [quote.line for quote in found[0].quoted] == [8, 7, 5]
    assert [quote.line for quote in found[0].evidence] == [8, 7]
    assert found[0].codes == ("EE9999", "507011")


def test_a_line_on_which_another_cause_rests_is_not_quoted() -> None:
    made = worker(0, errors=[error(5, "call failed", codes=["507011"])],
                  events=[event(6, "EH0001", "Invalid", kind="cann", codes=["EH0001"])])
    block = rule("hccl.block", signals={"x": {"code": "EH0001"}}, fallback=True)
    call = rule("hccl.call", signals={"x": {"code": "507011"}}, fallback=True)
    found = {f.rule.id: f for f in diagnose(job(made), rules(block, call)).findings}
    assert {name: (f.role, [quote.line for quote in f.quoted]) for name, f in found.items()} == {
        "hccl.block": ("cause", [8, 7]), "hccl.call": ("cause", [5])}
