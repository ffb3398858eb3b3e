"""Nothing in logs, names, archives, rules or articles becomes markup or script."""

from __future__ import annotations

import io
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.web import hostile
from tests.web.support import Make


class Strict(HTMLParser):
    """Collects what could run, and checks that elements are closed in order."""

    VOID = frozenset({"meta", "link", "input", "br", "hr", "img", "path", "circle", "rect",
                      "line"})

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name.startswith("on") or name == "style":
                self.faults.append(f"{tag} {name}={value}")
            if name in ("src", "href", "action") and re.match(r"\s*(javascript|data|vbscript):",
                                                              value or "", re.I):
                self.faults.append(f"{tag} {name}={value}")
        if tag in ("iframe", "img", "object", "embed", "base", "b"):
            self.faults.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes something else")


def faults(text: str) -> list[str]:
    parser = Strict()
    parser.feed(text)
    parser.close()
    scripts = [body for kind, body in re.findall(r"<script([^>]*)>(.*?)</script>", text, re.S)
               if "src=" not in kind and "application/json" not in kind]
    return parser.faults + scripts + [f"open: {tag}" for tag in parser.open]


@pytest.fixture(scope="module")
def client(make: Make, tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    base = tmp_path_factory.mktemp("hostile")
    root = base / "root"
    root.mkdir()
    for name in hostile.names():
        (root / name).write_text("x", encoding="utf-8", errors="surrogatepass")
    (root / "<img src=x onerror=alert(1)>").mkdir()
    return make(pack=(str(hostile.pack(base / "pack")),), root=(str(root),),
                store=str(base / "r.db")).test_client()


def answers(client: FlaskClient) -> dict[str, str]:
    """Every page that can show something hostile."""
    found = {}
    text = "".join(f"==> {name} <==\n{hostile.log(0)}\n" for name in hostile.names()[:4])
    zipped, tarred = hostile.archive("zip"), hostile.archive("tar")

    def sent() -> dict[str, dict[str, object]]:
        return {
            "paste": {"text": hostile.log(1), "kind": "worker", "rank": "1"},
            "several": {"text": text},
            "names": {"files": [(io.BytesIO(hostile.log(2).encode()), name)
                                for name in hostile.names()]},
            "zip": {"files": (io.BytesIO(zipped), "<script>alert(1)<.zip")},
            "tar": {"files": (io.BytesIO(tarred), "' onload=alert(1) <b>.tar.gz")}}

    for lang in ("en", "zh"):
        for name, form in sent().items():
            answer = client.post(f"/check?lang={lang}", data=form,
                                 content_type="multipart/form-data")
            assert answer.status_code == 200, (name, answer.text)
            found[f"{name} {lang}"] = answer.text
    sealed = re.search(r'name="sealed" value="([^"]+)"', found["paste en"])
    assert sealed
    kept = client.post("/check", data={"text": hostile.log(1), "keep": "yes"},
                       content_type="multipart/form-data").headers["Location"]
    for path in ("/knowledge", "/knowledge/articles/hostile", "/knowledge/rules/user-code.hostile",
                 "/browse", kept, "/reports"):
        found[path] = client.get(path).text
    for payload in hostile.PAYLOADS:
        found[f"search {payload}"] = client.get("/knowledge", query_string={
            "q": payload, "category": payload, "kind": payload}).text
        found[f"path {payload}"] = client.get("/", query_string={"path": payload}).text
        found[f"nothing {payload}"] = client.get("/browse", query_string={"path": payload}).text
        found[f"article {payload}"] = client.get(
            f"/knowledge/articles/{payload.replace('/', '').replace('?', '')}").text
    return found


def test_every_page_stays_what_it_is(client: FlaskClient) -> None:
    for name, text in answers(client).items():
        assert faults(text) == [], name


def test_the_payloads_are_shown_as_text(client: FlaskClient) -> None:
    text = client.post("/check", data={"text": hostile.log(1), "kind": "worker", "rank": "1"},
                       content_type="multipart/form-data").text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    article = client.get("/knowledge/articles/hostile").text
    assert "&lt;div onclick=alert(14)&gt;" in article
    assert 'href="https://example.org/"' in article
    assert "<img" not in article  # a picture would be fetched from wherever it says


def test_the_html_file_stays_what_it_is(client: FlaskClient) -> None:
    page = client.post("/check", data={"text": hostile.log(1), "kind": "worker"},
                       content_type="multipart/form-data").text
    sealed = re.search(r'name="sealed" value="([^"]+)"', page)
    assert sealed
    text = client.post("/result", data={"sealed": sealed[1], "as": "html"}).text
    assert text.count("<script") == page.count("<script type=") + 1
    own = re.sub(r"<(script|style)>.*?</\1>", "", text, flags=re.S)
    assert faults(own) == []


@pytest.mark.browser
def test_nothing_runs_in_a_browser(client: FlaskClient, tmp_path: Path) -> None:
    """All pages in Chromium without the policy that would stop a script, were there one."""
    import shutil

    sync_api = pytest.importorskip("playwright.sync_api")
    chromium = shutil.which("chromium") or pytest.skip("chromium is not installed")
    pages = answers(client)
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        context = browser.new_context()
        page = context.new_page()
        ran: list[str] = []
        page.on("dialog", lambda dialog: (ran.append(dialog.message), dialog.dismiss()))
        page.route("**/*", lambda route: route.abort() if "static" in route.request.url
                   or "192.0.2" in route.request.url else route.continue_())
        for text in pages.values():
            page.set_content(text, wait_until="domcontentloaded")
            page.evaluate("""document.querySelectorAll('details').forEach(d => d.open = true);
                for (const e of document.querySelectorAll('*')) {
                  e.dispatchEvent(new Event('mouseover'));
                  e.dispatchEvent(new Event('focus')); }""")
            assert page.locator("main").is_visible()
        browser.close()
    assert ran == []
