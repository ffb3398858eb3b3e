"""The runner of the tests inside rules: missing, noisy, wrong, and right."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.authoring.bench import suite
from assistant.authoring.rule_tests import Result, run_suite
from assistant.errors import UsageError
from assistant.rules.packs import Layer, built_in

RULE = """
id: storage.quota
title: {{en: "Quota of {{user}} used up", zh: "{{user}} 的配额已用尽"}}
category: storage
severity: error
article: disk-full
{keys}signals:
  quota: {{log: 'quota of (?P<user>\\w+) used up', in: worker}}
  more: {{log: 'quota (?P<rank>\\d+)'}}
when: quota
tests:
  - name: the test
    logs:
      worker_0.log: |
        [WARNING] ME(1:2,Main):2026-01-01-10:00:00.100.000 [a.py:1] fine
      worker_1.log: |
        [WARNING] ME(3:4,Main):2026-01-01-10:00:00.100.000 [a.py:1] fine
        [ERROR] ME(3:4,Main):2026-01-01-10:00:01.100.000 [a.py:1] {line}
    expect: {expect}
"""
USED_UP = "EI0006: quota of bob used up"


@pytest.fixture(scope="module")
def layers(tmp_path_factory: pytest.TempPathFactory) -> list[Layer]:
    """A small set of rules in force, so that the tests do not wait for the built-in ones."""
    folder = tmp_path_factory.mktemp("pack")
    (folder / "other.yaml").write_text(
        "id: storage.bob\ntitle: {en: Bob, zh: Bob}\ncategory: storage\nseverity: error\n"
        "article: disk-full\nsignals: {it: {log: 'of bob'}}\nwhen: it\n"
        "explains: [storage.explained]\n", encoding="utf-8")
    return [Layer("test", folder)]


def run(folder: Path, layers: list[Layer], *, line: str = USED_UP, expect: str,
        keys: str = "") -> Result:
    path = folder / "rule.yaml"
    path.write_text(RULE.format(line=line, expect=expect, keys=keys), encoding="utf-8")
    results = run_suite(suite([str(path)], layers=layers))
    assert len(results) == 1
    assert (results[0].rule, results[0].test) == ("storage.quota", "the test")
    assert results[0].position.line == 12 + keys.count("\n")
    return results[0]


@pytest.mark.parametrize("expect", [
    "{}", "{ranks: [1]}", "{captures: {user: bob, rank: 1}}", "{line: 'worker_1.log:2'}",
    "{line: ['worker_1.log:2']}", "{role: cause, verdict: failed}",
    "{ranks: [1], captures: {user: bob}, role: cause, line: 'worker_1.log:2'}",
])
def test_passed(tmp_path: Path, layers: list[Layer], expect: str) -> None:
    result = run(tmp_path, layers, expect=expect)
    assert (result.status, result.details) == ("passed", ())


def test_none_passes_where_nothing_is_found(tmp_path: Path, layers: list[Layer]) -> None:
    assert run(tmp_path, layers, line="all is well", expect="none").status == "passed"


def test_noisy(tmp_path: Path, layers: list[Layer]) -> None:
    result = run(tmp_path, layers, expect="none")
    assert result.status == "noisy"
    assert result.details[0].startswith("worker_1.log:2: ")
    assert "quota of bob" in result.details[0]


def test_missing(tmp_path: Path, layers: list[Layer]) -> None:
    result = run(tmp_path, layers, line="quota 7 of bob", expect="{}")
    assert result.status == "missing"
    assert result.details[:2] == ("signal quota: does not hold",
                                  "    rank 0-1: no line matches")
    assert "signal more: holds" in result.details
    assert "the condition `when` does not hold" in result.details
    assert "it would, if `quota` held" in result.details
    assert "found instead: storage.bob" in result.details


@pytest.mark.parametrize(("expect", "word"), [
    ("{ranks: [0]}", "ranks: expected [0], found [1]"),
    ("{captures: {user: eve}}", "user: expected 'eve', found 'bob'"),
    ("{captures: {missing: '1'}}", "missing: expected '1', found nothing"),
    ("{line: 'worker_1.log:1'}", "worker_1.log:1 is not among the evidence: worker_1.log:2"),
    ("{role: note}", "role: expected note, found cause"),
    ("{codes: [EI9999]}", "codes: EI9999"),
    ("{verdict: hung}", "verdict: expected hung, found failed"),
    ("{nodes: [elsewhere]}", "nodes: expected ['elsewhere']"),
])
def test_wrong(tmp_path: Path, layers: list[Layer], expect: str, word: str) -> None:
    result = run(tmp_path, layers, expect=expect)
    assert result.status == "wrong"
    assert len(result.details) == 1
    assert word in result.details[0]


def test_all_differences_are_told(tmp_path: Path, layers: list[Layer]) -> None:
    result = run(tmp_path, layers, expect="{ranks: [0], role: note, verdict: hung}")
    assert len(result.details) == 3


def test_a_rule_explained_by_another(tmp_path: Path, layers: list[Layer]) -> None:
    text = RULE.format(line=USED_UP, expect="{role: cause}", keys="")
    text = text.replace("storage.quota", "storage.explained")
    (tmp_path / "rule.yaml").write_text(text, encoding="utf-8")
    result, = run_suite(suite([str(tmp_path)], layers=layers))
    assert result.details == ("role: expected cause, found consequence, "
                              "explained by storage.bob",)


def test_a_harmless_rule_is_tested_by_what_it_claims(tmp_path: Path,
                                                     layers: list[Layer]) -> None:
    assert run(tmp_path, layers, keys="harmless: true\n", expect="{ranks: [1]}").status == "passed"
    assert run(tmp_path, layers, keys="harmless: true\n", expect="none").status == "noisy"


CODES = """
catalogue: ours
about: {{en: Ours, zh: 我们的}}
article: disk-full
codes:
  - code: EI0006
    category: storage
    severity: error
    usually: cause
    title: {{en: Code, zh: 错误码}}
    meaning: {{en: It failed., zh: 失败。}}
    causes: {{en: [unknown], zh: [未知]}}
    steps: {{en: [Read it], zh: [阅读]}}
    printed: ["{printed}"]
