"""`kbtriage rules`, end to end."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.cli.main import main

RULES = Path(__file__).parents[1] / "rules"

RULE = """\
rules:
  - id: storage.quota
    title: {en: "The quota is used up", zh: "配额已用尽"}
    category: storage
    severity: error
    article: quota
    signals:
      quota: {log: 'quota used up'}
    when: quota
    tests:
      - name: used up
        logs: {worker_0.log: "quota used up"}
        expect: {}
      - name: not used up
        logs: {worker_0.log: "fine"}
        expect: none
"""
ARTICLE = """\
---
title: Quota
category: storage
---
## What it means
It is used up.

## What to do
1. Ask for more: `quota -s`
"""


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a pack in `.kbtriage/`."""
    root = tmp_path / ".kbtriage"
    (root / "rules").mkdir(parents=True)
    (root / "rules" / "quota.yaml").write_text(RULE, encoding="utf-8")
    for lang, text in (("en", ARTICLE), ("zh", ARTICLE.replace("What it means", "含义")
                                         .replace("What to do", "处理步骤"))):
        (root / "kb" / lang).mkdir(parents=True)
        (root / "kb" / lang / "quota.md").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return root


def test_lint_of_a_good_pack(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "lint", ".kbtriage"]) == 0
    assert capsys.readouterr().out == "1 file, 1 rule: no problems\n"


