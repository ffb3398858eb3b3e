"""Laxer forms of an expression: each lacks one part and asks for the rest."""

from __future__ import annotations

import re

import pytest

from assistant.explain.relax import relaxed
from assistant.patterns import check

BIND = r"Failed to call bind, url: (?P<ip>[\d.]+):(?P<port>\d+).*Address already in use"


def nearest(expression: str, line: str) -> tuple[str, bool] | None:
    """What the first form that matches the line leaves out, and whether all else is there."""
    return next(((form.lacks, form.rest) for form in relaxed(expression)
                 if re.search(form.expression, line)), None)


@pytest.mark.parametrize(("line", "lacks", "rest"), [
    ("Failed to call connect, url: 192.0.2.1:8118 Address already in use", "bind, ", True),
    ("Failed to call bind, url: 192.0.2.1:8118 Address already taken", "in ", False),
    ("Failed to call bind, url: 192.0.2.1 Address already in use", ":", True),
    ("failed to call Bind, url: 192.0.2.1:8118 address already in use", "", True),
    ("Failed to call bind, url: [::1]:8118 Address already in use", r"(?:[\d.]+)", True),
    ("Failed to call bind, as asked", "url: ", False),
])
def test_what_a_line_lacks(line: str, lacks: str, rest: bool) -> None:
    assert nearest(BIND, line) == (lacks, rest)


@pytest.mark.parametrize("line", ["all is well", "Failed to open a file", "Address unknown"])
def test_a_line_that_shares_a_word_is_no_near_miss(line: str) -> None:
    assert nearest(BIND, line) is None


def test_alternatives_are_taken_one_by_one() -> None:
    expression = r"(?:node (?P<a>\d+) is gone now|rank (?P<b>\d+) has left us)"
    assert nearest(expression, "rank 3 has left them") == ("us", True)
    assert nearest(expression, "node x is gone now") == (r"(?:\d+)", True)


@pytest.mark.parametrize("expression", [
    BIND, "short", r"(?i)Disk (?P<n>\S+) full today", r"^begins with this text$", "a" * 300,
    r"\[(?P<x>\d+)\] and (\(nested\)|other) words follow here", r"错误：磁盘 (?P<d>\S+) 已经写满了",
    " ".join(f"word{n}" for n in range(60)),
])
def test_every_form_can_be_used_and_matches_more(expression: str) -> None:
    assert check(expression) is None
    for form in relaxed(expression):
        assert check(form.expression) is None
        assert "?P<" not in form.expression
        assert form.expression != expression


def test_the_number_of_forms_is_bounded() -> None:
    assert len(relaxed(" ".join(f"word{n}" for n in range(300)))) < 60
