from __future__ import annotations

from pathlib import Path

import pytest

from assistant.guide.library import Library, library
from assistant.rules import load, packs


def write(root: Path, lang: str, name: str, title: str) -> None:
    folder = root / lang
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.md").write_text(
        f"---\ntitle: {title}\ncategory: data\n---\n## What it means\nx\n"
        "## What to do\n1. y\n", encoding="utf-8")


def test_later_folders_win_by_language(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    write(first, "en", "x", "first en")
    write(first, "zh", "x", "first zh")
    write(second, "zh", "x", "second zh")
    articles = Library([first, second])
    assert articles.article("x", "en").title == "first en"  # type: ignore[union-attr]
    assert articles.article("x", "zh").title == "second zh"  # type: ignore[union-attr]
    assert articles.problems == []


def test_the_other_language_is_better_than_none(tmp_path: Path) -> None:
    write(tmp_path, "en", "x", "only en")
    article = Library([tmp_path]).article("x", "zh")
    assert article is not None
    assert (article.lang, article.title) == ("en", "only en")


def test_absent_articles_and_odd_ids(tmp_path: Path) -> None:
    write(tmp_path / "kb", "en", "x", "t")
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "secret.md").write_text("---\ntitle: s\n---\n")
    articles = Library([tmp_path / "kb", tmp_path / "nowhere"])
    for name in ("y", "", "../en/secret", "../../en/secret", "X", "x.md", "x/"):
        assert articles.article(name, "en") is None
    assert articles.problems == []


def test_ids_need_no_parsing(tmp_path: Path) -> None:
    write(tmp_path, "en", "b", "t")
    write(tmp_path, "zh", "a", "t")
    (tmp_path / "en" / "broken.md").write_text("not an article")
    (tmp_path / "en" / "README.md").write_text("x")
    articles = Library([tmp_path])
    assert articles.ids() == ("a", "b", "broken")
    assert articles.problems == []


def test_a_broken_or_unreadable_article_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "bytes.md").write_bytes(b"\xff\xfe\x00")
    articles = Library([tmp_path])
    article = articles.article("bytes", "en")
    assert article is not None and article.steps == ()
    assert {p.code for p in articles.problems} >= {"article-front-matter", "article-section"}
    count = len(articles.problems)
    articles.article("bytes", "en")
    assert len(articles.problems) == count  # read once, told once


@pytest.mark.parametrize("about", ["name: x\nversion: '1'\nrequires: '>=99'\n",
                                   "name: x\nversion: '1'\nrequries: '>=0.1'\n"])
def test_a_pack_that_is_left_out_brings_no_articles(tmp_path: Path, about: str) -> None:
    write(tmp_path / "kb", "en", "x", "from the pack")
    (tmp_path / "pack.yaml").write_text(about, "utf-8")
    layers = [packs.built_in(), packs.given(str(tmp_path))]
    refused = load(layers, cache=False).refused
    assert refused == (tmp_path,)
    assert library(layers, refused).article("x", "en") is None
    assert library(layers).article("x", "en") is not None


def test_library_of_layers(tmp_path: Path) -> None:
    write(tmp_path / "kb", "en", "x", "from the pack")
    layer = packs.Layer("site", tmp_path, tmp_path / "kb")
    articles = library([packs.built_in(), packs.Layer("bare", tmp_path), layer])
    assert articles.roots[-1] == tmp_path / "kb"
    assert articles.article("x", "en").title == "from the pack"  # type: ignore[union-attr]
