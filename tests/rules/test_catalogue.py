"""Catalogues of codes: rows become rules, families are kept, `explains` is theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.rules import load
from assistant.rules.families import family_of
from assistant.rules.packs import Layer
from assistant.rules.ruleset import RuleSet
from assistant.rules.types import CodeSignal, Family, Relation, Rule

HEAD = """
catalogue: ours
about: {en: Ours, zh: 我们的}
article: our-codes
"""
ROW = """
codes:
  - code: EX0001
    name: EXAMPLE
    category: hccl
    severity: error
    usually: consequence
    title: {en: One, zh: 一}
    meaning: {en: It failed., zh: 失败。}
    causes: {en: [unknown], zh: [未知]}
    steps: {en: [Read it], zh: [阅读]}
    printed: ["[ERROR] EX0001: x"]
"""
FAMILIES = """
families:
  - codes: "EX????"
    title: {en: Family, zh: 类别}
  - codes: [SIGKILL, "-9"]
    usually: cause
    article: killed
    title: {en: Killed, zh: 被终止}
    meaning: {en: Somebody did it., zh: 人为。}
"""
EXPLAINS = """
explains:
  - {rules: [crash.process-aborted], ranks: same}
  - hccl.*
"""


def loaded(tmp_path: Path, text: str) -> RuleSet:
    (tmp_path / "codes.yaml").write_text(text, encoding="utf-8")
    return load([Layer("test", tmp_path)], cache=False)


def only(ruleset: RuleSet) -> Rule:
    assert not ruleset.problems
    rule, = ruleset.codes.all()
    assert not ruleset.rules
    return rule


def test_a_row_is_a_rule_of_last_resort(tmp_path: Path) -> None:
    rule = only(loaded(tmp_path, HEAD + ROW))
    assert (rule.id, rule.name, rule.article, rule.usually) == (
        "hccl.code-ex0001", "EXAMPLE", "our-codes", "consequence")
    assert rule.fallback and rule.signals == {"code": CodeSignal(("EX0001",))}
    assert rule.explains == ()


def test_what_a_catalogue_explains_all_its_rows_explain(tmp_path: Path) -> None:
    rule = only(loaded(tmp_path, HEAD + EXPLAINS + ROW))
    assert set(rule.explains) == {Relation(("hccl.*",)),
                                  Relation(("crash.process-aborted",), "same")}


def test_families(tmp_path: Path) -> None:
    ruleset = loaded(tmp_path, HEAD + FAMILIES)
    assert not ruleset.problems and not ruleset.every()
    first, second = ruleset.families
    assert (first.codes, first.article, first.usually) == (("EX????",), "our-codes", None)
    assert (second.codes, second.article, second.usually) == (
        ("SIGKILL", "-9"), "killed", "cause")
    assert second.meaning == {"en": "Somebody did it.", "zh": "人为。"}
    assert second.source == "test" and second.position.line == 9


def test_families_survive_the_cache(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "codes.yaml").write_text(HEAD + FAMILIES + ROW, encoding="utf-8")
    layer = Layer("test", tmp_path / "rules")
    first = load([layer], cache_dir=tmp_path / "cache")
    assert load([layer], cache_dir=tmp_path / "cache").families == first.families != ()


@pytest.mark.parametrize(("text", "code", "word"), [
    (HEAD, "missing-head", "codes"),
    (HEAD + "families: []\n", "empty-value", "families"),
    (HEAD + 'families:\n  - codes: "E X"\n    title: {en: a, zh: b}\n', "bad-form", "codes"),
    (HEAD + "explains: 5\n" + ROW, "wrong-type", "explains"),
])
def test_mistakes(tmp_path: Path, text: str, code: str, word: str) -> None:
    problem, *_ = loaded(tmp_path, text).problems
    assert problem.code == code
    assert word in problem.message + problem.cure


def family(*codes: str) -> Family:
    return Family(codes, {"en": codes[0]}, {}, "a")


@pytest.mark.parametrize(("code", "expected"), [
    ("EI0006", "EI????"), ("EI0001", "EI000?"), ("-9", "-9"), ("-7", "-[1-9]"),
    ("E10001", "E1????"), ("EI006", None), ("", None)])
def test_the_closest_family(code: str, expected: str | None) -> None:
    families = [family("EI000[1-3]", "EI000?"), family("EI????"), family("-9"),
                family("-[1-9]"), family("E1????")]
    if expected == "EI????":
        families = families[1:]
    found = family_of(code, families)
    assert (None if found is None else expected in found.codes or found.codes[0]) == (
        None if expected is None else True)


def test_a_later_pack_counts_more() -> None:
    first, second = family("EI????"), family("EI????")
    assert family_of("EI0006", [first, second]) is second
