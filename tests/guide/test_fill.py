from __future__ import annotations

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.guide.fill import fill, placeholders


@pytest.mark.parametrize(("text", "values", "expected"), [
    ("rank {rank} of {node}", {"rank": "2", "node": "a"}, "rank 2 of a"),
    ("{missing}", {}, "<missing>"),
    ("{missing|worker_N.log}", {}, "worker_N.log"),
    ("{missing|}", {}, ""),
    ("{there|no}", {"there": "yes"}, "yes"),
    ("{empty|no}", {"empty": ""}, "no"),
    ("{site.jump|ssh} {node}", {"site.jump": "bastion", "node": "n"}, "bastion n"),
    ("awk '{{print $1}}'", {"print": "x"}, "awk '{print $1}'"),
    ("{{rank}} {rank}", {"rank": "1"}, "{rank} 1"),
    ("{ } {1} {a b} }", {}, "{ } {1} {a b} }"),
    ("`less +{line} {file}`", {"line": "8", "file": "msrun_log/worker_2.log"},
     "`less +8 msrun_log/worker_2.log`"),
    ("`{message}`", {"message": "a `b` $(c)"}, "`a ?b? $(c)`"),
    ("say {message}", {"message": "a `b`\n\x1b[31mred\x1b[0m \x1b[2J\u202e"},
     "say a `b` red \\x1b[2J\\u202e"),
])
def test_fill(text: str, values: dict[str, str], expected: str) -> None:
    assert fill(text, values) == expected


@pytest.mark.parametrize(("text", "values", "expected"), [
    ("open `{path|a file}` first", {}, "open a file first"),
    ("open `{path|a file}` first", {"path": "/d/x"}, "open `/d/x` first"),
    ("open `{path|PATH}` first", {}, "open `PATH` first"),
    ("无法打开 `{path|某个文件}` 时", {}, "无法打开某个文件时"),
    ("无法打开 `{path|某个文件}` 时", {"path": "/d/x"}, "无法打开 `/d/x` 时"),
    ("算子 {kernel|（见报错）} 失败", {}, "算子（见报错）失败"),
    ("算子 {kernel|（见报错）} 失败", {"kernel": "Add"}, "算子 Add 失败"),
    ("`echo '算子 失败'`", {}, "`echo '算子 失败'`"),
])
def test_words_that_stand_in_for_a_name_read_as_words(
        text: str, values: dict[str, str], expected: str) -> None:
    assert fill(text, values) == expected


@pytest.mark.parametrize(("ranks", "expected"), [
    ("3", "Rank 3 prints"), ("0-3", "Ranks 0-3 print"), ("1, 5", "Ranks 1, 5 print"),
    ("", "Rank ? prints"),
])
def test_a_word_takes_the_form_that_its_ranks_need(ranks: str, expected: str) -> None:
    text = "{ranks:Rank|Ranks} {ranks|?} {ranks:prints|print}"
    assert fill(text, {"ranks": ranks}) == expected
    assert [p.default for p in placeholders(text)] == ["Rank", "?", "prints"]


def test_a_form_is_a_word_of_the_article_in_a_command_too() -> None:
    assert fill("`echo {ranks:a b|c d}`", {"ranks": "0-3"}) == "`echo c d`"


@pytest.mark.parametrize(("values", "expected"), [
    ({"login": "ssh node-b"}, "On its host (`ssh node-b`): `df`."),
    ({}, "On its host: `df`."),
    ({"login": ""}, "On its host: `df`."),
])
def test_a_piece_is_said_only_where_its_placeholders_are_known(
        values: dict[str, str], expected: str) -> None:
    assert fill("On its host{? (`{login}`)?}: `df`.", values) == expected


def test_a_piece_with_a_default_is_always_said_and_one_that_is_not_closed_stays() -> None:
    assert fill("{?a {x|b}?}{?{y}?}", {}) == "a b"
    assert fill("{?a {x|?}?} {?{y}?}", {}) == "a ? "
    assert fill("what {?is {rank}", {"rank": "1"}) == "what {?is 1"
    assert [p.default for p in placeholders("{?{a} {b|c}?} {d}")] == ["", "c", None]


def test_placeholders_are_listed_with_defaults_and_places() -> None:
    text = "a {rank} {{no}} {file|worker_N.log} {rank}"
    assert [(p.name, p.default, p.offset) for p in placeholders(text)] == [
        ("rank", None, 2), ("file", "worker_N.log", 16), ("rank", None, 36)]


PLAIN = st.text(st.characters(min_codepoint=32, max_codepoint=126, exclude_characters="`"),
                min_size=1)


@settings(max_examples=60, deadline=None)
@given(PLAIN, st.sampled_from([
    ("{v}", "V"), ("pre={v}/post", "pre=V/post"), ('"{v}"', "V"), ("'{v}'", "V"),
    ('"a \\" {v} b"', 'a " V b'), ("'x'{v}", "xV")]))
def test_a_value_is_one_word_for_the_shell_and_runs_nothing(value: str, word: tuple[str, str]
                                                            ) -> None:
    written, meant = word
    command = fill(f"`printf '<%s>' {written} {{file}}`", {"v": value, "file": "w.log"})[1:-1]
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout == f"<{meant.replace('V', value)}><w.log>"


@given(st.text(), st.dictionaries(st.sampled_from("ab"), st.text()))
def test_values_never_bring_line_ends_or_control_characters(text: str, values: dict[str, str]
                                                            ) -> None:
    filled = fill("{a} `x {b}` {a|d}", values)
    assert filled.isprintable()
    assert isinstance(fill(text, values), str)


@pytest.mark.parametrize(("values", "text"), [
    ({}, "Read `less log`."), ({"line": "8"}, "Read `less +8 log`."),
    ({"line": ""}, "Read `less log`.")])
def test_a_jump_to_a_line_that_nobody_knows(values: dict[str, str], text: str) -> None:
    assert fill("Read `less +{line|1} log`.", values) == text


@pytest.mark.parametrize(("values", "text"), [
    ({"line": "8"}, "Read `less log`."), ({"line": "8", "top": "3"}, "Read `less +3 log`.")])
def test_a_jump_to_where_reading_begins(values: dict[str, str], text: str) -> None:
    assert fill("Read `less +{top|1} log`.", values) == text
