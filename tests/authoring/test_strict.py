"""Do tests bite: a broken rule that its own tests do not notice is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.authoring import strict
from assistant.authoring.bench import suite
from assistant.rules.packs import Layer

RULE = r"""
id: storage.quota
title: {en: "Quota of {user}", zh: "{user} 的配额"}
category: storage
severity: error
article: disk-full
signals:
  quota: {log: ['quota of (?P<user>\w+) used up', 'quota gone']}
  full: {log: 'disk full'}
when: quota and not full
tests:
"""
FOUND = """
  - name: used up
    logs: {worker_0.log: "quota of bob used up\\nx\\nquota gone"}
    expect: {captures: {user: bob}, line: [worker_0.log:1, worker_0.log:3]}
"""
WEAK = """
  - name: used up
    logs: {worker_0.log: "quota of bob used up"}
    expect: {}
"""
NOT = """
  - name: the disk is full
    logs: {worker_0.log: "quota of bob used up\\ndisk full"}
    expect: none
"""
HEALTHY = """
  - name: healthy
    logs: {worker_0.log: "fine"}
    expect: none
"""


@pytest.fixture(scope="module")
def layers(tmp_path_factory: pytest.TempPathFactory) -> list[Layer]:
    return [Layer("empty", tmp_path_factory.mktemp("pack"))]


def check(tmp_path: Path, layers: list[Layer], text: str) -> strict.Strictness:
    (tmp_path / "rule.yaml").write_text(text, encoding="utf-8")
    return strict.check(suite([str(tmp_path)], layers=layers, cache_dir=tmp_path / "cache"))


def test_tests_that_bite(tmp_path: Path, layers: list[Layer]) -> None:
    found = check(tmp_path, layers, RULE + FOUND + NOT)
    assert (found.tried, found.survivors, found.skipped) == (7, (), ())


def test_survivors(tmp_path: Path, layers: list[Layer]) -> None:
    found = check(tmp_path, layers, RULE + WEAK + HEALTHY)
    assert [(one.position.line, one.rule, one.change) for one in found.survivors] == [
        (8, "storage.quota", "signal quota: `quota gone` matches nothing"),
        (8, "storage.quota", "signal quota: the group `user` captures nothing"),
        (9, "storage.quota", "signal full: `disk full` matches nothing"),
        (10, "storage.quota", "the condition does not ask for full"),
    ]


def test_a_rule_whose_tests_fail_is_skipped(tmp_path: Path, layers: list[Layer]) -> None:
    found = check(tmp_path, layers, RULE + FOUND.replace("bob}", "eve}"))
    assert (found.tried, found.skipped) == (0, ("storage.quota",))


def test_only_wanted_rules(tmp_path: Path, layers: list[Layer]) -> None:
    (tmp_path / "rule.yaml").write_text(RULE + WEAK, encoding="utf-8")
    tested = suite([str(tmp_path)], layers=layers, cache_dir=tmp_path / "cache")
    assert strict.check(tested, lambda rule: False).tried == 0


def test_rows_are_tried_by_themselves(tmp_path: Path, layers: list[Layer]) -> None:
    """A rule that knows the line does not hide what happens to the row."""
    (tmp_path / "codes.yaml").write_text("""
catalogue: ours
about: {en: Ours, zh: 我们的}
article: disk-full
codes:
  - code: EI0006
    category: storage
    severity: error
    usually: cause
    title: {en: Code, zh: 错误码}
    meaning: {en: It failed., zh: 失败。}
    causes: {en: [unknown], zh: [未知]}
    steps: {en: [Read it], zh: [阅读]}
    printed: ["[ERROR] EI0006: quota of bob used up"]
""", encoding="utf-8")
    found = check(tmp_path, layers, RULE + FOUND + NOT)
    assert (found.tried, found.survivors, found.skipped) == (9, (), ())
