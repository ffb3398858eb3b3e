from __future__ import annotations

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
