"""From a rule that holds to findings."""

from __future__ import annotations

from assistant.diagnose.drafts import _GROUPS, Draft, codes_of, drafts, quotes
from assistant.diagnose.evaluate import Evaluator
from assistant.diagnose.view import View
from assistant.job.types import Clock
from assistant.rules.types import Rule
from tests.diagnose.support import absent, event, hit, job, log, rule, series, view, worker

X, Y = "hccl.one/x", "hccl.one/y"
TWO = {"x": {"log": "x"}, "y": {"log": "y"}}


def of(asked: Rule, seen: View) -> list[Draft]:
    return drafts(asked, Evaluator(seen).holdings(asked), seen)


def test_one_finding_for_all_ranks_that_show_it() -> None:
    seen = view(*(worker(rank, hits={X: [hit(3, time=50.0 - rank)]}) for rank in (4, 2, 11)))
    [draft] = of(rule(), seen)
    assert draft.ranks == draft.subjects == (2, 4, 11)
    assert draft.time == 39.0 and draft.node == "a"
    assert [m.subject for m in draft.matches] == [11, 4, 2]  # earliest first


def test_no_finding_without_the_condition() -> None:
    seen = view(worker(0, hits={X: [hit(3)]}))
    assert of(rule(signals=TWO, when="x and y"), seen) == []
    assert of(rule(signals=TWO, when="x and y", each="rank"), seen) == []


def test_blame_names_whose_ranks_count() -> None:
    seen = view(worker(0, hits={X: [hit(3)]}), worker(1, hits={Y: [hit(4)]}))
    [draft] = of(rule(signals=TWO, when="x and y", blame="y"), seen)
    assert draft.ranks == (1,)
    assert [m.subject for m in draft.support] == [0]
    [both] = of(rule(signals=TWO, when="x and y"), seen)
    assert both.ranks == (0, 1) and both.support == ()


def test_each_rank_is_asked_by_itself() -> None:
    seen = view(worker(0, hits={X: [hit(3)], Y: [hit(9)]}), worker(1, hits={X: [hit(5)]}),
                worker(2))
    [with_y] = of(rule(signals=TWO, when="x and y", each="rank"), seen)
    assert with_y.ranks == (0,)
    [without] = of(rule(signals=TWO, when="x and not y", each="rank"), seen)
    assert without.ranks == (1,)


def test_support_of_other_ranks_is_not_quoted() -> None:
    seen = view(worker(0, hits={X: [hit(3)], Y: [hit(9)]}), worker(1, hits={Y: [hit(5)]}))
    [draft] = of(rule(signals=TWO, when="x and y", each="rank", blame="x"), seen)
    assert {quote.file for quote in quotes(draft, seen)} == {"a/worker_0.log"}


def test_a_rank_found_by_what_is_missing_is_named_without_a_quote() -> None:
    seen = view(worker(0, hits={Y: [hit(9)]}), worker(1))
    [draft] = of(rule(signals={"y": {"log": "y"}}, when="not y", each="rank"), seen)
    assert draft.ranks == (1,) and quotes(draft, seen) == ()


def test_a_line_about_the_whole_job_holds_for_every_rank() -> None:
    sched = log("scheduler.log", "scheduler", hits={Y: [hit(2)]})
    seen = view(worker(0, hits={X: [hit(3)]}), worker(1), sched)
    [draft] = of(rule(signals=TWO, when="x and y", each="rank"), seen)
    assert draft.ranks == (0,)
    assert {q.file for q in quotes(draft, seen)} == {"a/worker_0.log", "scheduler.log"}


def test_ranks_that_are_only_named_are_asked_too() -> None:
    sched = log("scheduler.log", "scheduler", hits={X: [hit(2, rank_named=7)]})
    named = {"x": {"log": "x", "rank_from": "rank_named"}, "y": {"log": "y"}}
    [draft] = of(rule(signals=named, when="x and not y", each="rank"), view(sched, absent(7)))
    assert draft.ranks == (7,)


def test_a_condition_of_nos_is_about_the_job() -> None:
    [draft] = of(rule(signals={"y": {"log": "y"}}, when="not y"), view(worker(0)))
    assert draft.subjects == () and draft.matches == ()


def test_groups_are_findings_of_their_own_and_share_no_proof() -> None:
    seen = view(worker(0, hits={X: [hit(3, path="/a")]}), worker(1, hits={X: [hit(4, path="/b")]}),
                worker(2, hits={X: [hit(5, path="/a")]}))
    found = {d.group: d for d in of(rule(group_by="path"), seen)}
    assert {group: d.ranks for group, d in found.items()} == {("/a",): (0, 2), ("/b",): (1,)}
    assert [q.file for q in quotes(found["/b",], seen)] == ["a/worker_1.log"]


