"""The condition of a rule: its form, its errors, and that nothing else is ever raised."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.rules.condition import MAX_DEPTH, ConditionError, names, parse, references
from assistant.rules.types import And, Condition, Name, Not, Or


def test_binding() -> None:
    assert parse("a or b and not c") == Or((Name("a"), And((Name("b"), Not(Name("c"))))))
    assert parse("(a or b) and c") == And((Or((Name("a"), Name("b"))), Name("c")))
    assert parse("a and b and c") == And((Name("a"), Name("b"), Name("c")))
    assert parse("not not a") == Not(Not(Name("a")))
    assert parse(" \n a_1-x\t") == Name("a_1-x")


def test_names_that_begin_like_a_word() -> None:
    assert parse("order and nothing") == And((Name("order"), Name("nothing")))


def test_names_and_references() -> None:
    text = "a or (b and not a)"
    assert names(parse(text)) == ("a", "b")
    assert references(text) == [("a", 0), ("b", 6), ("a", 16)]


@pytest.mark.parametrize(("text", "offset", "word"), [
    ("", 0, "empty"),
    ("   ", 0, "empty"),
    ("a and", 5, "ends"),
    ("and a", 0, "name"),
    ("a b", 2, "missing"),
    ("a (b)", 2, "missing"),
    ("a)", 1, "closes nothing"),
    ("(a", 0, "not closed"),
    ("a or ()", 6, "name"),
    ("a && b", 2, "&"),
    ("a AND b", 2, "small letters"),
    ("1 of them", 0, "1"),
    ("!a", 0, "!"),
    ("not", 3, "ends"),
])
def test_errors_have_a_place(text: str, offset: int, word: str) -> None:
    with pytest.raises(ConditionError) as caught:
        parse(text)
    assert caught.value.offset == offset
    assert word in caught.value.message
    assert caught.value.cure


def test_depth_and_length_are_bounded() -> None:
    parse("(" * MAX_DEPTH + "a" + ")" * MAX_DEPTH)
    with pytest.raises(ConditionError, match="nested"):
        parse("(" * 900 + "a" + ")" * 900)
    with pytest.raises(ConditionError, match="nested"):
        parse("not " * 900 + "a")
    with pytest.raises(ConditionError, match="longer"):
        parse("a or " * 5000 + "a")


@given(st.text(max_size=60) | st.text("ab()&! \n", max_size=40)
       | st.lists(st.sampled_from(["a", "b", "and", "or", "not", "(", ")"]), max_size=12)
       .map(" ".join))
def test_only_the_documented_error_is_raised(text: str) -> None:
    try:
        condition = parse(text)
    except ConditionError as error:
        assert 0 <= error.offset <= len(text)
        assert error.message
    else:
        assert {name for name, _ in references(text)} == set(names(condition))


def spelled(condition: Condition) -> str:
    if isinstance(condition, Name):
        return condition.name
    if isinstance(condition, Not):
        return f"not {spelled(condition.operand)}"
    word = " and " if isinstance(condition, And) else " or "
    return f"({word.join(map(spelled, condition.operands))})"


_CONDITIONS = st.recursive(
    st.sampled_from(["a", "b", "c_1", "d-e"]).map(Name),
    lambda inner: inner.map(Not)
    | st.lists(inner, min_size=2, max_size=3).map(lambda found: And(tuple(found)))
    | st.lists(inner, min_size=2, max_size=3).map(lambda found: Or(tuple(found))),
    max_leaves=6)


@given(_CONDITIONS)
def test_what_is_spelled_is_parsed_back(condition: Condition) -> None:
    assert parse(spelled(condition)) == condition
