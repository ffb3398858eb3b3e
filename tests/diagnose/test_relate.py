"""Causes and consequences."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from assistant.diagnose.drafts import Draft
from assistant.diagnose.relate import by_likelihood, explainers, without_hidden
from assistant.job.types import Clock, Job
from tests.diagnose.support import job, rule, worker

ONE_NODE = job(worker(0))


def draft(rule_id: str, *ranks: int, time: float | None = None, node: str = "a",
          group: tuple[str, ...] = (), **values: Any) -> Draft:
    return Draft(rule(rule_id, **values), ranks, (), (), time, node, group)


def explained(*found: Draft, of: Job = ONE_NODE) -> dict[str, str | None]:
    """Rule to the rule that explains it."""
    above = explainers(found, of)
    return {d.rule.id: None if a is None else found[a].rule.id
            for d, a in zip(found, above, strict=True)}


def test_by_id_and_by_glob() -> None:
    assert explained(draft("hang.a", explains=["hccl.*", "network.lost"]), draft("hccl.b"),
                     draft("network.lost"), draft("network.other")) == {
        "hang.a": None, "hccl.b": "hang.a", "network.lost": "hang.a", "network.other": None}


def test_a_general_code_gives_way_to_any_other_code() -> None:
    def code(name: str, number: str) -> Draft:
        return draft(name, 0, signals={"x": {"code": number}}, fallback=True, usually="either")

    assert explained(code("framework.general", "EE9999"), code("operator.execute", "507011")) == {
        "framework.general": "operator.execute", "operator.execute": None}
    assert explained(code("framework.general", "EE9999"), code("hccl.general", "EI9999")) == {
        "framework.general": None, "hccl.general": None}


def test_a_code_that_explains_an_abort_is_not_explained_by_it() -> None:
    code = draft("operator.code-ez9999", 0, signals={"x": {"code": "EZ9999"}}, fallback=True,
                 usually="either", explains=["crash.aborted"])
    assert explained(draft("crash.aborted", 0), code) == {
        "crash.aborted": "operator.code-ez9999", "operator.code-ez9999": None}


def test_the_root_of_a_chain() -> None:
    assert explained(draft("a.a", explains=["b.b"]), draft("b.b", explains=["c.c"]),
                     draft("c.c")) == {"a.a": None, "b.b": "a.a", "c.c": "a.a"}


def test_ranks_of_a_relation() -> None:
    def relation(ranks: str) -> dict[str, Any]:
        return {"explains": [{"rules": ["hccl.*"], "ranks": ranks}]}

    for ranks, own, theirs, fits in (
            ("other", (1,), (0, 2), True), ("other", (1,), (1,), False),
            ("other", (1,), (0, 1), True), ("same", (1,), (0, 1), True),
            ("same", (1,), (0,), False), ("same", (), (0,), True), ("other", (1,), (), True)):
        found = explained(draft("hang.a", *own, **relation(ranks)), draft("hccl.b", *theirs))
        assert (found["hccl.b"] == "hang.a") is fits, (ranks, own, theirs)


def test_what_comes_much_later_explains_nothing() -> None:
    cause = draft("hang.a", time=1000.0, explains=["hccl.b"])
    assert explained(cause, draft("hccl.b", time=950.0))["hccl.b"] == "hang.a"
    assert explained(cause, draft("hccl.b", time=940.0))["hccl.b"] == "hang.a"
    assert explained(cause, draft("hccl.b", time=939.0))["hccl.b"] is None
    assert explained(cause, draft("hccl.b"))["hccl.b"] == "hang.a"


def test_between_nodes_the_clocks_are_doubted() -> None:
    cause = draft("hang.a", time=1000.0, explains=["hccl.b"])
    for error, answer in ((0.0, None), (100.0, "hang.a"), (float("inf"), "hang.a")):
        clocks = {"a": Clock(0.0, 0.0), "b": Clock(0.0, error), "c": Clock(0.0, 1e9)}
        of = job(worker(0, "a"), worker(1, "b"), clocks=clocks)
        assert explained(cause, draft("hccl.b", time=900.0, node="b"),
                         draft("hccl.c", time=0.0, node="c"), of=of)["hccl.b"] == answer


def test_a_rule_does_not_explain_its_own_findings() -> None:
    one = draft("user-code.a", 0, group=("x",), explains=["user-code.*"])
    other = draft("user-code.a", 1, group=("y",), explains=["user-code.*"])
    assert explainers([one, other], ONE_NODE) == [None, None]


def test_notes_explain_nothing_and_need_no_explanation() -> None:
    note = draft("logging.a", severity="info", explains=["hccl.b"])
    assert explained(note, draft("hccl.b")) == {"logging.a": None, "hccl.b": None}
    assert explained(draft("hccl.b", explains=["logging.a"]), note)["logging.a"] is None


def test_two_that_explain_each_other() -> None:
    sooner = draft("hang.a", time=1.0, explains=["hccl.b"])
    later = draft("hccl.b", time=2.0, explains=["hang.a"])
    for found in ([sooner, later], [later, sooner]):
        assert explained(*found) == {"hang.a": None, "hccl.b": "hang.a"}


def test_codes_that_say_little_give_way() -> None:
    code: dict[str, Any] = {"fallback": True, "signals": {"x": {"code": "EI0006"}}}
    named = draft("hccl.a")
    weak = draft("hccl.b", **code, usually="either")
    weaker = draft("hccl.c", **code, usually="consequence")
    strong = draft("hccl.d", **code, usually="cause")
    assert explained(named, weak, weaker, strong) == {
        "hccl.a": None, "hccl.b": "hccl.a", "hccl.c": "hccl.a", "hccl.d": None}
    assert explained(weaker, strong)["hccl.c"] == "hccl.d"
    assert explained(draft("hccl.e", severity="warning"), weak)["hccl.b"] is None


@st.composite
def tangles(draw: st.DrawFn) -> list[Draft]:
    """Findings whose rules explain each other at random."""
    ids = [f"hccl.r{i}" for i in range(draw(st.integers(1, 7)))]
    return [draft(rule_id, *draw(st.sets(st.integers(0, 3))), time=draw(
                      st.none() | st.floats(0, 200)),
                  explains=draw(st.lists(st.sampled_from([*ids, "hccl.*"]), max_size=4)) or ["a.a"],
                  severity=draw(st.sampled_from(["error", "warning", "info"])),
                  fallback=draw(st.booleans()))
            for rule_id in ids]


@given(tangles())
def test_relations_never_make_a_ring(found: list[Draft]) -> None:
    above = explainers(found, ONE_NODE)
    for index, parent in enumerate(above):
        assert parent != index
        # Whoever explains is a cause itself, so that every chain has one step.
        assert parent is None or above[parent] is None
    serious = [i for i, d in enumerate(found) if d.rule.severity != "info"]
    assert not serious or any(above[i] is None for i in serious)


@given(tangles(), st.randoms())
def test_the_order_of_findings_changes_nothing(found: list[Draft], random: Any) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)
    assert explained(*found) == explained(*shuffled)


def likely(*found: Draft, edges: list[tuple[int, int]] | None = None) -> list[str]:
    return [found[i].rule.id for i in by_likelihood(found, edges or [])]


def test_likelihood() -> None:
    assert likely(draft("a.a", severity="warning"), draft("b.b")) == ["b.b", "a.a"]
    assert likely(draft("a.a"), draft("b.b"), draft("c.c"), edges=[(1, 2)]) == [
        "b.b", "a.a", "c.c"]
    assert likely(draft("a.a", fallback=True, time=1.0), draft("b.b", time=2.0)) == ["b.b", "a.a"]
    assert likely(draft("a.a"), draft("b.b", time=9.0), draft("c.c", time=3.0)) == [
        "c.c", "b.b", "a.a"]
    assert likely(draft("a.a", confidence=0.5), draft("b.b")) == ["b.b", "a.a"]
    assert likely(draft("b.b"), draft("a.a")) == ["a.a", "b.b"]


def shown(*found: Draft) -> list[str]:
    return [d.rule.id for d in without_hidden(found)]


def test_unless_and_harmless() -> None:
    assert shown(draft("a.a", unless=["b.*"]), draft("b.b")) == ["b.b"]
    assert shown(draft("a.a", unless=["c.c"]), draft("b.b")) == ["a.a", "b.b"]
    assert shown(draft("a.a", harmless=True), draft("b.b", unless=["a.a"])) == ["b.b"]
    assert shown(draft("a.a", unless=["a.*"])) == ["a.a"]


def test_two_that_give_way_to_each_other_do_not_both_vanish() -> None:
    one, other = draft("a.a", unless=["b.*"]), draft("b.b", unless=["a.*"], confidence=0.95)
    assert shown(one, other) == shown(other, one) == ["b.b"]


def test_bare_error_lines_only_where_there_is_no_real_error() -> None:
    lines = draft("a.a", fallback=True, signals={"x": {"error": "any"}})
    assert shown(lines) == ["a.a"]
    assert shown(lines, draft("b.b", severity="warning")) == ["a.a", "b.b"]
    assert shown(lines, draft("b.b")) == ["b.b"]
    assert shown(lines, draft("b.b", harmless=True)) == ["a.a"]
    assert shown(lines, draft("b.b", unless=["c.c"]), draft("c.c", severity="warning")) == [
        "a.a", "c.c"]


def test_clocks_of_which_nothing_is_known_are_not_doubted_for_ever() -> None:
    cause = draft("hang.a", time=1000.0, explains=["hccl.b"])
    clocks = {"a": Clock(0.0, 0.0), "b": Clock()}
    of = job(worker(0, "a"), worker(1, "b"), clocks=clocks)
    for time, answer in ((645.0, "hang.a"), (580.0, None), (2000.0, "hang.a")):
        assert explained(cause, draft("hccl.b", time=time, node="b"), of=of)["hccl.b"] == answer
