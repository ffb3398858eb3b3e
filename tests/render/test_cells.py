from __future__ import annotations

import shlex
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.render.cells import cut, cut_start, pad, width, wrap, wrap_step

TEXT = st.text(st.sampled_from("abc de,.`中文，。（）é\u0301 -"), max_size=60)


def test_width_counts_chinese_twice_and_marks_not_at_all() -> None:
    assert width("abc") == 3
    assert width("中文，") == 6
    assert width("é") == width("e\u0301") == 1


def test_cut_and_pad() -> None:
    assert cut("abcdefgh", 8) == "abcdefgh"
    assert cut("abcdefghi", 8) == "abcde..."
    assert cut("中文中文中", 8) == "中文..."
    assert cut_start("a/b/logs", 8) == "a/b/logs"
    assert cut_start("/data/run/logs", 8) == "... logs".replace(" ", "/")
    assert cut_start("中文中文中", 8) == "...文中" and cut_start("abc", 2) == ".."
    assert pad("中", 4) == "中  "


@given(TEXT, st.integers(3, 30))
def test_cut_fits(text: str, limit: int) -> None:
    assert width(cut(text, limit)) <= limit


def test_wrap_english_at_blanks_and_chinese_anywhere() -> None:
    assert wrap("one two three", 7) == ["one two", "three"]
    assert wrap("查看日志文件内容", 8) == ["查看日志", "文件内容"]
    assert wrap("", 8) == []


def test_no_line_begins_with_closing_or_ends_with_opening_punctuation() -> None:
    assert wrap("查看日志，然后", 8) == ["查看日", "志，然后"]
    assert wrap("查看日（志然后）", 8) == ["查看日", "（志然", "后）"]


def test_lines_beyond_the_limit_are_cut() -> None:
    assert wrap("one two three four", 9, lines=2) == ["one two", "three..."]
    assert wrap("one two", 9, lines=2) == ["one two"]


@given(TEXT, st.integers(4, 30))
def test_wrapped_lines_fit_and_lose_nothing(text: str, limit: int) -> None:
    lines = wrap(text, limit)
    assert all(width(line) <= limit for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_a_command_is_not_broken_where_it_fits_a_line() -> None:
    lines = wrap_step("Look into the log: `less +812 worker_5.log`, then go on.", 30)
    assert ["".join(run.text for run in line) for line in lines] == [
        "Look into the log:", "`less +812 worker_5.log`, then", "go on."]
    assert next(run for run in lines[1] if run.code).text == "`less +812 worker_5.log`"


def test_a_command_that_fits_no_line_begins_one() -> None:
    lines = wrap_step("Look: `less +812 output/msrun_log/worker_5.log`.", 32)
    assert ["".join(run.text for run in line) for line in lines] == [
        "Look:", "`less +812 \\", "output/msrun_log/worker_5.log`."]


def test_without_marks_the_backticks_go() -> None:
    (line,) = wrap_step("see `a b`.", 30, marks=False)
    assert [(run.text, run.code) for run in line] == [("see ", False), ("a b", True), (".", False)]


@given(st.lists(st.text(st.sampled_from("abc-/_."), min_size=1, max_size=12), min_size=1,
                max_size=12), st.integers(24, 60))
def test_a_broken_command_still_means_the_same_to_a_shell(words: list[str], limit: int) -> None:
    lines = wrap_step(f"do `{' '.join(words)}`", limit, marks=False)
    text = "\n".join("".join(run.text for run in line if run.code) for line in lines)
    assert shlex.split(text.replace("\\\n", "")) == words  # what a shell does first
    assert all(width("".join(run.text for run in line)) <= limit for line in lines)


@pytest.mark.parametrize("command", [
    'printf "<%s>" "max memory|Memory Statistic" \'it is a|b c\' plain words to fill lines',
    'printf "<%s>" "$(printf "%s" "a b c  d" | tr a-c x-z)" one two three four five',
    "printf '<%s>' a\\ b\\ c 'd  e' $(printf 'f  g' | head -n 1) h i j k l m n"])
@pytest.mark.parametrize("limit", [36, 44, 60])
def test_quoted_text_is_never_broken(command: str, limit: int) -> None:
    broken = "\n".join("   " + "".join(run.text for run in line)
                       for line in wrap_step(f"do `{command}`", limit, marks=False)[1:])
    assert "\\\n" in broken
    once, again = (subprocess.run(["bash", "-c", text], capture_output=True, text=True, check=True)
                   for text in (command, broken))
    assert again.stdout == once.stdout



@given(TEXT, st.integers(8, 40))
def test_steps_fit_whatever_they_hold(text: str, limit: int) -> None:
    for line in wrap_step(text, limit):
        assert width("".join(run.text for run in line)) <= limit


@given(st.text(st.characters(codec="utf-8", categories=["L", "N", "P"]), min_size=1, max_size=90),
       st.integers(8, 40))
def test_a_long_word_leaves_no_lone_mark(word: str, limit: int) -> None:
    lines = wrap("word" + word + "x.", limit)
    assert "".join(lines) == "word" + word + "x."
    assert lines[-1] != "."


def test_a_long_name_is_broken_behind_its_marks() -> None:
    name = "mindspore.runtime.launch_blocking_for_all(value)"
    assert wrap(name, 40) == ["mindspore.runtime.launch_blocking_for_", "all(value)"]
    assert wrap("/var/log/some/where/deep/down/worker_0.log.", 40) == [
        "/var/log/some/where/deep/down/worker_0.", "log."]
    assert wrap("x" * 40 + ".", 40) == ["x" * 39, "x."]
    assert wrap("-" * 25, 10) == ["-" * 10, "-" * 10, "-" * 5]
