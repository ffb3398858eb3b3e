"""`exception:`, `block:`, `error:` and `code:` signals."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.diagnose.match import Match
from assistant.diagnose.signals import event as events
from assistant.diagnose.view import View
from assistant.rules.types import CodeSignal, ErrorSignal, EventSignal
from tests.diagnose.support import error, event, log, rule, view, worker


def found(seen: View, **values: Any) -> list[Match]:
    signal = rule(signals={"x": values}).signals["x"]
    if isinstance(signal, EventSignal):
        return list(events.matches(signal, seen))
    if isinstance(signal, ErrorSignal):
        return list(events.error_matches(signal, seen))
    assert isinstance(signal, CodeSignal)
    return list(events.code_matches(signal, seen))


ONE = event(4, "torch.nn.ValueError", "\nbad port 81\nsecond line", time=9.0, codes=["EI0006"],
            sections=[("Ascend Error Message", "reason: cable 7")], file="/home/u/train.py", pid=5)
SEEN = view(worker(3, events=[ONE]))


@pytest.mark.parametrize("values", [
    {"exception": "ValueError"}, {"exception": ".*"}, {"exception": ["KeyError", "ValueError"]},
    {"exception": ".*", "message": "port 81$"}, {"exception": ".*", "message": "81\\nsecond"},
    {"exception": ".*", "text": "^reason: cable"}, {"exception": ".*", "code": "EI*"},
    {"exception": ".*", "frame": "train.py:step$"}, {"exception": ".*", "where": "user"},
])
def test_fits(values: dict[str, Any]) -> None:
    [match] = found(SEEN, **values)
    assert match.subject == 3 and match.event == ("a/worker_3.log", 4) and match.time == 9.0
    assert match.codes == ("EI0006",)


@pytest.mark.parametrize("values", [
    {"exception": "Value"}, {"exception": "alueError"}, {"exception": "KeyError"},
    {"exception": ".*", "message": "cable"}, {"exception": ".*", "text": "^cable"},
    {"exception": ".*", "message": "^81$"}, {"exception": ".*", "code": "EZ*"},
    {"exception": ".*", "frame": "model.py"}, {"exception": ".*", "where": "library"},
    {"exception": ".*", "at_least": 2}, {"exception": ".*", "in": "scheduler"},
    {"block": "cann"},
])
def test_does_not_fit(values: dict[str, Any]) -> None:
    assert found(SEEN, **values) == []


def test_values() -> None:
    [match] = found(SEEN, exception=".*", message=r"port (?P<port>\d+)", text=r"cable (?P<n>\d)")
    assert match.values == {
        "type": "torch.nn.ValueError", "message": "bad port 81", "code": "EI0006",
        "frame_file": "/home/u/train.py", "frame_line": "7", "frame_function": "step",
        "port": "81", "n": "7", "pid": "5"}


def test_the_line_with_the_message_is_quoted() -> None:
    [match] = found(SEEN, exception=".*")
    assert match.citation is not None and match.citation.line == ONE.message_line
    bare = event(4)
    bare = type(bare)(**{**{f: getattr(bare, f) for f in bare.__dataclass_fields__},
                         "quotes": ()})
    [match] = found(view(worker(0, events=[bare])), exception=".*")
    assert match.citation is not None
    assert (match.citation.line, match.citation.text) == (6, "ValueError: bad value")


def test_the_ranks_that_a_capture_names() -> None:
    seen = view(worker(0, events=[event(4, message="lost ranks 2, 5")]))
    assert [m.subject for m in found(seen, exception=".*", rank_from="who",
                                     message=r"ranks (?P<who>[\d, ]+)")] == [2, 5]


def test_repeats_count() -> None:
    seen = view(worker(0, events=[event(4, repeats=7)]))
    assert [m.count for m in found(seen, exception=".*", at_least=7)] == [7]


def test_where_without_a_frame_is_a_library() -> None:
    seen = view(worker(0, events=[event(4, user=False)]))
    assert found(seen, exception=".*", where="library")
    assert not found(seen, exception=".*", where="user")


def test_events_that_differ_only_in_whose_code_raised_them_are_told_apart() -> None:
    seen = view(worker(0, events=[event(4, user=True)]), worker(1, events=[event(4, user=False)]))
    assert [m.subject for m in found(seen, exception=".*", where="user")] == [0]
    assert [m.subject for m in found(seen, exception=".*", where="library")] == [1]


def test_blocks() -> None:
    seen = view(worker(0, events=[event(4, "EI0006", "timed out", kind="cann")]))
    assert found(seen, block="cann", title="EI00")
    assert not found(seen, block="cann", title="EI9") and not found(seen, block="native")


LINES = view(worker(1, errors=[error(5, "open failed: port 81", codes=["507011"], count=4)]))


def test_error_lines() -> None:
    [match] = found(LINES, error=r"port (?P<port>\d+)")
    assert match.values == {"line_text": "open failed: port 81", "port": "81"}
    assert (match.subject, match.count, match.codes) == (1, 4, ("507011",))
    assert found(LINES, error="any", component="MD", level="ERROR", code="5070*")
    for values in ({"error": "close"}, {"error": "any", "component": "HCCL"},
                   {"error": "any", "level": "WARNING"}, {"error": "any", "code": "E*"},
                   {"error": "any", "in": "scheduler"}):
        assert not found(LINES, **values)


def test_an_error_line_is_judged_by_its_first_line_in_the_last_run() -> None:
    shape = error(5, "old port 1")
    both = type(shape)(shape.template, 2, (*shape.hits, *error(50, "new port 2").hits))
    seen = view(worker(0, errors=[both], run_start=10))
    assert not found(seen, error="old")
    [match] = found(seen, error="new")
    assert match.citation is not None and match.citation.line == 50


def test_codes_wherever_they_stand() -> None:
    seen = view(worker(0, events=[event(4, codes=["EZ9999", "EI0006"])]),
                worker(1, errors=[error(5, codes=["EI0002"])]), worker(2),
                log("s", "scheduler", events=[event(4, codes=["EI0006"])]))
    assert [(m.subject, m.values["code"]) for m in found(seen, code="EI*")] == [
        (0, "EI0006"), (None, "EI0006"), (1, "EI0002")]
    assert [m.subject for m in found(seen, code=["EI0006"], **{"in": "worker"})] == [0]
    assert found(seen, code="EL*") == []
