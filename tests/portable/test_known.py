from __future__ import annotations

from assistant.portable.known import listed, mark_of_all, marks, not_known
from assistant.rules.types import PatternSpec

SPECS = (PatternSpec("landmark/rank", "rank id"), PatternSpec("a.b/x", "one"),
         PatternSpec("a.b/y", "two"), PatternSpec("c.d/x", "three"))


def test_a_mark_for_each_rule_and_landmark() -> None:
    assert sorted(marks(SPECS)) == ["a.b", "c.d", "landmark/rank"]
    assert marks(SPECS) == marks(reversed(SPECS))


def test_what_a_rule_looks_for_makes_its_mark() -> None:
    other = (*SPECS[:2], PatternSpec("a.b/y", "two", levels=("ERROR",)), SPECS[3])
    assert not_known(marks(SPECS), marks(other)) == ("a.b",)
    assert mark_of_all(marks(SPECS)) != mark_of_all(marks(other))


def test_new_rules_are_not_known_and_lost_ones_do_not_matter() -> None:
    assert not_known(marks(SPECS[:3]), marks(SPECS)) == ("c.d",)
    assert not_known(marks(SPECS), marks(SPECS[:3])) == ()


def test_a_long_list_is_counted() -> None:
    assert listed(("a", "b")) == "a, b"
    assert listed(tuple("abcdefgh")) == "a, b, c, d, e, f +2"
