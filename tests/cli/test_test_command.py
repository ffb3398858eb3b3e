"""`kbtriage rules test`: its forms, JUnit's XML, and --watch."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from assistant.authoring import watching
from assistant.cli.main import main

RULE = """\
id: storage.quota
title: {en: "Quota", zh: "配额"}
category: storage
severity: error
article: disk-full
signals:
  full: {log: 'our quota (?P<disk>\\S+) is full'}
when: full
tests:
  - name: it is
    logs: {worker_0.log: "our quota /a is full"}
    expect: {captures: {disk: DISK}}
  - name: it is not
    logs: {worker_0.log: "our quota /a is \\e[31m<low> & \\x01"}
    expect: none
"""


@pytest.fixture
def rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "quota.yaml"
    path.write_text(RULE.replace("DISK", "/a"), "utf-8")
    monkeypatch.chdir(tmp_path)
    return path


def test_as_json(rule: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["rules", "test", "quota.yaml", "--no-healthy", "--format", "json", "--coverage",
            "--strict"]
    assert main(call) == 0
    values = json.loads(capsys.readouterr().out)
    assert [one["status"] for one in values["results"]] == ["passed", "passed"]
    assert (values["wrong"], values["healthy"]) == (False, None)
    assert values["strict"]["survivors"] == []
    assert (values["coverage"]["shown"], values["coverage"]["all"]) == (2, 2)
    rule.write_text(RULE.replace("DISK", "/b"), "utf-8")
    assert main(call) == 1
    first = json.loads(capsys.readouterr().out)["results"][0]
    assert (first["status"], first["details"]) == ("wrong", ["disk: expected '/b', found '/a'"])


def test_junit(rule: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rule.write_text(RULE.replace("DISK", "'<b> & \"c\"'"), "utf-8")
    assert main(["rules", "test", "quota.yaml", "--no-healthy", "--junit", "out.xml"]) == 1
    root = ElementTree.parse("out.xml").getroot()
    assert (root.tag, root.get("tests"), root.get("failures")) == ("testsuites", "2", "1")
    (suite,) = root
    assert suite.tag == "testsuite"
    assert set(suite.attrib) == {"name", "tests", "failures", "errors", "skipped", "time"}
    assert [case.get("name") for case in suite] == ["it is", "it is not"]
    assert {case.get("classname") for case in suite} == {"storage.quota"}
    (failure,) = suite[0]
    assert (failure.tag, failure.get("type")) == ("failure", "wrong")
    assert "<b> & \"c\"" in (failure.text or "")
    assert "1 failed" in capsys.readouterr().out


def test_junit_of_healthy_logs_and_broken_rules(rule: Path, tmp_path: Path) -> None:
    good = tmp_path / "good" / "job"
    good.mkdir(parents=True)
    (good / "worker_0.log").write_text("our quota /a is full\n", "utf-8")
    assert main(["rules", "test", "quota.yaml", "--healthy", "good", "--strict",
                 "--junit", "out.xml"]) == 1
    suites = {suite.get("name"): suite for suite in ElementTree.parse("out.xml").getroot()}
    assert suites["healthy logs"][0][0].get("type") == "noise"
    assert suites["broken rules"].get("failures") == "0"


def test_a_file_of_junit_that_cannot_be_written(rule: Path,
                                               capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "test", "quota.yaml", "--no-healthy", "--junit", "no/out.xml"]) == 2
    assert "no/out.xml" in capsys.readouterr().err


def test_watch_runs_again_at_a_change(rule: Path, monkeypatch: pytest.MonkeyPatch,
                                      capsys: pytest.CaptureFixture[str]) -> None:
    texts = [RULE.replace("DISK", "/b"), "id: [", RULE.replace("DISK", "/a")]

    def edits(paths: list[str]) -> Iterator[list[str]]:
        assert paths == ["quota.yaml"]
        for text in texts:
            rule.write_text(text, "utf-8")
            yield ["quota.yaml"]

    monkeypatch.setattr(watching, "changes", edits)
    assert main(["rules", "test", "quota.yaml", "--no-healthy", "--watch"]) == 0
    rounds = capsys.readouterr().out.split("--- changed: quota.yaml")
    assert [("2 passed" in text, "1 failed" in text) for text in rounds] == [
        (True, False), (False, True), (False, False), (True, False)]


def test_watch_is_for_people(rule: Path) -> None:
    assert main(["rules", "test", "quota.yaml", "--watch", "--format", "json"]) == 2


def test_changes_are_seen(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("1", "utf-8")
    (tmp_path / ".hidden").mkdir()
    waits = 0

    def pause(_: float) -> None:
        nonlocal waits
        waits += 1
        if waits == 2:
            (tmp_path / ".hidden" / "x").write_text("1", "utf-8")
        if waits == 3:
            (tmp_path / "sub").mkdir()
            (tmp_path / "sub" / "b.yaml").write_text("1", "utf-8")
        if waits == 5:
            (tmp_path / "a.yaml").unlink()

    seen = watching.changes([str(tmp_path)], pause)
    assert next(seen) == [str(tmp_path / "sub" / "b.yaml")]
    assert waits == 4
    assert next(seen) == [str(tmp_path / "a.yaml")]
