"""A placeholder that nothing fills is told wherever it stands, with the cure."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from assistant.authoring.lint import lint
from assistant.rules.packs import Layer

BASE = Path(__file__).parent / "lint_base"
ARTICLE = "kb/en/mount-lost.md"


def told(folder: Path) -> list[tuple[str, str, int, str, str]]:
    """Level, file name, line, message and cure of what is said of placeholders."""
    linted = lint([str(folder)], layers=[Layer("base", folder, folder / "kb")])
    assert {one.code for one in linted.problems} <= {"unknown-placeholder"}
    return [(one.level, Path(one.position.file).name, one.position.line, one.message, one.cure)
            for one in linted.problems]


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return Path(shutil.copytree(BASE, tmp_path / "pack"))


def add(path: Path, text: str) -> int:
    """Puts a line behind the heading of an article's first section; gives its number."""
    lines = path.read_text("utf-8").split("\n")
    number = lines.index("## What it means") + 1
    path.write_text("\n".join([*lines[:number], text, *lines[number:]]), "utf-8")
    return number + 1


@pytest.mark.parametrize(("text", "level", "message", "cure"), [
    ("On {nod} or elsewhere.", "error", "no rule of this article gives `{nod}`: "
     "storage.code-ey0001, hang.disk-wait, hang.mount-wait, storage.mount-lost",
     "did you mean `node`?"),
    ("Ask {site.login}.", "error", "no site.yaml sets `login`",
     "set it under `site:`, or say what stands in for it: {site.login|...}"),
    ("Ask {site.oncal}.", "error", "no site.yaml sets `oncal`",
     "did you mean `{site.oncall}`?"),
    ("Ask {site.oncal|somebody}.", "warning", "no site.yaml sets `oncal`, and one sets `oncall`",
     "did you mean `{site.oncall|...}`?")])
def test_in_any_section_of_an_article(pack: Path, text: str, level: str, message: str,
                                      cure: str) -> None:
    (pack / "site.yaml").write_text("site: {oncall: '555-0100'}\n", "utf-8")
    assert told(pack) == []
    line = add(pack / ARTICLE, text)
    assert told(pack) == [(level, "mount-lost.md", line, message, cure)]


@pytest.mark.parametrize("text", ["Ask {site.oncall}.", "Ask {site.storage|the storage team}.",
                                  "{? Ask {site.storage}. ?}", "Rank {rank} and {{braces}}."])
def test_what_is_filled_or_may_stay_unset(pack: Path, text: str) -> None:
    (pack / "site.yaml").write_text("site: {oncall: '555-0100'}\n", "utf-8")
    add(pack / ARTICLE, text)
    assert told(pack) == []


def test_in_titles_and_overrides(pack: Path) -> None:
    rule = pack / "rules" / "storage" / "mount.yaml"
    text = rule.read_text("utf-8")
    rule.write_text(text.replace('  zh: "', '  zh: "{site.team}：', 1), "utf-8")
    (pack / "site.yaml").write_text(
        'overrides:\n  storage.mount-lost: {title: {en: "Ask {site.team}"}}\n', "utf-8")
    assert [(level, file, message) for level, file, _, message, _ in told(pack)] == [
        ("error", "mount.yaml", "no site.yaml sets `team`"),
        ("error", "site.yaml", "no site.yaml sets `team`")]
    with (pack / "site.yaml").open("a", encoding="utf-8") as stream:
        stream.write("site: {team: storage}\n")
    assert told(pack) == []