"""


@pytest.mark.parametrize(("printed", "status"), [
    ("[ERROR] EI0006: the quota is used up", "passed"),
    # A rule that knows the line takes it, and the code is told all the same.
    ("[ERROR] EI0006: the quota of bob is used up", "passed"),
    ("[ERROR] EI0007: the quota is used up", "missing"),
])
def test_codes_of_a_catalogue(tmp_path: Path, layers: list[Layer], printed: str,
                              status: str) -> None:
    (tmp_path / "codes.yaml").write_text(CODES.format(printed=printed), encoding="utf-8")
    results = run_suite(suite([str(tmp_path)], layers=layers))
    assert [(result.test, result.status) for result in results] == [
        ("printed 1", status), ("a healthy line", "passed")]


def test_the_engine_failing_is_a_result(tmp_path: Path, layers: list[Layer],
                                        monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("assistant.diagnose.judge.judge", fail)
    result = run(tmp_path, layers, expect="{}")
    assert result.status == "broken"
    assert result.details[0].startswith("ZeroDivisionError: oh (")


def test_only_wanted_rules(tmp_path: Path, layers: list[Layer]) -> None:
    (tmp_path / "rule.yaml").write_text(RULE.format(
        line=USED_UP, expect="{}", keys=""), encoding="utf-8")
    assert run_suite(suite([str(tmp_path)], layers=layers), lambda rule: False) == []


def test_no_such_path(tmp_path: Path, layers: list[Layer]) -> None:
    with pytest.raises(UsageError, match="nowhere"):
        run_suite(suite([str(tmp_path / "nowhere")], layers=layers))


def test_without_paths_all_rules_in_force_are_tested() -> None:
    layer = built_in()
    results = run_suite(suite(layers=[layer]), lambda rule: rule.category == "crash")
    assert len(results) > 5
    assert {result.rule.split(".")[0] for result in results} == {"crash"}


STEP = ("2026-11-30 08:02:3{n},357 - mindformers./output/log[mindformers/pynative/callback/"
        "loss_callback.py:337] - INFO - {{ step:[    {n}/   10], loss:  10.006040, "
        "per_step_time:   {ms}ms, lr: 1.000000e-05, grad_norm:   1.210000 }}\n")
SLOW = """
id: performance.slow
title: {en: "Slow", zh: "慢"}
category: performance
severity: warning
article: disk-full
signals:
  slow: {metric: per_step_time, slower_than: peers, by: 1.5, skip_first: 2}
  spread: {log: 'our launcher', ranks: all}
when: slow and spread
tests:
  - name: slow
    logs: {LOGS}
    expect: {}
"""


@pytest.mark.parametrize(("steps", "ranks", "slow", "said"), [
    (4, 2, 9000, "rank 0-1: 2 steps with a number for per_step_time, 5 needed"),
    (9, 1, 9000, "rank 0: no other rank of its stage to compare with at the same steps"),
    (9, 2, 2978, "rank 0-1: per_step_time 2978 against 2978 of its peers: 1 times, 1.5 asked"),
    (0, 2, 9000, "rank 0-1: no step line with per_step_time (0 step lines in all)"),
    (2, 2, 9000, "rank 0-1: 2 step lines, and `skip_first: 2`"),
])
def test_how_many_steps_a_metric_lacks(tmp_path: Path, layers: list[Layer], steps: int,
                                       ranks: int, slow: int, said: str) -> None:
    import json

    logs = {f"worker_{rank}.log": ("our launcher\n" if rank == 0 else "another\n") + "".join(
        STEP.format(n=n, ms=slow if rank == 0 else 2978) for n in range(1, steps + 1))
        for rank in range(ranks)}
    path = tmp_path / "slow.yaml"
    path.write_text(SLOW.replace("{LOGS}", json.dumps(logs)), encoding="utf-8")
    (result,) = run_suite(suite([str(path)], layers=layers, cache_dir=tmp_path / "cache"))
    assert result.status == "missing"
    assert result.details[:2] == ("signal slow: does not hold", f"    {said}")
    if ranks == 2:
        assert result.details[2:4] == (
            "signal spread: does not hold",
            "    found on 1 of 2, and `ranks: all` asks for others")


def test_a_rule_that_gives_way(tmp_path: Path, layers: list[Layer]) -> None:
    result = run(tmp_path, layers, expect="{}", keys="unless: storage.bob\n")
    assert result.status == "missing"
    assert "the condition `when` holds" in result.details
    assert ("    it gives way to storage.bob, which its `unless: storage.bob` names"
            in result.details)