def test_many_groups_are_told_together() -> None:
    seen = view(*(worker(rank, hits={X: [hit(3, path=f"/{rank}")]}) for rank in range(200)))
    found = of(rule(group_by="path"), seen)
    assert len(found) == _GROUPS
    assert sorted(rank for draft in found for rank in draft.ranks) == list(range(200))


def test_unknown_exceptions_are_told_apart_by_type_and_shape() -> None:
    seen = view(worker(0, events=[event(3, message="step 3 failed")]),
                worker(1, events=[event(3, message="step 77 failed")]),
                worker(2, events=[event(3, message="no such key")]),
                worker(3, events=[event(3, "KeyError", "step 3 failed")]))
    found = of(rule(signals={"x": {"exception": ".*"}}, fallback=True), seen)
    assert sorted(draft.ranks for draft in found) == [(0, 1), (2,), (3,)]


def test_a_capture_may_be_called_a_shape() -> None:
    seen = view(worker(0, hits={X: [hit(3, tensor_shape="(2, 3)")]}))
    [draft] = of(rule(group_by="tensor_shape"), seen)
    assert draft.group == ("(2, 3)",)


def test_times_are_compared_on_the_reference_clock() -> None:
    seen = View(job(worker(0, "a", hits={X: [hit(3, time=100.0)]}),
                    worker(1, "b", hits={X: [hit(3, time=90.0)]}),
                    clocks={"a": Clock(0.0, 0.0), "b": Clock(-50.0, 1.0)}))
    [draft] = of(rule(), seen)
    assert (draft.time, draft.node) == (100.0, "a")
    assert [m.subject for m in draft.matches] == [0, 1]


def test_quotes_show_each_rank_once_before_the_rest() -> None:
    seen = view(*(worker(rank, hits={X: [hit(3, time=1.0), hit(4, time=1.0)]})
                  for rank in range(3)))
    [draft] = of(rule(), seen)
    assert [(q.file[-5], q.line) for q in quotes(draft, seen)] == [
        ("0", 3), ("1", 3), ("2", 3), ("0", 4), ("1", 4), ("2", 4)]


def test_quotes_are_bounded_and_no_line_comes_twice() -> None:
    keys = {X: [hit(n) for n in range(1, 30)], Y: [hit(n) for n in range(1, 30)]}
    seen = view(worker(0, hits=keys))
    [draft] = of(rule(signals=TWO, when="x and y", blame="x"), seen)
    found = quotes(draft, seen)
    assert len(found) == len({(q.file, q.line) for q in found}) == 20


def test_a_line_in_an_event_brings_the_event() -> None:
    block = event(3, "RuntimeError", "stream failed", codes=["EI0006", "507011"])
    seen = view(worker(0, hits={X: [hit(4, "a frame", event=3)]}, events=[block]))
    [draft] = of(rule(), seen)
    assert [q.line for q in quotes(draft, seen)] == [4, 5]
    assert codes_of(draft, quotes(draft, seen), seen) == ("EI0006", "507011")


def test_codes_stand_in_quoted_lines_too() -> None:
    seen = view(worker(0, hits={X: [hit(4, "failed, error code is 507011")]}))
    [draft] = of(rule(), seen)
    assert codes_of(draft, quotes(draft, seen), seen) == ("507011",)


def test_numbers_of_a_metric_belong_to_the_finding() -> None:
    seen = view(worker(0, steps=series(loss=[1.0, float("nan"), 2.0])))
    [draft] = of(rule(signals={"x": {"metric": "loss", "is": "nan"}}), seen)
    assert draft.matches[0].values["step"] == "2"


def test_an_optional_signal_tells_more_and_decides_nothing() -> None:
    signals = {"x": {"log": "x"}, "y": {"log": "y", "optional": True}}
    alone = view(worker(0, hits={X: [hit(3)]}))
    [draft] = of(rule(signals=signals, when="x"), alone)
    assert draft.asides == () and draft.named == {"x": (0,)}
    both = view(worker(0, hits={X: [hit(3)]}), worker(1, hits={Y: [hit(4)]}))
    [draft] = of(rule(signals=signals, when="x"), both)
    assert draft.ranks == (0,) and draft.support == ()
    assert draft.named == {"x": (0,), "y": (1,)}
    assert [(q.file, q.line) for q in quotes(draft, both)] == [
        ("a/worker_0.log", 3), ("a/worker_1.log", 4)]


def test_what_has_no_time_is_known_since_the_rest_is() -> None:
    seen = view(absent(1), worker(0, hits={X: [hit(3, time=70.0)]}))
    signals = {"x": {"log": "x"}, "gone": {"state": "absent"}}
    [draft] = of(rule(signals=signals, when="x and gone", blame="gone"), seen)
    assert draft.ranks == (1,) and draft.time == 70.0
