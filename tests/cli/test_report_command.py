"""`kbtriage report`: an issue's text and a page, without what is private."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from assistant.cli.main import main

PRIVATE = ("10.3.2.1", "jroe", "a1b2c3d4e5f6g7", "PRJ-4711")


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    folder = tmp_path / "msrun_log"
    folder.mkdir()
    (folder / "worker_0.log").write_text(
        "2026-11-30 08:29:13,357 - mindformers[core/a.py:3] - INFO - start on 10.3.2.1\n"
        "Traceback (most recent call last):\n"
        '  File "/home/jroe/llm/train.py", line 95, in <module>\n    main()\n'
        "RuntimeError: cannot reach 10.3.2.1 for PRJ-4711, token=a1b2c3d4e5f6g7\n")
    pack = tmp_path / "pack"
    pack.mkdir()
    (pack / "site.yaml").write_text("redact: {project: 'PRJ-\\d+'}\n")
    return folder


def report(logs: Path, *options: str) -> int:
    return main(["report", str(logs), "--pack", str(logs.parent / "pack"), *options])


def test_an_issue(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert report(logs, "--issue") == 0
    shown = capsys.readouterr().out
    assert all(secret not in shown for secret in PRIVATE)
    assert "RuntimeError: cannot reach <ip-1> for <project-1>, token=<key-1>" in shown
    assert "/home/<user-1>/llm/train.py" in shown
    assert "finds the same cause in these lines alone" in shown


def test_an_issue_in_chinese(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert report(logs, "--issue", "--lang", "zh") == 0
    assert "## 日志摘录" in capsys.readouterr().out


def test_unredacted_if_asked(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert report(logs, "--issue", "--no-redact") == 0
    shown = capsys.readouterr().out
    assert all(secret in shown for secret in PRIVATE)


def test_a_page(logs: Path) -> None:
    target = logs.parent / "report.html"
    assert report(logs, "--html", "-o", str(target)) == 0
    shown = target.read_text("utf-8")
    assert shown.startswith("<!doctype html>")
    assert all(secret not in shown for secret in PRIVATE)
    assert "&lt;ip-1&gt;" in shown


def test_the_map_is_for_its_owner(logs: Path) -> None:
    kept = logs.parent / "map.json"
    assert report(logs, "--issue", "--redact-map", str(kept)) == 0
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert json.loads(kept.read_text("utf-8"))["<user-1>"] == "jroe"


def test_check_redacts_when_asked(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = logs.parent / "map.json"
    main(["check", str(logs), "--redact", "--redact-map", str(kept), "--format", "json"])
    shown = capsys.readouterr().out
    assert all(secret not in shown for secret in PRIVATE[:3])
    assert json.loads(shown)["findings"][0]["rule"]
    assert kept.exists()


def test_a_machine_that_another_file_tells_of(logs: Path,
                                              capsys: pytest.CaptureFixture[str]) -> None:
    worker = logs / "worker_0.log"
    worker.write_text(worker.read_text().replace("cannot reach", "zeus cannot reach"))
    (logs / "msrun.log").write_text("msrun --master_addr zeus --worker_num 8 train.py\n")
    for options in (["report", str(logs), "--issue"], ["check", str(logs), "--redact"]):
        main(options)
        shown = capsys.readouterr().out
        assert "cannot reach" in shown
        assert "zeus" not in shown
    assert report(logs, "--html", "-o", str(logs.parent / "report.html")) == 0
    assert "zeus" not in (logs.parent / "report.html").read_text("utf-8")


@pytest.mark.parametrize(("options", "says"), [
    (["report", "-", "--issue"], "standard input cannot be read twice"),
    (["report", "x", "--html"], "name the file"),
    (["report", "x", "--issue", "--no-redact", "--redact-map", "m"], "drop one of them"),
    (["check", "x", "--redact-map", "m"], "give both"),
    (["check", "x", "--redact", "--why"], "drop it"),
    (["check", "x", "-o", "r.html"], "kbtriage report --html"),
    (["report", "nothing-here", "--issue"], "nothing-here"),
])
def test_calls_that_cannot_be_used(options: list[str], says: str,
                                   capsys: pytest.CaptureFixture[str]) -> None:
    assert main(options) == 2
    assert says in capsys.readouterr().err
