"""Search in articles and catalogues: words of both languages, codes, messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.guide import Library
from assistant.guide.search import Search
from assistant.guide.search_index import build, kept
from assistant.rules.ruleset import RuleSet


@pytest.fixture(scope="module")
def search(kb: Library, ruleset: RuleSet) -> Search:
    return Search(kb, ruleset.every(), families=ruleset.families)


@pytest.mark.parametrize(("query", "lang", "first"), [
    ("port taken", "en", "port-taken"),
    ("PORTS", "en", "port-taken"),
    ("端口占用", "zh", "port-taken"),
    ("端口占用", "en", "port-taken"),
    ("nan gradient", "en", "gradients"),
    ("学习率", "zh", "gradients"),
    ("EI0006", "en", "EI0006"),
    ("what is ei0006?", "en", "EI0006"),
    ("LINK_TIMEOUT", "en", "EI0006"),
    ("0x80c78008", "zh", "0x80C78008"),
    ("TLS differs", "en", "EI0006"),
    ("EI0077", "en", "link-codes"),
    ("ss -ltnp", "en", "port-taken"),
    ("bind address already in use by another process", "en", "port-taken"),
])
def test_the_best_hit(search: Search, query: str, lang: str, first: str) -> None:
    assert search.find(query, lang=lang)[0].id == first


@pytest.mark.parametrize("query", ["", "  ", "no such words", "的", "()"])
def test_nothing(search: Search, query: str) -> None:
    assert search.find(query) == []


def test_title_and_passage_are_in_the_language_asked_for(search: Search) -> None:
    hit = search.find("port", lang="zh")[0]
    assert (hit.kind, hit.article, hit.title, hit.category) == (
        "article", "port-taken", "端口被占用", "network")
    hit = search.find("learning rate", lang="en")[0]
    assert (hit.section, hit.passage) == ("What to do", "Lower the learning rate.")


def test_the_passage_is_the_one_that_fits_and_is_filled(search: Search) -> None:
    hit = search.find("ss grep", lang="en")[0]
    assert hit.passage == "Find who holds it: `ss -ltnp | grep 8118`"


def test_a_code_tells_its_article(search: Search) -> None:
    hit = search.find("EI0006", lang="zh")[0]
    assert (hit.kind, hit.id, hit.article, hit.title, hit.passage) == (
        "code", "EI0006", "link-codes", "建链超时", "对端未按时到达。")


def test_limit_and_order(search: Search) -> None:
    hits = search.find("card port gradient link", limit=2)
    assert len(hits) == 2
    assert hits[0].score >= hits[1].score


def test_what_a_rule_recognised_comes_first(search: Search) -> None:
    hits = search.find("nan gradient", recognised=["no.such", "network.port-taken"])
    assert (hits[0].id, hits[0].rule, hits[0].passage) == (
        "port-taken", "network.port-taken", "Port <port> is taken")
    assert hits[1].id == "gradients"
    hits = search.find("nan gradient", recognised=["hccl.code-ei0006"])
    assert (hits[0].kind, hits[0].id, hits[0].rule) == ("code", "EI0006", "hccl.code-ei0006")


@pytest.mark.parametrize(("line", "articles"), [
    ("[ERROR] ME(1:2,Main):2026-01-01-10:00:00.100.000 [a.py:1] address 9000 already in use by "
     "a foreign process", ("port-taken",)),
    ("the gradient norm became nan", ("gradients",)),
    ("[ERROR] EI0077: something new", ("link-codes",)),
    ("the gradient of the coffee machine is steep and wet today", ()),
    ("nan", ()),
    ("NanGradientNorm: x", ()),
    ("", ()),
])
def test_suggestions_only_where_they_convince(search: Search, line: str,
                                              articles: tuple[str, ...]) -> None:
    assert search.suggest(line) == articles


def test_the_index_is_kept(kb: Library, ruleset: RuleSet, tmp_path: Path) -> None:
    first = kept(kb, ruleset.every(), tmp_path)
    file, = tmp_path.iterdir()
    assert kept(kb, ruleset.every(), tmp_path) == first == build(kb, ruleset.every())
    file.write_bytes(b"damaged")
    assert kept(kb, ruleset.every(), tmp_path) == first
    assert kept(kb, ruleset.every()[:1], tmp_path) != first
    assert kept(kb, ruleset.every(), None) == first


def test_a_changed_article_is_found(tmp_path: Path, ruleset: RuleSet) -> None:
    (tmp_path / "en").mkdir()
    page = tmp_path / "en" / "one.md"
    cache = tmp_path / "cache"

    def ids(word: str) -> list[str]:
        return [hit.id for hit in Search(Library([tmp_path]), ruleset.every(), cache).find(word)]

    page.write_text("---\ntitle: Alpha\n---\n## What it means\nbeta\n", encoding="utf-8")
    assert ids("beta") == ["one"]
    page.write_text("---\ntitle: Alpha\n---\n## What it means\ngamma ray\n", encoding="utf-8")
    assert (ids("beta"), ids("gamma")) == ([], ["one"])
