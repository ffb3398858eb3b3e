"""`kbtriage rules explain` and `kbtriage check --why`."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from assistant.cli.main import main

CASES = Path(__file__).parent.parent / "cases" / "lab"
HUNG = str(CASES / "hang-rank1" / "msrun_log")
RULE = """\
id: storage.scratch-quota
title: {en: "The quota of {disk} is used up", zh: "{disk} 的配额已用完"}
category: storage
severity: error
article: disk-full
signals:
  full: {log: 'scratch quota exceeded on (?P<disk>\\S+)', in: worker}
when: full
"""


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a pack of one rule in `.kbtriage`."""
    folder = tmp_path / ".kbtriage" / "rules"
    folder.mkdir(parents=True)
    (folder / "quota.yaml").write_text(RULE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_rule_that_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "explain", "hang.silent-rank", HUNG, "--lang", "en"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("hang.silent-rank: reported as a cause (rank 1)\n")
    assert "it explains hccl.collective-failed" in out


def test_a_rule_that_is_not_found(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (pack / "worker_3.log").write_text("scratch quota exceeded at /scratch3\n", "utf-8")
    assert main(["rules", "explain", "storage.scratch-quota", "worker_3.log",
                 "--lang", "en"]) == 1
    out = capsys.readouterr().out
    assert "all of the expression but `on `" in out
    assert "worker_3.log:1" in out
    assert "if `full` held" in out


def test_standard_input_as_json(pack: Path, capsys: pytest.CaptureFixture[str],
                                monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"scratch quota exceeded at\n")))
    assert main(["rules", "explain", "storage.scratch-quota", "-", "--format", "json"]) == 1
    values = json.loads(capsys.readouterr().out)
    assert values["signals"][0]["groups"][0]["nearest"]["near_miss"]["kind"] == "log.lacks"


def test_switched_off(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (pack / ".kbtriage" / "site.yaml").write_text(
        "overrides:\n  hang.silent-rank: {enabled: false}\n", "utf-8")
    assert main(["rules", "explain", "hang.silent-rank", HUNG, "--lang", "en"]) == 1
    shown = " ".join(capsys.readouterr().out.split())
    assert "a site file of the pack project switches it off (.kbtriage/site.yaml:2)" in shown


def test_silenced(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (pack / ".kbtriage" / "site.yaml").write_text(
        'silences:\n  - {rule: hang.silent-rank, until: "2999-01-01", reason: a known bug}\n',
        "utf-8")
    assert main(["rules", "explain", "hang.silent-rank", HUNG, "--lang", "en"]) == 0
    assert "project silences it until 2999-01-01: a known bug (.kbtriage/site.yaml:2)" in (
        " ".join(capsys.readouterr().out.split()))


def test_what_packs_have_changed_is_told(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (pack / ".kbtriage" / "site.yaml").write_text(
        "overrides:\n  hang.silent-rank: {severity: warning, title: {en: Quiet}}\n", "utf-8")
    for command in (["rules", "explain", "hang.silent-rank"], ["check", "--why"]):
        main([*command, HUNG, "--lang", "en"])
        assert "project changes its severity, title (.kbtriage/site.yaml:2)" in (
            " ".join(capsys.readouterr().out.split()))
    (pack / ".kbtriage" / "site.yaml").unlink()
    (pack / ".kbtriage" / "rules" / "silent.yaml").write_text(
        RULE.replace("storage.scratch-quota", "hang.silent-rank"), "utf-8")
    main(["rules", "explain", "hang.silent-rank", HUNG, "--lang", "en"])
    assert ('the pack project has it in the place of the rule of the pack "built in" '
            "(.kbtriage/rules/silent.yaml:1)") in " ".join(capsys.readouterr().out.split())


def test_a_broken_rule(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (pack / ".kbtriage" / "rules" / "quota.yaml").write_text(
        RULE.replace("severity: error", "severity: eror"), "utf-8")
    assert main(["rules", "explain", "storage.scratch-quota", HUNG, "--lang", "en"]) == 1
    out = capsys.readouterr().out
    assert "its file has a mistake" in out
    assert "`eror`" in out


@pytest.mark.parametrize(("arguments", "words"), [
    (["hang.silent-rnk", HUNG], "did you mean hang.silent-rank?"),
    (["hang.silent-rank", "nowhere"], "nowhere"),
])
def test_what_cannot_be_explained(arguments: list[str], words: str,
                                  capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "explain", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_check_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", HUNG, "--why", "--lang", "en"]) == 1
    out = capsys.readouterr().out
    assert "Why it is told so" in out
    assert "a consequence: hang.silent-rank explains it (`explains: hccl.*`" in " ".join(
        out.split())


def test_check_says_why_in_chinese_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", HUNG, "--why", "--lang", "zh", "--format", "markdown"]) == 1
    assert "原因：没有其他发现能解释它" in capsys.readouterr().out


def test_check_says_why_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", HUNG, "--why", "--format", "json"]) == 1
    values = json.loads(capsys.readouterr().out)
    assert [one["rule"] for one in values["why"]] == [
        "hang.silent-rank", "hccl.collective-failed"]
    assert main(["check", HUNG, "--format", "json"]) == 1
    assert "why" not in json.loads(capsys.readouterr().out)
