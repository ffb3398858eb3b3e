"""Problems as text."""

from __future__ import annotations

from assistant.authoring.show import problem_text, summary
from assistant.rules.types import Position, Problem


def problem(line: int, column: int, cure: str = "") -> Problem:
    return Problem(Position("f.yaml", line, column), "some-code", "error", "it is wrong", cure)


def test_snippet_caret_and_cure() -> None:
    assert problem_text(problem(2, 4, "mend it"), ["one", "two three"]) == (
        "f.yaml:2:4: error[some-code]: it is wrong\n"
        "  2 | two three\n"
        "    |    ^\n"
        "    = mend it")


def test_the_caret_stands_below_wide_characters() -> None:
    text = problem_text(problem(1, 4), ["端口{x}"])
    assert text.splitlines()[1:] == ["  1 | 端口{x}", "    |      ^"]


def test_a_long_line_is_cut_around_the_place() -> None:
    line = "a" * 300 + "X" + "b" * 300
    text = problem_text(problem(1, 301), [line]).splitlines()
    assert len(text[1]) < 120
    assert text[1][text[2].index("^")] == "X"


def test_nothing_acts_on_the_terminal() -> None:
    assert "\x1b" not in problem_text(problem(1, 1), ["\x1b[31mred\tx"])


def test_without_the_line() -> None:
    assert problem_text(problem(9, 1, "mend"), ["one"]).splitlines() == [
        "f.yaml:9:1: error[some-code]: it is wrong", "    = mend"]


def test_summary() -> None:
    assert summary([], 1, 2) == "1 file, 2 rules: no problems"
    assert summary([problem(1, 1)], 2, 1) == "2 files, 1 rule: 1 error, 0 warnings"
