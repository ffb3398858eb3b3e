"""Broken rules: what is broken, where, and that it is."""

from __future__ import annotations

from pathlib import Path

from assistant.authoring.mutants import Mutant, mutants, without
from assistant.authoring.rule_files import read_rules
from assistant.rules import condition
from assistant.rules.types import EventSignal

RULE = r"""
id: storage.quota
title: {en: Quota, zh: 配额}
category: storage
severity: error
article: disk-full
signals:
  quota:
    log:
      - 'quota of (?P<user>\w+) used up'
      - 'no quota'
  raised: {exception: QuotaError, message: 'of (?P<who>\w+)'}
  block: {block: cann, code: [EI0001, EI0002]}
  line: {error: 'quota'}
  here: {reached: training}
when: (quota or raised or block or line) and here
tests: []
"""


def broken(tmp_path: Path) -> list[Mutant]:
    path = tmp_path / "rule.yaml"
    path.write_text(RULE.replace("tests: []\n", ""), encoding="utf-8")
    written, = read_rules([str(path)])
    return list(mutants(written))


def test_all_that_can_be_broken(tmp_path: Path) -> None:
    told = [(mutant.position.line, mutant.change) for mutant in broken(tmp_path)]
    assert told == [
        (10, "signal quota: `quota of (?P<user>\\w+) used up` matches nothing"),
        (11, "signal quota: `no quota` matches nothing"),
        (10, "signal quota: the group `user` captures nothing"),
        (12, "signal raised: `QuotaError` matches nothing"),
        (12, "signal raised: `of (?P<who>\\w+)` matches nothing"),
        (12, "signal raised: the group `who` captures nothing"),
        (13, "signal block: EI0001 is not looked for"),
        (13, "signal block: EI0002 is not looked for"),
        (14, "signal line: its expression matches nothing"),
        (16, "the signal line never holds"),
        (16, "the condition does not ask for here"),
        (16, "the signal here never holds"),
        (16, "the condition says the opposite"),
    ]


def changes(tmp_path: Path, text: str) -> set[str]:
    """What is done to the rule that has these signals and this condition."""
    head = RULE[:RULE.index("signals:")]
    path = tmp_path / "rule.yaml"
    path.write_text(head + text, encoding="utf-8")
    written, = read_rules([str(path)])
    return {mutant.change for mutant in mutants(written)}


ORDER = r"""
signals:
  flap: {log: 'link down'}
  late: {log: 'timed out', after: flap}
when: flap and late
"""


def test_a_signal_that_another_one_implies_is_not_dropped(tmp_path: Path) -> None:
    """Nothing can come after a line that is not there: no test could tell the difference."""
    told = changes(tmp_path, ORDER)
    assert "the condition does not ask for late" in told
    assert "the condition does not ask for flap" not in told


def test_a_signal_that_another_one_does_not_imply_is_dropped(tmp_path: Path) -> None:
    dropped = "the condition does not ask for flap"
    # On one rank by itself: the line of another rank may come before.
    assert dropped in changes(tmp_path, ORDER + "each: rank\n")
    assert dropped in changes(tmp_path, ORDER.replace("down'}", "down', ranks: all}"))
    assert dropped in changes(tmp_path, ORDER.replace("down'}", "down', before: late}"))
    assert dropped in changes(tmp_path, ORDER.replace(", after: flap", ""))
    assert dropped in changes(tmp_path, ORDER.replace("flap and late", "flap and not late"))


def test_the_broken_signals(tmp_path: Path) -> None:
    found = {mutant.change: mutant for mutant in broken(tmp_path)}
    quota = found["signal quota: `no quota` matches nothing"]
    assert quota.expression == ("quota", 1) and quota.rescans
    assert found["signal quota: the group `user` captures nothing"].lost == ("quota", "user")
    lost = found["signal raised: the group `who` captures nothing"].rule.signals["raised"]
    assert isinstance(lost, EventSignal) and lost.message == r"of (?:\w+)"
    assert not found["signal raised: the group `who` captures nothing"].rescans
    assert found["the condition does not ask for here"].looser


def test_a_condition_without_a_signal() -> None:
    def text(when: str, name: str) -> bool | None:
        changed = without(condition.parse(when), name)
        return None if changed is None else changed != condition.parse(when)

    assert text("a and b", "a") is True
    assert text("a and not b", "b") is True
    assert text("(a or b) and c", "c") is True
    assert text("a or b", "a") is None
    assert text("a", "a") is None
    assert text("not a", "a") is None
