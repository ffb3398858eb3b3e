"""`kbtriage rules new` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.cli.main import main

LINE = "[ERROR] MD(7,7f,python):2026-11-30-08:29:08.534.473 [a.cc:4] Run] shelf 17 refused keeper\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "worker_0.log").write_text(LINE, encoding="utf-8")
    return tmp_path


def test_a_draft_is_found_by_the_next_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "worker_0.log", "--format", "json", "-o", "r.json"]) == 1
    assert main(["rules", "new", "--from-report", "r.json"]) == 0
    out = capsys.readouterr().out
    assert "wrote .kbtriage/rules/" in out and "2 tests passed, 0 failed" in out
    assert "warning[to-be-written]" in out
    assert main(["check", "worker_0.log", "--format", "json", "-o", "r.json"]) == 1
    report = json.loads(Path("r.json").read_text("utf-8"))
    assert report["findings"][0]["rule"].endswith(".shelf-refused-keeper")
    assert report["unexplained"] == []
    capsys.readouterr()
    assert main(["rules", "new", "--from-report", "r.json"]) == 0
    assert "nothing is left unexplained" in capsys.readouterr().out


def test_into_a_pack_with_schemas(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pack", "new", "ours"]) == 0
    assert main(["rules", "new", "--from-log", "worker_0.log:1", "--id", "storage.keeper",
                 "--pack", "ours"]) == 0
    text = Path("ours/rules/storage/keeper.yaml").read_text("utf-8")
    assert text.startswith("# yaml-language-server: $schema=../../.schema/rule.schema.json\n")
    assert main(["rules", "test", "ours"]) == 0


def test_a_call_that_cannot_be_used(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "new", "--from-log", "worker_0.log"]) == 2
    assert main(["rules", "new", "--from-report", "nowhere.json"]) == 2
    assert main(["rules", "new", "--from-report", "nowhere.json", "--id", "a.b"]) == 2
    assert capsys.readouterr().err.count("\n") == 3
    assert not Path(".kbtriage").exists()
