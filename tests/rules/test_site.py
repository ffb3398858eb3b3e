"""What a site file changes, and what it names that is not there."""

from __future__ import annotations

import datetime
from pathlib import Path

from assistant.authoring.lint import lint
from assistant.rules import load
from assistant.rules.packs import Layer
from assistant.rules.ruleset import RuleSet
from assistant.rules.types import Rule

RULE = ("id: storage.ours\ntitle: {en: Lost, zh: 丢失}\ncategory: storage\nseverity: error\n"
        "article: port-taken\nsignals: {it: {log: 'scratch lost'}}\nwhen: it\n")
ROOT = Path(__file__).parent


def loaded(folder: Path, site: str, *, above: str = "", today: str = "2026-01-01") -> RuleSet:
    layers = []
    for name, text in (("one", site), ("two", above)):
        (folder / name / "rules").mkdir(parents=True)
        (folder / name / "site.yaml").write_text(text or "site: {a: b}\n", encoding="utf-8")
        layers.append(Layer(name, folder / name))
    (folder / "one" / "rules" / "a.yaml").write_text(RULE, encoding="utf-8")
    return load(layers, cache=False, today=datetime.date.fromisoformat(today))


def only(ruleset: RuleSet) -> Rule:
    (rule,) = ruleset.rules
    return rule


def test_steps_are_replaced_and_appended(tmp_path: Path) -> None:
    first = ("overrides:\n  storage.*: {steps: {replace: {en: [Look], zh: [看]}, "
             "append: {en: [Call]}}}\n")
    rule = only(loaded(tmp_path, first, above=(
        "overrides:\n  storage.ours: {steps: {append: {en: [Write], zh: [写]}}}\n")))
    assert rule.steps == {"en": ("Look",), "zh": ("看",)}
    assert rule.added_steps == {"en": ("Call", "Write"), "zh": ("写",)}


def test_replaced_steps_replace_what_was_appended(tmp_path: Path) -> None:
    rule = only(loaded(tmp_path, "overrides: {storage.ours: {steps: {append: {en: [Call]}}}}\n",
                       above="overrides: {storage.ours: {steps: {replace: {en: [Look]}}}}\n"))
    assert (rule.steps, rule.added_steps) == ({"en": ("Look",)}, {})


def test_a_name_that_no_rule_has_is_told_at_its_place(tmp_path: Path) -> None:
    ruleset = loaded(tmp_path, "overrides:\n  storage.our: {severity: info}\nsilences:\n"
                     "  - {rule: nothing.*, until: '2030-01-01', reason: x}\n")
    assert [(p.code, p.level, p.position.line, p.position.column, p.cure)
            for p in ruleset.problems] == [
        ("unknown-rule", "warning", 2, 3, "did you mean `storage.ours`?"),
        ("unknown-rule", "warning", 4, 5, "see `kbtriage rules list`")]


def test_a_silence_that_is_over(tmp_path: Path) -> None:
    text = "silences: [{rule: storage.ours, until: '2025-12-31', reason: moving}]\n"
    ruleset = loaded(tmp_path, text)
    assert [p.code for p in ruleset.problems] == ["expired-silence"]
    assert (only(ruleset).severity, dict(ruleset.silenced)) == ("error", {})
    last_day = loaded(tmp_path / "again", text, today="2025-12-31")
    assert last_day.problems == ()
    assert only(last_day).severity == "info"
    assert {name: (one.until, one.reason) for name, one in last_day.silenced.items()} == {
        "storage.ours": ("2025-12-31", "moving")}


def test_a_day_that_no_calendar_has(tmp_path: Path) -> None:
    ruleset = loaded(tmp_path, "silences: [{rule: storage.ours, until: '2026-02-30', reason: x}]")
    assert [(p.code, p.position.column) for p in ruleset.problems] == [("bad-form", 40)]


def test_a_rule_that_is_left_out_is_no_unknown_one(tmp_path: Path) -> None:
    broken = (ROOT / "good" / "single.yaml").read_text("utf-8").replace(
        "severity: error", "severity: critical", 1)
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "a.yaml").write_text(broken, encoding="utf-8")
    (tmp_path / "site.yaml").write_text(
        "silences:\n  - {rule: network.port-taken-elsewhere, until: '2030-01-01', reason: x}\n"
        "  - {rule: network.port-taken-elsewere, until: '2030-01-01', reason: x}\n")
    found = lint([str(tmp_path)], layers=[]).problems
    assert [p.position.line for p in found if p.code == "unknown-rule"] == [3]
    assert "unknown-severity" in {p.code for p in found}
    ruleset = load([Layer("ours", tmp_path)], cache=False)
    assert [p.code for p in ruleset.problems] == ["unknown-severity"]


def test_the_linter_looks_into_a_site_file(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "a.yaml").write_text(
        (ROOT / "good" / "single.yaml").read_text("utf-8"), encoding="utf-8")
    (tmp_path / "site.yaml").write_text(
        "overrides:\n"
        "  network.scheduler-port-takn: {severity: info}\n"
        "  network.*: {steps: {append: {en: ['Call {site.x|us} on {prot}']}}}\n"
        "silences:\n  - {rule: network.*, until: '2020-01-01', reason: over}\n", encoding="utf-8")
    found = lint([str(tmp_path)], layers=[Layer("good", ROOT / "good", ROOT / "kb")]).problems
    assert [(p.code, p.position.line, p.position.column) for p in found] == [
        ("unknown-rule", 2, 3), ("unknown-placeholder", 3, 58), ("expired-silence", 5, 5)]
    assert found[1].cure == "did you mean `port`?"
