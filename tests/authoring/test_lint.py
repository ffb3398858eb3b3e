"""The linter: every mistake is told once, at its place, with its cure."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.authoring.lint import lint, main, text_of
from assistant.authoring.rule_files import read_rules
from assistant.errors import UsageError
from assistant.rules import load
from assistant.rules.packs import Layer

RULES = Path(__file__).parents[1] / "rules"
LINT = Path(__file__).parents[1] / "lint"
GOOD = Layer("good", RULES / "good", RULES / "kb")
BAD = sorted((LINT).rglob("*.yaml"))


def test_there_are_enough_bad_examples() -> None:
    codes = {problem["code"] for path in BAD
             for problem in json.loads(expectation(path).read_text("utf-8"))}
    assert len(BAD) >= 100
    assert len(codes) >= 55


def expectation(path: Path) -> Path:
    """What is expected of a bad example: all of its problems, in order."""
    return path.with_suffix(".expect.json")


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.relative_to(LINT).as_posix())
def test_bad_example(path: Path) -> None:
    expected = json.loads(expectation(path).read_text("utf-8"))
    linted = lint([str(path)], layers=[GOOD])
    found = [{"file": Path(p.position.file).name, "line": p.position.line,
              "column": p.position.column, "level": p.level, "code": p.code}
             for p in linted.problems]
    assert found == [{key: one[key] for key in found[0]} for one in expected]
    for problem, one in zip(linted.problems, expected, strict=True):
        for word in one["words"]:
            assert word in f"{problem.message} {problem.cure}"
        assert problem.cure
    assert text_of(linted).count("\n") >= 2 * len(found)


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.relative_to(LINT).as_posix())
def test_bad_example_does_not_hurt_the_others(path: Path) -> None:
    ruleset = load([GOOD, Layer("bad", path)], cache=False)
    assert {rule.id for rule in ruleset.rules} >= {"network.every-key", "numeric.spike"}


def test_good_examples() -> None:
    linted = lint([str(RULES / "good")], layers=[GOOD])
    assert linted.problems == ()
    assert not linted.failed
    assert text_of(linted) == "4 files, 7 rules: no problems"


def test_two_groups_that_give_way_to_each_other_are_no_mistake(tmp_path: Path) -> None:
    text = (LINT / "mutual-unless.yaml").read_text("utf-8")
    (tmp_path / "mine.yaml").write_text(text.replace("[network.other-port]", '["network.o*"]'),
                                        encoding="utf-8")
    assert lint([str(tmp_path)], layers=[GOOD]).problems == ()


@pytest.mark.parametrize(("signal", "more", "codes"), [
    ("{exception: '.*', where: user}", "", []),
    ("{exception: ['.*', KeyError]}", "group_by: [type, message]\n", []),
    ("{file: unreadable}", "group_by: [path, why]\n", []),
    ("{file: unreadable}", "group_by: [nothing]\n", ["unknown-capture"]),
    ("{log: '.*'}", "", ["bad-expression"]),
    ("{exception: KeyError, message: '.*'}", "", ["bad-expression"]),
])
def test_what_the_language_allows(tmp_path: Path, signal: str, more: str,
                                  codes: list[str]) -> None:
    text = (RULES / "good" / "single.yaml").read_text("utf-8")
    head, tests = text.index("signals:"), text.index("when: bind")
    (tmp_path / "mine.yaml").write_text(
        text[:head].replace("{port}", "it") + f"signals: {{bind: {signal}}}\n{more}"
        + text[tests:].replace("captures: {port: \"8118\"}, ", ""), encoding="utf-8")
    assert [p.code for p in lint([str(tmp_path)], layers=[GOOD]).problems
            if p.level == "error"] == codes


def test_all_problems_of_several_files_at_once() -> None:
    linted = lint([str(LINT / name) for name in (
        "unknown-severity.yaml", "misspelt-signal.yaml", "unsure-placeholder.yaml")],
        layers=[GOOD])
    assert [problem.code for problem in linted.problems] == [
        "unknown-signal", "unknown-severity", "unsure-placeholder", "unsure-placeholder"]
    assert text_of(linted).splitlines()[-1] == "3 files, 1 rule: 2 errors, 2 warnings"


def test_a_rule_may_replace_one_of_an_earlier_pack(tmp_path: Path) -> None:
    text = (RULES / "good" / "single.yaml").read_text("utf-8")
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    assert lint([str(tmp_path)], layers=[GOOD]).problems == ()


def test_packs_own_articles_and_files(tmp_path: Path) -> None:
    rule = (RULES / "good" / "single.yaml").read_text("utf-8")
    rule = rule.replace("article: port-taken", "article: our-port")
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "mine.yaml").write_text(rule, encoding="utf-8")
    (tmp_path / "pack.yaml").write_text("name: Ours\nversion: 1.0\n", encoding="utf-8")
    (tmp_path / "site.yaml").write_text("silences: [{rule: a.b, until: 2026-01-01, reason: x}]\n",
                                        encoding="utf-8")
    for lang in ("en", "zh"):
        (tmp_path / "kb" / lang).mkdir(parents=True)
        text = (RULES / "kb" / lang / "port-taken.md").read_text("utf-8")
        (tmp_path / "kb" / lang / "our-port.md").write_text(text, encoding="utf-8")
    linted = lint([str(tmp_path)], layers=[GOOD])
    assert [(Path(p.position.file).name, p.code) for p in linted.problems] == [
        ("pack.yaml", "bad-form"), ("pack.yaml", "wrong-type"), ("site.yaml", "yaml-trap")]


def test_a_broken_article_is_told(tmp_path: Path) -> None:
    rule = (RULES / "good" / "single.yaml").read_text("utf-8")
    (tmp_path / "mine.yaml").write_text(rule, encoding="utf-8")
    for lang in ("en", "zh"):
        (tmp_path / "kb" / lang).mkdir(parents=True)
        (tmp_path / "kb" / lang / "port-taken.md").write_text(
            "---\ntitle: Port {port}\ncategory: netwrok\n---\n## What it means\nIt is.\n",
            encoding="utf-8")
    linted = lint([str(tmp_path)], layers=[GOOD])
    assert {p.code for p in linted.problems} >= {"article-category", "article-section"}
    assert linted.failed


@pytest.mark.parametrize("name", ["nowhere", "empty"])
def test_nothing_to_lint(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=name):
        lint([str(tmp_path / name)], layers=[GOOD])
    with pytest.raises(UsageError, match=name):
        read_rules([str(tmp_path / name)])


def test_exit_status(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(LINT / "unknown-severity.yaml")]) == 1
    assert "error[unknown-severity]" in capsys.readouterr().out
    assert main([str(tmp_path / "nowhere")]) == 2
    assert "nowhere" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["site.yaml", "pack.yaml"])
def test_a_reserved_name_below_the_top(tmp_path: Path, name: str) -> None:
    (tmp_path / "rules").mkdir()
    rule = (RULES / "good" / "single.yaml").read_text("utf-8")
    (tmp_path / "rules" / name).write_text(rule, encoding="utf-8")
    linted = lint([str(tmp_path)], layers=[GOOD])
    assert [(Path(p.position.file).name, p.code) for p in linted.problems] == [
        (name, "reserved-name")]
    assert linted.failed


def test_an_article_of_another_category(tmp_path: Path) -> None:
    rule = (RULES / "good" / "single.yaml").read_text("utf-8")
    (tmp_path / "mine.yaml").write_text(
        rule.replace("article: port-taken", "article: our-port"), encoding="utf-8")
    for lang in ("en", "zh"):
        (tmp_path / "kb" / lang).mkdir(parents=True)
        text = (RULES / "kb" / lang / "port-taken.md").read_text("utf-8")
        (tmp_path / "kb" / lang / "our-port.md").write_text(
            text.replace("category: network", "category: storage"), encoding="utf-8")
    linted = lint([str(tmp_path)], layers=[GOOD])
    assert {(p.code, p.level) for p in linted.problems} == {("category-differs", "warning")}


def test_a_missing_article_always_says_which_files_to_write(tmp_path: Path) -> None:
    rule = (RULES / "good" / "single.yaml").read_text("utf-8")
    for name in ("port-takn", "zzz"):
        path = tmp_path / "mine.yaml"
        path.write_text(rule.replace("article: port-taken", f"article: {name}"), encoding="utf-8")
        (problem,) = lint([str(path)], layers=[GOOD]).problems
        assert f"rite kb/en/{name}.md and kb/zh/{name}.md" in problem.cure
        assert ("did you mean `port-taken`?" in problem.cure) is (name == "port-takn")


def test_one_missing_article_of_many_rows(tmp_path: Path) -> None:
    row = """  - code: {code}
    category: hccl
    severity: error
    usually: consequence
    title: {{en: "A", zh: "甲"}}
    meaning: {{en: "A.", zh: "甲。"}}
    causes: {{en: ["x"], zh: ["甲"]}}
    steps: {{en: ["y"], zh: ["乙"]}}
    printed: ["{code}: lost"]
    not_printed: ["fine"]
