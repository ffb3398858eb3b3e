"""The linter: every mistake is told once, at its place, with its cure."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.authoring.lint import lint, main, read_rules, text_of
from assistant.errors import UsageError
from assistant.rules import load
from assistant.rules.packs import Layer

RULES = Path(__file__).parents[1] / "rules"
GOOD = Layer("good", RULES / "good", RULES / "kb")
BAD = sorted((RULES / "bad").rglob("*.yaml"))


def test_there_are_enough_bad_examples() -> None:
    codes = {problem["code"] for path in BAD
             for problem in json.loads(expectation(path).read_text("utf-8"))}
    assert len(BAD) >= 100
    assert len(codes) >= 55


def expectation(path: Path) -> Path:
    """What is expected of a bad example: all of its problems, in order."""
    return path.with_suffix(".expect.json")


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.relative_to(RULES / "bad").as_posix())
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


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.relative_to(RULES / "bad").as_posix())
def test_bad_example_does_not_hurt_the_others(path: Path) -> None:
    ruleset = load([GOOD, Layer("bad", path)], cache=False)
    assert {rule.id for rule in ruleset.rules} >= {"network.every-key", "numeric.spike"}


def test_good_examples() -> None:
    linted = lint([str(RULES / "good")], layers=[GOOD])
    assert linted.problems == ()
    assert not linted.failed
    assert text_of(linted) == "4 files, 7 rules: no problems"


def test_two_groups_that_give_way_to_each_other_are_no_mistake(tmp_path: Path) -> None:
    text = (RULES / "bad" / "mutual-unless.yaml").read_text("utf-8")
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
    linted = lint([str(RULES / "bad" / name) for name in (
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
    assert main([str(RULES / "bad" / "unknown-severity.yaml")]) == 1
    assert "error[unknown-severity]" in capsys.readouterr().out
    assert main([str(tmp_path / "nowhere")]) == 2
    assert "nowhere" in capsys.readouterr().err
