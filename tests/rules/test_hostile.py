"""Packs that would exhaust the reader or the scan: refused or bounded, with a clear message."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from assistant.authoring.lint import lint
from assistant.patterns import check
from assistant.rules import content, load
from assistant.rules import layer as layers
from assistant.rules.packs import Layer

#: Seconds that judging one expression may take at most, on a busy machine.
BOUND = 5.0
RULE = ("  - id: storage.many-{n}\n    title: {{en: A, zh: 甲}}\n    category: storage\n"
        "    severity: error\n    article: disk-full\n"
        "    signals: {{it: {{log: 'shelf {n} is lost'}}}}\n    when: it\n")


@pytest.mark.parametrize(("expression", "words"), [
    ("(a{1,1000}){1000}", "multiply to more than 1000"),
    ("((a{1,100}){1,100}){1,100}", "multiply"),
    ("(((((((a{2}){9}){9}){9}){9}){9}){9})", "multiply"),
    ("(?:[a-z]{1,64}){64}z", "multiply"),
    ("(?:a?){5000}a", "more than 1000 repetitions"),
    ("(" * 500 + "a" + ")" * 500, "nested"),
    ("(" * 20000 + "a" + ")" * 20000, "longer than"),
    ("a|" * 50000 + "b", "longer than"),
    ("x" * 1_000_000, "longer than"),
    ("(?i)" + "straße" * 500, "cannot be sought in bulk"),
    (r"(a+)\1", "back-reference"),
    ("(?=a)b", "look"),
])
def test_an_expression_that_is_refused(expression: str, words: str) -> None:
    start = time.perf_counter()
    trouble = check(expression)
    assert time.perf_counter() - start < BOUND
    assert trouble is not None
    assert words in trouble.message and trouble.cure
    assert 0 <= trouble.offset <= len(expression)
    assert len(trouble.message) + len(trouble.cure) < 300


@pytest.mark.parametrize("expression", [
    "(a*)*b", "(x+x+)+y", "(a|a)*b" * 50, ".*" * 300 + "z", "[a-z]+" * 400 + "z",
    ".{1000}" * 50 + "a", "a{1,1000}" * 4, r"\d{1,1000}x" * 10])
def test_an_expression_that_would_backtrack_for_ever_is_only_slow_to_others(
        expression: str) -> None:
    from assistant.patterns import build

    start = time.perf_counter()
    assert check(expression) is None
    engine = build([expression])
    line = b"a" * 30 + b"x" * 5000 + b"!"
    engine.candidates(line + b"\n")
    engine.match(0, line)
    assert time.perf_counter() - start < 2 * BOUND


def test_it_is_told_at_its_place(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("rules:\n" + RULE.format(n=1).replace("shelf 1", "(a{1,1000}){1000}"), "utf-8")
    problem = lint([str(path)], layers=[]).problems[0]
    assert (problem.code, problem.position.line, problem.position.column) == (
        "bad-expression", 7, 37)


def test_too_many_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layers, "MAX_RULES", 20)
    (tmp_path / "a.yaml").write_text(
        "rules:\n" + "".join(RULE.format(n=n) for n in range(30)), encoding="utf-8")
    found = load([Layer("many", tmp_path)], cache=False)
    assert len(found.rules) == 20
    (problem,) = found.problems
    assert (problem.code, problem.position.line) == ("too-many-rules", 2 + 20 * 7)
    assert "more than 20 rules" in problem.message


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path,
                                              monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "MAX_BYTES", 1 << 20)
    (tmp_path / "a.yaml").write_text("rules:\n" + RULE.format(n=1), encoding="utf-8")
    with (tmp_path / "b.yaml").open("wb") as stream:
        stream.truncate(2 << 20)
    found = load([Layer("large", tmp_path)], cache=False)
    assert [rule.id for rule in found.rules] == ["storage.many-1"]
    assert [(Path(p.position.file).name, p.code) for p in found.problems] == [
        ("b.yaml", "too-large")]


def test_a_thousand_rules_of_one_file_are_read_in_linear_time(tmp_path: Path) -> None:
    def seconds(count: int) -> float:
        folder = tmp_path / str(count)
        folder.mkdir()
        (folder / "a.yaml").write_text(
            "rules:\n" + "".join(RULE.format(n=n) for n in range(count)), encoding="utf-8")
        start = time.process_time()
        assert len(load([Layer("many", folder)], cache=False).rules) == count
        return time.process_time() - start

    seconds(10)
    assert seconds(800) < 14 * seconds(100)
