"""Warnings on rules that work: healthy logs, slow expressions, rules that tell of the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.authoring.lint import lint
from assistant.authoring.quality import longest_literal
from assistant.patterns.syntax import parse
from assistant.rules.packs import Layer

RULES = Path(__file__).parents[1] / "rules"
GOOD = Layer("good", RULES / "good", RULES / "kb")
TESTS = """tests:
  - name: yes
    logs: {worker_0.log: "LOG"}
    expect: {}
  - name: not
    logs: {worker_0.log: "quiet"}
    expect: none
""".replace("yes", '"yes"')


def rule(name: str, signals: str, when: str, log: str = "xyz", more: str = "") -> str:
    return (f"id: network.{name}\ntitle: {{en: A, zh: 甲}}\ncategory: network\nseverity: error\n"
            f"article: port-taken\nsignals: {signals}\nwhen: {when}\n{more}"
            + TESTS.replace("LOG", log))


def codes(folder: Path, *rules: str) -> list[str]:
    for number, text in enumerate(rules):
        (folder / f"{number}.yaml").write_text(text, encoding="utf-8")
    return [problem.code for problem in lint([str(folder)], layers=[GOOD]).problems]


STARTS = r"log: 'Running MindFormers in PYNATIVE_MODE\.'"


@pytest.mark.parametrize(("signals", "when", "expected"), [
    (f"{{a: {{{STARTS}}}}}", "a", ["matches-healthy"]),
    (f"{{a: {{{STARTS}, in: worker}}}}", "a", ["matches-healthy"]),
    (f"{{a: {{{STARTS}, in: cann}}}}", "a", []),
    (f"{{a: {{{STARTS}, level: ERROR}}}}", "a", []),
    (f"{{a: {{{STARTS}}}, b: {{log: 'never printed'}}}}", "a and b", []),
    (f"{{a: {{{STARTS}}}, b: {{log: 'never printed'}}}}", "a or b", ["matches-healthy"]),
    (f"{{a: {{{STARTS}}}, b: {{log: 'never printed'}}}}", "a and not b", ["matches-healthy"]),
    ("{a: {log: ['never', 'Running MindFormers in']}}", "a", ["matches-healthy"]),
])
def test_healthy_logs(tmp_path: Path, signals: str, when: str, expected: list[str]) -> None:
    assert codes(tmp_path, rule("a", signals, when)) == expected


def test_a_comment_allows_a_warning(tmp_path: Path) -> None:
    text = rule("a", f"\n  # kbtriage: allow matches-healthy, no-command: ours never do\n"
                     f"  a: {{{STARTS}}}", "a")
    assert codes(tmp_path, text) == []
    same = text.replace("matches-healthy", "slow-pattern")
    assert codes(tmp_path, same) == ["matches-healthy"]
    beside = rule("a", f"\n  a: {{{STARTS}}} # kbtriage: allow matches-healthy", "a")
    assert codes(tmp_path, beside) == []


def test_an_error_cannot_be_allowed(tmp_path: Path) -> None:
    text = rule("a", "{a: {log: xyz}}", "b  # kbtriage: allow unknown-signal")
    assert codes(tmp_path, text) == ["unknown-signal"]


ONE = "{a: {log: 'link \\w+ is lost'}}"
TWO = "{a: {log: 'link eth0 is'}}"


@pytest.mark.parametrize(("second", "more", "expected"), [
    (TWO, "", ["shadowed", "shadowed"]),
    (TWO, "unless: [network.one]\n", []),
    (TWO, "explains: [network.one]\n", []),
    ("{a: {log: 'link eth1 is'}}", "", []),
    ("{a: {log: 'link eth0 is', in: scheduler}}", "", ["shadowed", "shadowed"]),
])
def test_rules_that_tell_of_the_same(tmp_path: Path, second: str, more: str,
                                     expected: list[str]) -> None:
    found = codes(tmp_path, rule("one", ONE, "a", "link eth0 is lost"),
                  rule("two", second, "a", "link eth0 is lost", more))
    assert found == expected


def test_a_slow_expression(tmp_path: Path) -> None:
    slow = "{a: {log: '[a-z]+.*[0-9]+.*[a-z]+.*[0-9]+.*[a-z]+ [a-z]? [0-9]?', in: console}}"
    assert "slow-pattern" in codes(tmp_path, rule("a", slow, "a"))


@pytest.mark.parametrize(("expression", "length"), [
    ("abc", 3), ("ab?c", 1), ("(?:abc|de)", 2), ("a{5}", 5), ("[a-z]+xy[0-9]", 2), ("(?i)ab", 2),
    (r"\d+", 0), ("(?:abc)*d", 1), ("^abcd$", 4),
])
def test_the_longest_literal(expression: str, length: int) -> None:
    assert longest_literal(parse(expression).node) == length
