"""Articles and rules: every page, the search, and Markdown that stays harmless."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.support import Make
from web.markdown import html

MESSAGE = ("[ERROR] DISTRIBUTED(5866,7f0f4ffff6c0,python):2026-11-30-08:29:44.450.287 [x.cc:548] "
           "UpdateTopoState] The node: 2 is timed out. It may exit with exception, please check "
           "this node's log.")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_article_and_rule_has_a_page(app: Flask, client: FlaskClient, lang: str) -> None:
    engine = app.extensions["kbtriage"].engine
    for article_id in engine.library.ids():
        assert client.get(f"/knowledge/articles/{article_id}?lang={lang}").status_code == 200
    seen = set()
    for rule in engine.rules.every():
        kinds = frozenset(type(signal).__name__ for signal in rule.signals.values())
        if kinds in seen and not rule.id.startswith("n"):
            continue  # a page takes time, and there are many rules of a few kinds
        seen.add(kinds)
        answer = client.get(f"/knowledge/rules/{rule.id}?lang={lang}")
        assert answer.status_code == 200, rule.id
        assert "Signal" not in answer.text, rule.id  # a kind of signal without words


@pytest.mark.parametrize(("lang", "said"), [
    ("en", "Silenced by ours until 2999-03-01: a new switch"),
    ("zh", "已被规则包 ours 屏蔽至 2999-03-01：a new switch")])
def test_the_page_of_a_silenced_rule_says_by_whom(make: Make, tmp_path: Path, lang: str,
                                                  said: str) -> None:
    pack = tmp_path / "ours"
    pack.mkdir()
    (pack / "site.yaml").write_text(
        "silences:\n  - {rule: network.node-timed-out, until: '2999-03-01', "
        "reason: a new switch}\n",
        "utf-8")
    client = make(pack=(str(pack),)).test_client()
    assert said in client.get(f"/knowledge/rules/network.node-timed-out?lang={lang}").text


@pytest.mark.parametrize("query", ["scheduler lost contact", "调度进程", "node-timed-out", MESSAGE])
def test_the_search_finds_by_word_id_and_message(client: FlaskClient, query: str) -> None:
    for lang in ("en", "zh"):
        text = client.get("/knowledge", query_string={"q": query, "lang": lang}).text
        assert "/knowledge/articles/node-timed-out" in text or (
            "/knowledge/rules/network.node-timed-out" in text)


def test_a_message_is_recognised_by_the_rule_itself(client: FlaskClient) -> None:
    text = client.get("/knowledge", query_string={"q": MESSAGE}).text
    head = text.split('id="recognised"')[1].split("</section>")[0]
    assert "network.node-timed-out" in head


def test_codes(client: FlaskClient) -> None:
    text = client.get("/knowledge", query_string={"q": "EI0006"}).text
    assert "EI0006" in text.split('class="shelf')[1]


def test_categories_and_kinds(client: FlaskClient) -> None:
    text = client.get("/knowledge?category=network&kind=article").text
    assert "/knowledge/articles/node-timed-out" in text
    assert "/knowledge/rules/" not in text.split("<main")[1]
    assert "/knowledge/articles/loss-not-a-number" not in text


def test_what_is_not_there(client: FlaskClient) -> None:
    assert "Nothing was found" in client.get("/knowledge?q=zzzyyyxxx").text
    for path in ("articles/none", "rules/none", "articles/..%2f..%2fetc%2fpasswd"):
        assert client.get(f"/knowledge/{path}").status_code == 404


@pytest.mark.parametrize(("text", "gone"), [
    ("<b>x</b>", "<b>"), ("[x](javascript:alert(1))", "href"), ("[x](JaVaScRiPt:alert(1))", "href"),
    ("[x](data:text/html,x)", "href"), ("[x](vbscript:x)", "href"), ("[x](\tjavascript:x)", "href"),
    ("![x](http://example.org/x.png)", "<img"), ("<https://x.org/\"onclick=x>", '"onclick'),
    ("[x](https://x.org/ \"<script>\")", "<script>")])
def test_markdown_without_markup_of_its_own(text: str, gone: str) -> None:
    assert gone not in html(text)


def test_markdown_that_is_meant() -> None:
    made = html("Read `a < b` and [this](https://example.org/), then **stop**.\n\n"
                "1. one {rank|N}\n")
    assert "<code>a &lt; b</code>" in made
    assert '<a href="https://example.org/">this</a>' in made
    assert "<strong>stop</strong>" in made
    assert "<li>one N</li>" in made