def test_lint_of_a_mistake(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = pack / "rules" / "quota.yaml"
    path.write_text(RULE.replace("severity: error", "severity: eror"), encoding="utf-8")
    assert main(["rules", "lint", ".kbtriage"]) == 1
    assert capsys.readouterr().out == (
        ".kbtriage/rules/quota.yaml:5:15: error[unknown-severity]: "
        "`eror` is not a value of `severity`\n"
        "  5 |     severity: eror\n"
        "    |               ^\n"
        "    = did you mean `error`?\n"
        "1 file, 0 rules: 1 error, 0 warnings\n")


def test_strict_lint(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = pack / "rules" / "quota.yaml"
    path.write_text(RULE.replace("The quota", "Quota of {rank}"), encoding="utf-8")
    assert main(["rules", "lint", ".kbtriage"]) == 0
    assert "warning[one-language-placeholder]" in capsys.readouterr().out
    assert main(["rules", "lint", "--strict", ".kbtriage"]) == 1


def test_test(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "test", "--no-healthy", ".kbtriage"]) == 0
    assert capsys.readouterr().out == "2 passed, 0 failed\n"
    path = pack / "rules" / "quota.yaml"
    path.write_text(RULE.replace('"fine"', '"quota used up"'), encoding="utf-8")
    assert main(["rules", "test", "--no-healthy", "--verbose", ".kbtriage"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == ".kbtriage/rules/quota.yaml:11:9: passed: storage.quota: used up"
    assert lines[1] == ".kbtriage/rules/quota.yaml:14:9: noisy: storage.quota: not used up"
    assert lines[2] == "    worker_0.log:1: quota used up"
    assert lines[-1] == "1 passed, 1 failed"


def test_healthy_logs(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs = pack.parent / "logs" / "job"
    logs.mkdir(parents=True)
    (logs / "worker_0.log").write_text("fine\nquota used up\n", encoding="utf-8")
    assert main(["rules", "test", "--healthy", "logs", ".kbtriage"]) == 1
    assert capsys.readouterr().out == (
        "noise: storage.quota: job\n    worker_0.log:2: quota used up\n"
        "2 passed, 0 failed; 1 healthy jobs, 1 blamed\n")
    assert main(["rules", "test", "--healthy", "nowhere", ".kbtriage"]) == 2
    assert "no such folder" in capsys.readouterr().err


def test_strict(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["rules", "test", "--strict", "--no-healthy", ".kbtriage"]
    assert main(command) == 0
    assert capsys.readouterr().out == "2 passed, 0 failed; 2 broken rules, 0 survived\n"
    path = pack / "rules" / "quota.yaml"
    path.write_text(RULE.replace("'quota used up'", "['quota used up', 'quota gone']"),
                    encoding="utf-8")
    assert main(command) == 1
    assert capsys.readouterr().out == (
        ".kbtriage/rules/quota.yaml:8:38: survived: storage.quota: "
        "signal quota: `quota gone` matches nothing\n"
        "    add a log with such a line to a test, and expect it: "
        "`expect: {line: [FILE:N]}`\n"
        "2 passed, 0 failed; 3 broken rules, 1 survived\n")


@pytest.mark.parametrize("arguments", [
    ["rules", "lint", "nowhere"], ["rules", "test", "nowhere"], ["rules", "show", "no.such"],
    ["rules", "test", "--rule", "no.such", ".kbtriage"], ["rules", "list", "--category", "no"],
    ["rules", "list", "nowhere"], ["rules", "lint", "--pack", "nowhere"]])
def test_unusable_calls(pack: Path, arguments: list[str],
                        capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    caught = capsys.readouterr()
    assert caught.out == ""
    assert caught.err.startswith("kbtriage: ")


def test_list(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "list", ".kbtriage", "--lang", "en"]) == 0
    assert capsys.readouterr().out.split() == [
        "storage.quota", "error", ".kbtriage", "The", "quota", "is", "used", "up"]
    assert main(["rules", "list", "--category", "storage", "--lang", "zh"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any("built in" in line for line in lines)
    assert any("project" in line and "配额已用尽" in line for line in lines)
    assert all(line.startswith("storage.") for line in lines)


def test_list_names_broken_rules(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (pack / "rules" / "broken.yaml").write_text("id: [", encoding="utf-8")
    assert main(["rules", "list", ".kbtriage"]) == 0
    caught = capsys.readouterr()
    assert "storage.quota" in caught.out
    assert "broken.yaml:1:" in caught.err


def test_show(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "show", "storage.quota"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "# project: .kbtriage/rules/quota.yaml:2"
    assert lines[1] == "id: storage.quota"
    assert lines[-1] == "    expect: none"
    assert main(["rules", "show", "storage.quotas"]) == 2
    assert "did you mean storage.quota?" in capsys.readouterr().err


def test_landmarks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "landmarks", "--phase", "training"]) == 0
    rows = [line.split(None, 3) for line in capsys.readouterr().out.splitlines()]
    assert {row[1] for row in rows} == {"training"}
    assert "training-start" in {row[0] for row in rows}
    assert main(["rules", "landmarks"]) == 0
    out = capsys.readouterr().out
    assert "cluster-formed" in out and "Cluster is successfully initialized" in out
    assert main(["rules", "landmarks", "--phase", "trainin"]) == 2
    assert "training" in capsys.readouterr().err


def test_an_absence_that_fires_on_healthy_jobs(
        pack: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from assistant.authoring import healthy

    logs = pack.parent / "logs" / "job"
    logs.mkdir(parents=True)
    (logs / "worker_0.log").write_text("fine\n", encoding="utf-8")
    monkeypatch.setattr(healthy, "default_corpus", lambda: logs.parent)
    path = pack / "rules" / "quota.yaml"
    absent = RULE.replace("when: quota", "when: fine and not quota").replace(
        "quota: {log: 'quota used up'}", "quota: {log: 'quota used up'}\n      fine: {log: fine}")
    path.write_text(absent, encoding="utf-8")
    assert main(["rules", "test", ".kbtriage"]) == 1
    out = capsys.readouterr().out
    assert "noise: storage.quota: job" in out
    assert "--healthy DIR" in out
    path.write_text(RULE.replace("'quota used up'", "'fine'"), encoding="utf-8")
    assert main(["rules", "test", ".kbtriage"]) == 1
    out = capsys.readouterr().out
    assert "noise: storage.quota: job" in out
    assert "--healthy DIR" not in out


def test_ignored_files_are_listed(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (pack / "old").mkdir()
    (pack / "old" / "gone.yaml").write_text(RULE, encoding="utf-8")
    (pack / "rules" / ".draft.yaml").write_text(RULE, encoding="utf-8")
    assert main(["rules", "lint", ".kbtriage"]) == 0
    out = capsys.readouterr().out
    assert "passed over: .kbtriage/old/gone.yaml (it lies beside rules/" in out
    assert "passed over: .kbtriage/rules/.draft.yaml (its name" in out
    assert out.endswith("1 file, 1 rule: no problems\n")
