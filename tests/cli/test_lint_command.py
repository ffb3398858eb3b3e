"""`kbtriage rules lint` and `kbtriage rules docs` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.cli.main import main

RULE = """id: storage.ours
title: {en: Lost, zh: 丢失}
category: storage
severity: error
article: disk-full
signals: {it: {log: 'shelf is lost'}}
when: it
owner: OWNER
tests:
  - name: lost
    logs: {worker_0.log: "shelf is lost"}
    expect: {}
  - name: not
    logs: {worker_0.log: "fine"}
    expect: none
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text(RULE.replace("OWNER", "17"), encoding="utf-8")
    return tmp_path


def test_forms(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "lint", "a.yaml"]) == 1
    assert "a.yaml:8:8: error[wrong-type]" in capsys.readouterr().out
    assert main(["rules", "lint", "a.yaml", "--format", "json"]) == 1
    (problem,) = json.loads(capsys.readouterr().out)["problems"]
    assert (problem["file"], problem["snippet"], problem["fixable"]) == (
        "a.yaml", "owner: 17", True)
    assert main(["rules", "lint", "a.yaml", "--format", "github"]) == 1
    assert capsys.readouterr().out.startswith("::error file=a.yaml,line=8,col=8,")
    assert main(["rules", "lint", "a.yaml", "--format", "sarif", "-o", "lint.sarif"]) == 1
    assert json.loads(Path("lint.sarif").read_text("utf-8"))["version"] == "2.1.0"


def test_mending(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "lint", "a.yaml", "--fix"]) == 0
    assert "mended 1 place in 1 file" in capsys.readouterr().err
    assert Path("a.yaml").read_text("utf-8") == RULE.replace("OWNER", '"17"')


def test_optional_warnings(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.yaml").write_text(RULE.replace("owner: OWNER\n", ""), encoding="utf-8")
    assert main(["rules", "lint", "a.yaml", "--strict"]) == 0
    assert main(["rules", "lint", "a.yaml", "--strict", "--also", "no-owner"]) == 1
    assert "warning[no-owner]" in capsys.readouterr().out
    assert main(["rules", "lint", "a.yaml", "--also", "all"]) == 0
    assert "1 file, 1 rule: 0 errors, 2 warnings" in capsys.readouterr().out
    assert main(["rules", "lint", "a.yaml", "--also", "no-onwer"]) == 2
    assert "no-owner" in capsys.readouterr().err


def test_codes_are_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "docs", "wrong-type"]) == 0
    assert "Wrong, in a rule:\n    owner: 17" in capsys.readouterr().out
    assert main(["rules", "docs"]) == 0
    assert capsys.readouterr().out.count("\n") > 80
    assert main(["rules", "docs", "wrong-typ"]) == 2
    assert "did you mean wrong-type" in capsys.readouterr().err


def test_the_schema_of_the_json_form(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "lint"]) == 0
    assert json.loads(capsys.readouterr().out)["$id"] == "urn:kbtriage:lint:1"
