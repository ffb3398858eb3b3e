"""A line made an expression: it finds the line again, its kind, and no more."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.authoring.generalise import LIMIT, TITLE, generalise
from assistant.patterns import check
from assistant.patterns.confirm import compile_bytes, re2_bytes


def found(expression: str, line: str) -> bool:
    return compile_bytes(re2_bytes(expression)).search(line.encode()) is not None


@pytest.mark.parametrize(("line", "other", "captures"), [
    ("bind to 192.0.2.1:8118 failed", "bind to 198.51.100.7:9 failed",
     {"address": "192.0.2.1:8118"}),
    ("shard 17 of /data/a/part-7.bin is stale", "shard 3 of /mnt/b/x.bin is stale",
     {"shard": "17", "path": "/data/a/part-7.bin"}),
    ("ratio 0.25 with tag 0xfeed", "ratio 1.75 with tag 0xAB", {"ratio": "0.25", "tag": "0xfeed"}),
    ("lost at 2026-01-01 10:00:00 on lane 3", "lost at 2027-02-03 11:11:11 on lane 12",
     {"lane": "3"}),
    ("a (b) [c] {d} a+b|c? $x ^y \\z of 5", "a (b) [c] {d} a+b|c? $x ^y \\z of 66", {}),
    ("columns  A   9", "columns    A 8", {}),
])
def test_it_finds_its_kind(line: str, other: str, captures: dict[str, str]) -> None:
    made = generalise(line)
    assert found(made.expression, line) and found(made.expression, other)
    assert not found(made.expression, "something else 17")
    assert made.captures == captures
    for name in captures:
        assert f"{{{name}}}" in made.title


def test_an_error_code_is_no_variable() -> None:
    made = generalise("EI0006: link 3 timed out")
    assert found(made.expression, "EI0006: link 4 timed out")
    assert not found(made.expression, "EI0002: link 4 timed out")


def test_names_of_the_report_are_not_taken() -> None:
    made = generalise("rank 3 of node 4 at step 5 lost file 6")
    assert made.captures == {}


def test_a_long_line_is_cut_between_words() -> None:
    line = "the wanted thing was " + "gone " * 200
    made = generalise(line)
    assert len(made.expression) <= LIMIT
    assert found(made.expression, line)
    assert len(made.title) <= TITLE


@settings(max_examples=150, deadline=None)
@given(st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=300))
def test_any_line_is_found_again(line: str) -> None:
    made = generalise(line)
    trouble = check(made.expression) if made.expression else None
    if made.expression and trouble is None:
        assert found(made.expression, line)
    assert "{" not in made.title or made.captures
