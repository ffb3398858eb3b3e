"""Tests that stand beside the rules, in a file of their own and in folders of logs."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.authoring import cases
from assistant.authoring.lint import lint, text_of
from assistant.authoring.outcome import Outcome, Wanted, run
from assistant.authoring.rule_files import read_rules
from assistant.errors import UsageError
from assistant.rules import load
from assistant.rules.packs import Layer

RULE = """\
id: storage.{name}
title: {{en: "{name} {{disk}}", zh: "{name} {{disk}}"}}
category: storage
severity: error
article: disk-full
signals:
  full: {{log: '{name} (?P<disk>\\S+) is full', in: worker}}
when: full
"""
TESTS = """\
tests:
  - name: full
    logs:
      worker_1.log: |
        +0s all is well
        +5s ERROR quota /a is full
    expect: {ranks: [1], line: worker_1.log:2, captures: {disk: /a}}
  - name: not full
    logs: {worker_0.log: "quota /a is low"}
    expect: none
"""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "quota.yaml").write_text(RULE.format(name="quota"), "utf-8")
    (tmp_path / "rules" / "quota.test.yaml").write_text(TESTS, "utf-8")
    for lang in ("en", "zh"):
        (tmp_path / "kb" / lang).mkdir(parents=True)
    return tmp_path


def problems(pack: Path) -> list[tuple[str, str, int]]:
    linted = lint([str(pack)], layers=[])
    return [(p.code, Path(p.position.file).name, p.position.line) for p in linted.problems
            if p.code != "missing-article"]


def tried(pack: Path, *rules: str, strict: bool = False, coverage: bool = False) -> Outcome:
    return run([str(pack)], [Layer("test", pack)], Wanted(rules, None, strict, coverage))


def test_they_belong_to_the_rule_beside_them(pack: Path) -> None:
    assert problems(pack) == []
    (written,) = read_rules([str(pack)])
    assert [test.name for test in written.rule.tests] == ["full", "not full"]
    assert written.rule.tests[0].position.file.endswith("quota.test.yaml")
    assert [result.status for result in tried(pack).results] == ["passed", "passed"]


def test_they_are_no_rules(pack: Path) -> None:
    loaded = load([Layer("test", pack)], cache=False)
    assert [rule.id for rule in loaded.rules] == ["storage.quota"]
    assert not loaded.problems
    assert lint([str(pack)], layers=[]).passed_over == ()


def test_they_bite_under_strict(pack: Path) -> None:
    outcome = tried(pack, strict=True)
    assert outcome.strictness is not None
    assert outcome.strictness.tried > 1
    assert outcome.strictness.survivors == ()


@pytest.mark.parametrize(("old", "new", "expected"), [
    ("expect: none", "expect: nothing", ("unknown-value", "quota.test.yaml", 10)),
    ("+5s ERROR", "+5sec ERROR", ("bad-timeline", "quota.test.yaml", 4)),
    ("name: not full", "name: full", ("duplicate-test", "quota.test.yaml", 8)),
    ("line: worker_1.log:2", "line: worker_1.log:9", ("unknown-line", "quota.test.yaml", 2)),
    ("captures: {disk: /a}", "captures: {disc: /a}", ("unknown-capture", "quota.test.yaml", 2)),
    ("  - name: not full", "  - rule: storage.qota\n    name: not full",
     ("unknown-rule", "quota.test.yaml", 8)),
    ("    expect: none", "    expct: none", ("unknown-key", "quota.test.yaml", 10)),
])
def test_mistakes_are_located(pack: Path, old: str, new: str,
                              expected: tuple[str, str, int]) -> None:
    path = pack / "rules" / "quota.test.yaml"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    found = problems(pack)
    assert expected in found
    assert all(file != "quota.yaml" or code in ("no-counter-test", "no-matching-test")
               for code, file, _ in found)


def test_tests_without_rules(pack: Path) -> None:
    (pack / "rules" / "other.test.yaml").write_text(TESTS, "utf-8")
    assert ("tests-without-rule", "other.test.yaml", 1) in problems(pack)


def test_a_file_of_several_rules_wants_to_be_told_which(pack: Path) -> None:
    rules = [RULE.format(name=name).replace("\n", "\n    ").rstrip()
             for name in ("quota", "inodes")]
    (pack / "rules" / "quota.yaml").write_text(
        "rules:\n" + "".join(f"  - {rule}\n" for rule in rules), "utf-8")
    assert ("missing-key", "quota.test.yaml", 2) in problems(pack)
    path = pack / "rules" / "quota.test.yaml"
    path.write_text(TESTS.replace("  - name", "  - rule: storage.quota\n    name"), "utf-8")
    assert {code for code, _, _ in problems(pack)} == {"no-counter-test", "no-matching-test"}
    by_rule = {w.rule.id: len(w.rule.tests) for w in read_rules([str(pack)])}
    assert by_rule == {"storage.quota": 2, "storage.inodes": 0}


EXPECT = """\
about: one rank of two, on two nodes
input: logs
verdict: failed
found:
  - {rule: storage.quota, ranks: [1], role: cause, line: node-b/worker_1.log:1}
