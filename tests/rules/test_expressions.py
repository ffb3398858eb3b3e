"""Named groups of expressions, and what a finding gives."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.rules.condition import parse
from assistant.rules.expressions import captures, expressions, groups
from assistant.rules.given import given as placeholders_of
from assistant.rules.given import sure, sure_of
from assistant.rules.types import CodeSignal, EventSignal, FactSignal, LandmarkSignal, LogSignal


@pytest.mark.parametrize(("expression", "found"), [
    (r"port (?P<port>\d+)", [("port", 9)]),
    (r"(?<a>x)(?P<b>y)", [("a", 3), ("b", 11)]),
    (r"\(?P<no>x", []),
    (r"[(?P<no>]", []),
    (r"[]?(?P<no>](?P<yes>x)", [("yes", 15)]),
    (r"\Q(?P<no>\E(?P<yes>x)", [("yes", 15)]),
    (r"(?:x)(?i)(?P<n1>y)", [("n1", 13)]),
])
def test_groups(expression: str, found: list[tuple[str, int]]) -> None:
    assert groups(expression) == found


@given(st.lists(st.sampled_from([r"(?P<a{}>x)", r"\(", r"[(?P<z>]", "y", r"\\", "(?:w)", r"\]"]),
                max_size=8))
def test_groups_are_those_of_the_engine(parts: list[str]) -> None:
    expression = "".join(part.format(n) if "{}" in part else part
                         for n, part in enumerate(parts))
    assert {name for name, _ in groups(expression)} == set(re.compile(expression).groupindex)
    for name, offset in groups(expression):
        assert expression.startswith(name, offset)


def test_where_expressions_stand() -> None:
    signal = {"exception": ["A", "B"], "message": "m", "where": "user"}
    assert list(expressions(signal, ("s",))) == [
        (("s", "exception", 0), "A"), (("s", "exception", 1), "B"), (("s", "message"), "m")]
    assert list(expressions({"error": "any"}, ())) == []
    assert captures({"log": ["(?P<a>x)", "(?P<b>y)(?P<a>z)"]}) == ["a", "b"]


def test_what_is_given_and_what_is_sure() -> None:
    both = LogSignal(("(?P<a>x)(?P<b>y)", "(?P<b>z)"))
    assert placeholders_of(both) == {"a", "b"}
    assert sure(both) == {"b"}
    raised = EventSignal("traceback", title="KeyError", message="(?P<key>k)")
    assert {"type", "message", "key"} <= sure(raised)
    assert "code" in placeholders_of(raised) - sure(raised)
    assert "frame_file" in placeholders_of(raised) - sure(raised)
    assert "code" in sure(EventSignal("cann", codes=("EI*",)))
    assert "frame_line" in sure(EventSignal("traceback", where="user"))
    assert {"code"} <= sure(CodeSignal(("EI0006",)))
    assert sure(FactSignal("registered", differs_from="expected")) == {
        "registered", "expected", "value"}
    assert placeholders_of(LandmarkSignal("x")) == set()
    known = {"a": frozenset("x"), "b": frozenset("xy"), "c": frozenset("z")}
    assert sure_of(parse("a or b"), known) == {"x"}
    assert sure_of(parse("(a or b) and c"), known) == {"x", "z"}
    assert sure_of(parse("a and not c"), known) == {"x"}
