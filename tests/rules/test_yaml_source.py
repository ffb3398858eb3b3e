"""The YAML reader: plain values, exact positions, and a problem for whatever is wrong."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assistant.rules import yaml_source
from assistant.rules.types import Position
from assistant.rules.yaml_source import Document, read, read_bytes
from assistant.rules.yaml_text import index_at, place_of


def codes(document: Document) -> list[str]:
    return [problem.code for problem in document.problems]


def test_values_and_positions() -> None:
    document = read("id: a.b\nsignals:\n  one: {log: 'x', at_least: 2}\nlist: [1.5, true, ~]\n",
                    "f.yaml")
    assert document.value == {"id": "a.b", "signals": {"one": {"log": "x", "at_least": 2}},
                              "list": [1.5, True, None]}
    assert document.problems == ()
    assert document.at(("signals", "one", "log")) == Position("f.yaml", 3, 14)
    assert document.key(("signals", "one", "at_least")) == Position("f.yaml", 3, 19)
    assert document.at(("list", 1)) == Position("f.yaml", 4, 13)
    # What is not there is where its surroundings are.
    assert document.at(("signals", "one", "ranks")) == document.at(("signals", "one"))


@pytest.mark.parametrize("text", ["yes", "No", "ON", "off"])
def test_words_that_yaml_makes_booleans_stay_text(text: str) -> None:
    document = read(f"key: {text}\n", "f.yaml")
    assert document.value == {"key": text}
    assert codes(document) == ["yaml-trap"]
    assert ("key",) in document.traps
    assert "quotes" in document.problems[0].cure


@pytest.mark.parametrize("text", ["2026-03-01", "2026-03-01 10:00:00", "010", "0x1F", "0b11",
                                  "1:30", "1:30.5", "1_000", ".inf", "-.INF", ".nan",
                                  "9" * 30])
def test_other_traps_stay_text(text: str) -> None:
    document = read(f"key: {text}\n", "f.yaml")
    assert document.value == {"key": text}
    assert codes(document) == ["yaml-trap"]


@pytest.mark.parametrize("text", ["'yes'", '"010"', "|\n  on", "nan", "none", "1e-3", "~x"])
def test_no_trap_where_yaml_reads_text(text: str) -> None:
    assert read(f"key: {text}\n", "f.yaml").problems == ()


@pytest.mark.parametrize(("text", "value"), [("0", 0), ("-7", -7), ("+3", 3), ("1.50", 1.5),
                                             (".5", 0.5), ("true", True), ("False", False)])
def test_plain_numbers_and_booleans(text: str, value: object) -> None:
    document = read(f"key: {text}\n", "f.yaml")
    assert document.problems == ()
    assert document.value == {"key": value}
    assert type(document.value["key"]) is type(value)


def test_duplicate_key_keeps_the_first_and_names_both_lines() -> None:
    document = read("a: 1\nb: 2\na: 3\n", "f.yaml")
    assert document.value == {"a": 1, "b": 2}
    assert codes(document) == ["duplicate-key"]
    assert document.problems[0].position == Position("f.yaml", 3, 1)
    assert "line 1" in document.problems[0].message


def test_a_few_aliases_are_written_out() -> None:
    document = read("a: &x [1, 2]\nb: *x\n", "f.yaml")
    assert document.value == {"a": [1, 2], "b": [1, 2]}
    assert document.problems == ()


def test_a_bomb_of_aliases_is_refused_without_being_written_out() -> None:
    lines = ["a0: &a0 [x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    document = read("\n".join(lines), "f.yaml")
    assert document.value is None
    assert codes(document) == ["alias"]


def test_too_deep() -> None:
    deep = yaml_source.MAX_DEPTH + 5
    assert "too-deep" in codes(read("[" * deep + "]" * deep, "f.yaml"))
    assert codes(read("[" * 20000, "f.yaml")) == ["too-deep"]


def test_bytes_that_are_no_utf8() -> None:
    document = read_bytes(b"a: 1\nbc: \xff\n", "f.yaml")
    assert document.value is None
    assert codes(document) == ["not-utf8"]
    assert document.problems[0].position == Position("f.yaml", 2, 5)


def test_byte_order_mark_and_crlf() -> None:
    document = read_bytes(b"\xef\xbb\xbfa: 1\r\nb: 2\r\n", "f.yaml")
    assert document.value == {"a": 1, "b": 2}
    assert document.key(("b",)) == Position("f.yaml", 2, 1)


def test_both_parsers_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a: 'x'\nb: [plain, \"q\\n\", ~, 12]\nc: |\n  two\n  lines\nd: >-\n  folded\n  text\n"
    fast = read(text, "f.yaml")
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    slow = read(text, "f.yaml")
    assert fast.value == slow.value
    assert fast.keys == slow.keys
    assert {path: (s.line, s.column, s.style) for path, s in fast.spans.items()} == {
        path: (s.line, s.column, s.style) for path, s in slow.spans.items()}


def test_offsets_in_every_form_of_text() -> None:
    text = ("plain: ab(c\n"
            "single: 'it''s (c'\n"
            "double: \"\\x41\\t(c\"\n"
            "block: |-\n    one\n    two (c\n"
            "wrapped: 'one\n    two (c'\n")
    document = read(text, "f.yaml")
    for key, line, column in (("plain", 1, 10), ("single", 2, 16), ("double", 3, 16),
                              ("block", 6, 9), ("wrapped", 8, 9)):
        offset = document.value[key].index("(")
        assert document.inside((key,), offset) == Position("f.yaml", line, column), key


@settings(max_examples=300)
@given(st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=40),
       st.sampled_from(["'", '"']))
def test_offsets_of_quoted_text(text: str, style: str) -> None:
    source = yaml.safe_dump({"key": text}, default_style=style, width=10_000, allow_unicode=True)
    document = read(source, "f.yaml")
    if document.value is None or len(document.lines) > 2:
        return  # characters that YAML counts as line ends
    # Keys are quoted by this style, too.
    assert document.value == {"key": text}
    for offset, character in enumerate(text):
        position = document.inside(("key",), offset)
        found = document.lines[position.line - 1][position.column - 1]
        assert found == character or found == "\\"


@settings(max_examples=300)
@given(st.text(max_size=200))
@example("? - a: *")
@example("%YAML 1." + "9" * 5000 + "\n---\na")
@example('"\\UFFFFFFFF"')
@example("a: !!int x\nb: !!float y\nc: !!timestamp z")
@example("!!map [a]")
@example("&a : *a")
@example("? {a: b}\n: c")
@example("\ud800: 1")
@example("--- a\n--- b\n--- c")
@example("a: !<tag:yaml.org,2002:bool> maybe")
def test_no_text_makes_it_raise(text: str) -> None:
    document = read(text, "f.yaml")
    assert document.value is not None or document.problems or not text.strip(" \t\n~nulNUL-.#")
    for problem in document.problems:
        assert problem.position.line >= 1
        assert problem.position.column >= 1
        assert problem.message


@given(st.binary(max_size=100))
def test_no_bytes_make_it_raise(data: bytes) -> None:
    read_bytes(data, "f.yaml")


#: What YAML would take, and the reader refuses with a message.
REFUSED = {"too-deep", "alias", "full-width"}
_SCALARS = st.text(max_size=8) | st.integers(-10**17, 10**17) | st.booleans() | st.none()


@given(st.recursive(_SCALARS, lambda inner: st.lists(inner, max_size=3)
                    | st.dictionaries(st.text(max_size=5), inner, max_size=3), max_leaves=8))
def test_what_yaml_writes_is_read_as_yaml_does(value: object) -> None:
    source = yaml.safe_dump(value, allow_unicode=True)
    document = read(source, "f.yaml")
    if not source.strip() or {p.code for p in document.problems} & REFUSED:
        return
    # PyYAML does not read back everything that it writes (a line end such as U+0085).
    assert document.value == yaml.safe_load(source)


@pytest.mark.parametrize(("text", "line", "column", "mark"), [
    ("id：storage.x\ntitle: {en: a}\n", 1, 3, "："),
    ('tests:\n  - name: "a"\n    logs：{worker_0.log: x}\n    expect: none\n', 3, 9, "："),
    ('title: {en: "A"，zh: "B"}\n', 1, 16, "，"),
    ('title： {en: "A"}\nid: x\n', 1, 6, "："),
    ("log: ‘quota.*’\n", 1, 6, ""),
    ("log: “quota.*”\n", 1, 6, ""),
])
def test_full_width_punctuation(text: str, line: int, column: int, mark: str) -> None:
    problem = yaml_source.read(text, "x.yaml").problems[0]
    assert problem.code == "full-width"
    assert (problem.position.line, problem.position.column) == (line, column)
    assert mark in problem.message
    assert problem.cure


@pytest.mark.parametrize("text", [
    'title: {en: "A", zh: "甲：乙，丙"}\n', "zh: 甲：乙，丙（丁）\n", "zh: “甲”和“乙”中的一个\n"])
def test_full_width_punctuation_within_a_text(text: str) -> None:
    assert yaml_source.read(text, "x.yaml").problems == ()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\x85", "\u2028"])
def test_lines_are_those_of_yaml_however_they_end(end: str) -> None:
    document = read(end.join(("a: 1", "", "b: {x} y", "c: 2")), "f.yaml")
    assert [problem.position.line for problem in document.problems] == [3]
    text = end.join(("first: yes", "second:", "  third: no"))
    document = read(text, "f.yaml")
    assert [problem.position for problem in document.problems] == [
        Position("f.yaml", 1, 8), Position("f.yaml", 3, 10)]
    at = index_at(text, 3, 10)
    assert text[at:] == "no"
    assert place_of(text, at) == (3, 10)


@pytest.mark.parametrize("value", [
    "!!python/object/apply:os.system ['true']", "!!python/name:os.system x", "!!binary aGk=",
    "!own x", "!!set {a}", "!!omap [a: 1]"])
def test_tags_are_refused_and_make_nothing(value: str) -> None:
    document = read(f"a: {value}\n", "f.yaml")
    assert "tag" in codes(document)
    assert document.value is None or type(document.value["a"]) in (str, list, dict, type(None))
