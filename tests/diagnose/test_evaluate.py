"""Conditions, the order of signals, and what a fallback may still use."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assistant.diagnose.evaluate import (
    Evaluator,
    Free,
    holds,
    holds_on,
    positive_names,
    quantifier_of,
)
from assistant.diagnose.holding import Holding
from assistant.diagnose.match import Match
from assistant.rules import condition
from assistant.rules.types import Condition, FactSignal
from tests.diagnose.support import error, event, hit, log, rule, view, worker

NAMES = ("p", "q", "r")


def texts() -> st.SearchStrategy[str]:
    """Conditions over three signals."""
    return st.recursive(st.sampled_from(NAMES), lambda inner: st.one_of(
        inner.map("not ({})".format),
        st.tuples(inner, inner).map(lambda two: f"({two[0]}) and ({two[1]})"),
        st.tuples(inner, inner).map(lambda two: f"({two[0]}) or ({two[1]})")), max_leaves=8)


@given(texts(), st.sets(st.sampled_from(NAMES)), st.sets(st.sampled_from(NAMES)))
def test_conditions_mean_what_python_means(text: str, of_job: set[str], of_rank: set[str]) -> None:
    parsed = condition.parse(text)
    held = {name: Holding((Match(1, "a", None),) if name in of_rank else (), name in of_job)
            for name in NAMES}
    assert holds(parsed, held) == eval(text, {name: name in of_job for name in NAMES})
    assert holds_on(parsed, held, 1) == eval(text, {name: name in of_rank for name in NAMES})


@given(texts(), st.sets(st.sampled_from(NAMES)))
def test_what_is_no_positive_name_never_makes_a_condition_true(text: str, true: set[str]) -> None:
    parsed: Condition = condition.parse(text)
    positive = positive_names(parsed)
    assert len(set(positive)) == len(positive)
    for name in set(NAMES) - set(positive):
        without = {n: Holding((), n in true and n != name) for n in NAMES}
        assert holds(parsed, without) or not holds(parsed, {**without, name: Holding((), True)})


def test_positive_names_in_order_of_mention() -> None:
    assert positive_names(condition.parse("q and not r or not not p")) == ("q", "p")


def test_facts_have_no_ranks() -> None:
    assert quantifier_of(FactSignal("mode")).kind == "any"


def found(when: str, *parts: object, **signals: object) -> list[int]:
    """Lines of the matches of signal `x`, 0 where the rule cannot hold."""
    asked = rule(signals=signals, when=when)
    evaluator = Evaluator(view(*parts))  # type: ignore[arg-type]
    held = evaluator.holdings(asked)["x"]
    return [m.citation.line for m in held.matches if m.citation is not None]


KEYS = {"hccl.one/x": [hit(3, time=10.0), hit(9, time=70.0)], "hccl.one/y": [hit(6, time=20.0)]}


def test_before_and_after_another_signal() -> None:
    part = worker(0, hits=KEYS)
    assert found("x", part, x={"log": "x", "before": "y"}, y={"log": "y"}) == [3]
    assert found("x", part, x={"log": "x", "after": "y"}, y={"log": "y"}) == [9]
    assert found("x", part, x={"log": "x", "after": "y", "within": "49s"}, y={"log": "y"}) == []
    assert found("x", part, x={"log": "x", "after": "y", "within": "50s"}, y={"log": "y"}) == [9]
    assert found("x", part, x={"log": "x", "after": "z"}, z={"log": "z"}) == []


def test_between_before_and_after() -> None:
    keys = {"hccl.one/x": [hit(n) for n in (1, 5, 9)], "hccl.one/y": [hit(3)],
            "hccl.one/z": [hit(7)]}
    assert found("x", worker(0, hits=keys), x={"log": "x", "after": "y", "before": "z"},
                 y={"log": "y"}, z={"log": "z"}) == [5]


def test_a_rule_without_its_lines_is_not_even_asked() -> None:
    seen = view(worker(0, hits={"hccl.one/x": [hit(1)]}, events=[event(4, codes=["EI0006"])]))
    evaluator = Evaluator(seen)
    x, y, code = {"log": "x"}, {"log": "y"}, {"code": "EI00*"}
    other = {"code": "EZ9999"}
    for when, signals, answer in (
            ("x", {"x": x}, True), ("y", {"y": y}, False), ("x and y", {"x": x, "y": y}, False),
            ("x or y", {"x": x, "y": y}, True), ("not y", {"y": y}, True),
            ("c", {"c": code}, True), ("c", {"c": other}, False),
            ("s", {"s": {"state": "running"}}, True)):
        assert evaluator.may_hold(rule(signals=signals, when=when)) is answer, when


def test_what_may_hold_covers_what_does() -> None:
    """`may_hold` is never stricter than the rule itself."""
    seen = view(worker(0, hits={"hccl.one/x": [hit(1)]}))
    evaluator = Evaluator(seen)
    for when in ("x", "not y", "x and not y", "not (x and y)", "not x or not y"):
        asked = rule(signals={"x": {"log": "x"}, "y": {"log": "y"}}, when=when)
        assert holds(asked.when, evaluator.holdings(asked))
        assert evaluator.may_hold(asked)


def test_a_fallback_sees_only_what_is_left() -> None:
    seen = view(worker(0, events=[event(4), event(20, "KeyError")],
                       errors=[error(50), error(60, "other")]), log("o"))
    free = Free(frozenset({("a/worker_0.log", 4)}), frozenset({("a/worker_0.log", 50)}))
    evaluator = Evaluator(seen)
    events = rule(signals={"x": {"exception": ".*"}}, fallback=True)
    lines = rule(signals={"x": {"error": "any"}}, fallback=True)
    states = rule(signals={"x": {"state": "running"}}, fallback=True)
    [other] = evaluator.holdings(events, free)["x"].matches
    assert other.values["type"] == "KeyError"
    [line] = evaluator.holdings(lines, free)["x"].matches
    assert line.values["line_text"] == "other"
    assert len(evaluator.holdings(events)["x"].matches) == 2
    assert evaluator.holdings(states, free)["x"].true
