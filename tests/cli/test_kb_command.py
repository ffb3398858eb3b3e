from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from assistant.cli.main import main

ARTICLE = """---
title: {title}
category: network
---
## What it means
The port is taken.
## What to do
1. Look: `ss -ltnp | grep {{port|8118}}` on {{node}}
"""


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    for lang, title in (("en", "Port of our gateway"), ("zh", "网关端口")):
        folder = tmp_path / "site" / "kb" / lang
        folder.mkdir(parents=True)
        (folder / "gateway-port.md").write_text(ARTICLE.format(title=title), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    return str(tmp_path / "site")


def test_list(pack: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kb", "list", "--pack", pack, "GATEWAY", "network"]) == 0
    assert capsys.readouterr().out == "network  gateway-port  Port of our gateway\n"
    assert main(["kb", "list", "--pack", pack, "gateway", "--lang", "zh"]) == 0
    assert "网关端口" in capsys.readouterr().out


def test_list_without_a_match(pack: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kb", "list", "--pack", pack, "no-such-word"]) == 0
    assert capsys.readouterr().out == ""


def test_show_fills_placeholders_with_what_stands_in(pack: str, capsys: pytest.CaptureFixture[str]
                                                     ) -> None:
    assert main(["kb", "show", "gateway-port", "--pack", pack]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("# Port of our gateway\n\n## What it means\n\nThe port is taken.\n")
    assert "`ss -ltnp | grep 8118` on <node>" in shown


def test_an_unknown_article_names_near_ones(pack: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kb", "show", "gateway-prt", "--pack", pack]) == 2
    assert "did you mean gateway-port" in capsys.readouterr().err


def test_a_missing_pack_is_told(pack: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kb", "list", "--pack", "nowhere"]) == 2
    assert "nowhere" in capsys.readouterr().err


def test_search(pack: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kb", "search", "--pack", pack, "gateway", "port", "-n", "1"]) == 0
    assert capsys.readouterr().out == (
        "1. Port of our gateway\n    What it means: The port is taken.\n"
        "    kbtriage kb show gateway-port\n")
    assert main(["kb", "search", "--pack", pack, "网关端口", "--lang", "zh", "-n", "1"]) == 0
    assert capsys.readouterr().out.startswith("1. 网关端口\n")


def test_search_for_programs(pack: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kb", "search", "--pack", pack, "EI0006", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["query"] == "EI0006"
    assert (found["hits"][0]["kind"], found["hits"][0]["id"]) == ("code", "EI0006")


def test_search_for_a_message(pack: str, capsys: pytest.CaptureFixture[str],
                              monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(
        "[WARNING] DISTRIBUTED(1,7f,python):2026-11-30-08:03:48.021.634 [a.cc:1] x] Failed to "
        "call bind, url: 192.0.2.1:8118 Address already in use\n"))
    assert main(["kb", "search", "--pack", pack, "-", "--format", "json"]) == 0
    first = json.loads(capsys.readouterr().out)["hits"][0]
    assert first["rule"] == "network.scheduler-port-taken"
    assert first["id"] == "scheduler-port-taken"


def test_search_without_a_hit(pack: str, capsys: pytest.CaptureFixture[str],
                              monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["kb", "search", "xyzzyx"]) == 1
    caught = capsys.readouterr()
    assert caught.out == "" and "nothing speaks of it" in caught.err
    monkeypatch.setattr(sys, "stdin", io.StringIO(" \n"))
    assert main(["kb", "search", "-"]) == 2
    assert "nothing to search for" in capsys.readouterr().err


def test_a_code_is_no_article(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kb", "show", "EI0006"]) == 2
    assert "kbtriage explain-code EI0006" in capsys.readouterr().err


@pytest.mark.parametrize(("query", "article"), [
    ("out of memory", "device-out-of-memory"),
    ("[ERROR] HCCL(42863,python3):2026-07-15-10:00:00.100.200 [transport_manager.cc:100] wait "
     "socket establish timeout, role[0] rank[1] timeout[120 s]", "link-timeout"),
])
def test_what_people_search_for(capsys: pytest.CaptureFixture[str], query: str,
                                article: str) -> None:
    assert main(["kb", "search", query, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["hits"][0]["article"] == article


@pytest.mark.parametrize("number", ["0", "-3", "x"])
def test_a_limit_is_a_number_of_at_least_one(number: str,
                                             capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["kb", "search", "-n", number, "port"])
    assert ended.value.code == 2
    assert "whole number of at least 1" in capsys.readouterr().err