not_found: ["hccl.*"]
"""


@pytest.fixture
def case(pack: Path) -> Path:
    folder = pack / "cases" / "full-disk"
    for name, text in (("node-a/worker_0.log", "fine\n"),
                       ("node-b/worker_1.log", "ERROR: quota /a is full\n")):
        path = folder / "logs" / name
        path.parent.mkdir(parents=True)
        path.write_text(text, "utf-8")
    (folder / "expect.yaml").write_text(EXPECT, "utf-8")
    return folder


def statuses(pack: Path) -> dict[str, str]:
    return {result.rule: result.status for result in tried(pack).results
            if result.test == "case full-disk"}


def test_a_case(pack: Path, case: Path) -> None:
    assert problems(pack) == []
    assert statuses(pack) == {"storage.quota": "passed", "hccl.*": "passed", "verdict": "passed"}


@pytest.mark.parametrize(("old", "new", "rule", "status"), [
    ("ranks: [1]", "ranks: [0]", "storage.quota", "wrong"),
    ("storage.quota", "storage.inodes", "storage.inodes", "broken"),
    ('"hccl.*"', '"storage.*"', "storage.*", "noisy"),
    ("verdict: failed", "verdict: [healthy, hung]", "verdict", "wrong"),
])
def test_a_case_that_does_not_hold(pack: Path, case: Path, old: str, new: str, rule: str,
                                   status: str) -> None:
    (case / "expect.yaml").write_text(EXPECT.replace(old, new), "utf-8")
    assert statuses(pack)[rule] == status
    assert tried(pack).wrong


def test_a_case_whose_rule_is_missing(pack: Path, case: Path) -> None:
    (case / "logs" / "node-b" / "worker_1.log").write_text("quota /a is low\n", "utf-8")
    result = next(r for r in tried(pack).results if r.status == "missing")
    assert any("rules explain storage.quota" in detail for detail in result.details)


@pytest.mark.parametrize(("old", "new", "expected"), [
    ("role: cause", "role: couse", ("unknown-value", "expect.yaml", 5)),
    ("not_found", "notfound", ("unknown-key", "expect.yaml", 6)),
    ("input: logs", "input: lgs", ("no-logs", "expect.yaml", 2)),
])
def test_mistakes_in_a_case_are_located(pack: Path, case: Path, old: str, new: str,
                                        expected: tuple[str, str, int]) -> None:
    (case / "expect.yaml").write_text(EXPECT.replace(old, new), "utf-8")
    assert problems(pack) == [expected], text_of(lint([str(pack)], layers=[]))


def test_a_pack_without_a_rules_folder_has_cases_too(pack: Path, case: Path) -> None:
    for path in (pack / "rules").iterdir():
        path.rename(pack / path.name)
    (pack / "rules").rmdir()
    assert problems(pack) == []
    assert set(statuses(pack).values()) == {"passed"}


def test_cases_are_left_out_where_single_rules_are_wanted(pack: Path, case: Path) -> None:
    assert len(tried(pack, "storage.*").results) == 2
    assert cases.folders([str(pack / "rules")]) == [case]
    with pytest.raises(UsageError, match="no rule is called"):
        tried(pack, "nothing.*")


BRANCHES = """\
id: storage.branches
title: {en: "b", zh: "b"}
category: storage
severity: error
article: disk-full
signals:
  one: {log: 'alpha happened'}
  two: {log: 'beta happened'}
  not_ours: {log: 'somebody else'}
when: (one or two) and not not_ours
tests:
  - name: both
    logs: {worker_0.log: "alpha happened\\nbeta happened"}
    expect: {}
  - name: none
    logs: {worker_0.log: "nothing"}
    expect: none
"""


def gaps(pack: Path) -> list[str]:
    outcome = tried(pack, "storage.branches", coverage=True)
    assert outcome.coverage is not None
    assert outcome.coverage.shown == outcome.coverage.all - len(outcome.coverage.gaps)
    assert not outcome.wrong
    return [gap.what for gap in outcome.coverage.gaps]


def test_coverage_of_signals_and_branches(pack: Path) -> None:
    path = pack / "rules" / "branches.yaml"
    path.write_text(BRANCHES, "utf-8")
    assert gaps(pack) == ["the signal `not_ours` is never true",
                          "`one` never holds without `two`", "`two` never holds without `one`"]
    places = [BRANCHES.split("\n")[gap.position.line - 1].split(":")[0].strip()
              for gap in tried(pack, "storage.branches", coverage=True).coverage.gaps]
    assert places == ["not_ours", "when", "when"]
    more = ('  - name: one\n    logs: {worker_0.log: "alpha happened"}\n    expect: {}\n'
            '  - name: two\n    logs: {worker_0.log: "beta happened"}\n    expect: {}\n'
            '  - name: other\n    logs: {worker_0.log: "alpha happened\\nsomebody else"}\n'
            '    expect: none\n')
    path.write_text(BRANCHES + more, "utf-8")
    assert gaps(pack) == []


def test_coverage_by_rank(pack: Path) -> None:
    text = BRANCHES.replace("when:", "each: rank\nwhen:").replace(
        '{worker_0.log: "alpha happened\\nbeta happened"}',
        '{worker_0.log: "alpha happened", worker_1.log: "beta happened"}')
    (pack / "rules" / "branches.yaml").write_text(text, "utf-8")
    assert gaps(pack) == ["the signal `not_ours` is never true"]