"""
    path = tmp_path / "codes.yaml"
    path.write_text('catalogue: ours\nabout: {en: "A", zh: "甲"}\narticle: nowhere\ncodes:\n'
                    + row.format(code="EY0001") + row.format(code="EY0002"), encoding="utf-8")
    found = [p for p in lint([str(path)], layers=[GOOD]).problems if p.code == "missing-article"]
    assert len(found) == 1
    assert "(2 rules name it here)" in found[0].message
    assert found[0].position.line == 3


def test_a_key_of_a_test_is_told_by_the_test_s_name(tmp_path: Path) -> None:
    rule = (RULES / "good" / "single.yaml").read_text("utf-8")
    name = next(one for one in read_rules([str(RULES / "good" / "single.yaml")])).rule.tests[0].name
    (tmp_path / "mine.yaml").write_text(rule.replace("expect:", "expects:", 1), encoding="utf-8")
    (problem, *_) = lint([str(tmp_path / "mine.yaml")], layers=[GOOD]).problems
    assert f"`{name}`" in problem.message


def test_a_title_is_not_cured_with_that_of_another_rule(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("""id: storage.x
title: {en: "A"}
category: storage
severity: error
article: port-taken
signals: {a: {log: 'xyz'}}
when: a
tests: []
""", encoding="utf-8")
    found = lint([str(tmp_path / "mine.yaml")], layers=[GOOD]).problems
    cure = next(p.cure for p in found if p.code == "missing-key")
    assert cure == "add `zh: ...`. The title in Chinese."
