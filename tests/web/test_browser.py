"""The pages in Debian's Chromium: what people do, with and without script, and axe-core.

Needs the packages chromium (Debian) and playwright (Python); skipped without them, unless
KBTRIAGE_BROWSER_TESTS=required.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import tarfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.support import LAB, Make

pytestmark = pytest.mark.browser
CHROMIUM = shutil.which("chromium")
AXE = Path(__file__).parent / "vendor" / "axe" / "axe.min.js"
CASE = LAB / "exc-rank2" / "msrun_log"
SCHEMES = ("light", "dark")
WIDTHS = (1280, 360)

try:
    from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
except ImportError:
    if os.environ.get("KBTRIAGE_BROWSER_TESTS") == "required":
        raise
    pytest.skip("playwright is not installed", allow_module_level=True)
if CHROMIUM is None and os.environ.get("KBTRIAGE_BROWSER_TESTS") != "required":
    pytest.skip("chromium is not installed", allow_module_level=True)


@pytest.fixture(scope="module")
def base(make: Make, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a running server with a store and a root."""
    from waitress.server import create_server

    store = tmp_path_factory.mktemp("store") / "reports.db"
    app = make(store=str(store), root=(str(LAB),))
    server = create_server(app, host="127.0.0.1", port=0, threads=6)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.effective_port}"
    server.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


class Tab:
    """A page that remembers what went wrong in it."""

    def __init__(self, browser: Browser, **options: Any) -> None:
        self.context: BrowserContext = browser.new_context(
            **{"locale": "en", "viewport": {"width": 1280, "height": 800}, **options})
        self.page: Page = self.context.new_page()
        self.troubles: list[str] = []
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("console", lambda message: self.troubles.append(message.text)
                     if message.type == "error" else None)
        self.page.on("dialog", lambda dialog: (self.troubles.append("dialog"),
                                               dialog.dismiss()))

    def close(self) -> None:
        self.context.close()


@pytest.fixture
def tab(browser: Browser) -> Iterator[Tab]:
    opened = Tab(browser)
    yield opened
    opened.close()
    assert opened.troubles == []


def check_case(page: Page, base: str, case: Path = CASE, keep: bool = False) -> None:
    page.goto(f"{base}/")
    page.set_input_files("#folder", case)
    if not keep:
        page.uncheck("input[name=keep]")
    page.click("#submit")
    page.wait_for_selector(".verdict")


def violations(page: Page) -> list[str]:
    """What axe-core finds serious or critical. It is put in past the page's own policy."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("async () => (await axe.run()).violations")
    return [f"{item['id']}: {[node['target'] for node in item['nodes']][:3]}"
            for item in found if item["impact"] in ("serious", "critical")]


def test_a_paste_sent_by_ctrl_enter(tab: Tab, base: str) -> None:
    page = tab.page
    page.goto(f"{base}/")
    page.fill("#text", (CASE / "worker_2.log").read_text(encoding="utf-8"))
    page.check("input[value=worker]")
    page.fill("#rank", "2")
    page.uncheck("input[name=keep]")
    page.focus("#text")
    page.keyboard.press("Control+Enter")
    expect(page.locator("h1")).to_contain_text("Data loader returned an empty batch")
    expect(page.locator(".quote-head .place").first).to_have_text("worker_2.log:53")


def test_the_sample(tab: Tab, base: str) -> None:
    page = tab.page
    page.goto(f"{base}/")
    page.click("text=Fill in a real failure")
    page.click("#submit")
    expect(page.locator(".verdict-word")).to_contain_text("FAILED")


def test_a_folder_is_listed_and_checked(tab: Tab, base: str) -> None:
    page = tab.page
    page.goto(f"{base}/")
    page.set_input_files("#folder", CASE)
    expect(page.locator("#chosen")).to_contain_text("5 files chosen")
    expect(page.locator("#chosen")).to_contain_text("msrun_log/worker_2.log")
    page.click("text=Remove")
    expect(page.locator("#chosen")).to_be_empty()
    check_case(page, base)
    expect(page.locator(".quote-head .place").first).to_have_text("worker_2.log:53")


def test_dropping_a_folder(tab: Tab, base: str) -> None:
    """A drop as the browser reports it: entries that are read one after the other."""
    page = tab.page
    page.goto(f"{base}/")
    files = {path.name: path.read_text(encoding="utf-8") for path in CASE.iterdir()}
    page.evaluate("""files => {
      const folder = { isFile: false, isDirectory: true, fullPath: "/msrun_log",
        createReader() {
          const entries = Object.entries(files).map(([name, text]) => ({ isFile: true,
            fullPath: `/msrun_log/${name}`, file: (done) => done(new File([text], name)) }));
          return { readEntries: (done) => done(entries.splice(0, 2)) };
        } };
      const event = new Event("drop", { bubbles: true, cancelable: true });
      event.dataTransfer = { types: ["Files"], items: [
        { kind: "file", webkitGetAsEntry: () => folder, getAsFile: () => null }] };
      document.getElementById("drop").dispatchEvent(event);
    }""", files)
    expect(page.locator("#chosen")).to_contain_text("5 files chosen")
    page.click("#submit")
    expect(page.locator("h1")).to_contain_text("Data loader returned an empty batch")


def test_an_archive(tab: Tab, base: str, tmp_path: Path) -> None:
    packed = tmp_path / "logs.tar.gz"
    with tarfile.open(packed, "w:gz") as archive:
        archive.add(CASE, "msrun_log")
    tab.page.goto(f"{base}/")
    tab.page.set_input_files("#files", packed)
    tab.page.click("#submit")
    expect(tab.page.locator("h1")).to_contain_text("Data loader returned an empty batch")


def test_charts_with_the_first_bad_step(tab: Tab, base: str) -> None:
    check_case(tab.page, base, LAB / "nanloss" / "msrun_log")
    figures = tab.page.locator("figure.chart")
    assert figures.count() == 5
    for index in range(5):
        expect(figures.nth(index)).to_have_attribute("data-drawn", "yes")
        assert figures.nth(index).locator("canvas").bounding_box()["height"] > 100  # type: ignore[index]
    loss = tab.page.locator("figure[data-metric=loss]")
    expect(loss).to_have_attribute("data-first-bad", "5")
    expect(loss.locator(".chart-says")).to_have_text("First bad step: 5, nan on rank 0")
    loss.locator("summary").click()
    expect(loss.locator("tr.is-bad th")).to_have_text("5")
    # the line at step 5 is there in the picture: a column of red
    red = loss.locator("canvas").evaluate("""canvas => {
      const { width, height } = canvas;
      const data = canvas.getContext("2d").getImageData(0, 0, width, height).data;
      const columns = new Map();
      for (let i = 0; i < data.length; i += 4) {
        if (data[i] > 150 && data[i + 1] < 80 && data[i + 2] < 80 && data[i + 3] > 200) {
          const x = (i / 4) % width;
          columns.set(x, (columns.get(x) || 0) + 1);
        }
      }
      return Math.max(0, ...columns.values());
    }""")
    assert red > 40


def test_ticks_stay_and_commands_are_copied(tab: Tab, base: str) -> None:
    page = tab.page
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    check_case(page, base)
    page.check(".steps input >> nth=1")
    page.click(".cause .copy >> nth=0")
    assert page.evaluate("navigator.clipboard.readText()").startswith("less +50 ")
    expect(page.locator(".cause .copy").first).to_have_text("Copied")
    check_case(page, base)
    assert [page.locator(".steps input").nth(n).is_checked() for n in range(3)] == [
        False, True, False]


def test_both_languages_are_remembered(tab: Tab, base: str) -> None:
    page = tab.page
    page.goto(f"{base}/")
    page.click("text=中文")
    expect(page.locator("h1")).to_have_text("任务出了什么问题？")
    page.goto(f"{base}/knowledge")
    expect(page.locator("h1")).to_have_text("知识库")
    check_case(page, base)
    expect(page.locator(".verdict-word")).to_contain_text("失败")
    page.click("text=English")
    expect(page.locator(".verdict-word")).to_contain_text("FAILED")


def test_the_language_of_the_browser(browser: Browser, base: str) -> None:
    opened = Tab(browser, locale="zh-CN")
    opened.page.goto(f"{base}/")
    expect(opened.page.locator("h1")).to_have_text("任务出了什么问题？")
    opened.close()


def test_without_script(browser: Browser, base: str) -> None:
    opened = Tab(browser, java_script_enabled=False)
    page = opened.page
    page.goto(f"{base}/")
    page.fill("#text", (CASE / "worker_2.log").read_text(encoding="utf-8"))
    page.check("input[value=worker]")
    page.uncheck("input[name=keep]")
    page.click("#submit")
    expect(page.locator("h1")).to_contain_text("Data loader returned an empty batch")
    page.click("text=中文")
    expect(page.locator(".verdict-word")).to_contain_text("失败")
    page.goto(f"{base}/")
    page.set_input_files("#folder", CASE)
    page.uncheck("input[name=keep]")
    page.click("#submit")
    expect(page.locator("#charts table").first).to_be_attached()
    page.goto(f"{base}/knowledge?q=port")
    expect(page.locator(".entries a").first).to_be_visible()
    opened.close()
    assert opened.troubles == []


def test_with_the_keyboard_alone(tab: Tab, base: str) -> None:
    page = tab.page
    page.goto(f"{base}/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    seen = []
    for _ in range(24):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.id || document.activeElement.name"))
        if seen[-1] == "text":
            page.keyboard.type("ValueError: typed by hand")
        if seen[-1] == "kind":
            page.keyboard.press("ArrowRight")
        if seen[-1] == "submit":
            break
    assert {"text", "kind", "rank", "files", "folder", "path", "submit"} <= set(seen)
    assert page.evaluate("document.querySelector('[name=kind]:checked').value") == "worker"
    # what has the focus can be seen
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    page.wait_for_selector(".verdict")


def test_a_kept_report(tab: Tab, base: str) -> None:
    page = tab.page
    check_case(page, base, keep=True)
    assert "/reports/" in page.url
    page.reload()
    expect(page.locator("h1")).to_contain_text("Data loader returned an empty batch")
    page.goto(f"{base}/reports")
    page.locator("table.reports a").first.click()
    page.click("text=Delete this report")
    expect(page.locator("[role=status]")).to_have_text("The report is deleted.")


def test_browsing_to_a_folder(tab: Tab, base: str) -> None:
    page = tab.page
    page.goto(f"{base}/browse")
    page.click("text=nanloss/")
    page.click("text=msrun_log/")
    page.click("text=Check this folder")
    expect(page.locator(".verdict-word")).to_contain_text("DEGRADED")


def test_downloads_open(tab: Tab, base: str, browser: Browser, tmp_path: Path) -> None:
    page = tab.page
    check_case(page, base, LAB / "nanloss" / "msrun_log")
    for label, name in (("JSON", "r.json"), ("Markdown", "r.md"), ("One HTML file", "r.html")):
        with page.expect_download() as waiting:
            page.click(f"text={label}")
        waiting.value.save_as(tmp_path / name)
    assert json.loads((tmp_path / "r.json").read_text())["verdict"] == "degraded"
    assert (tmp_path / "r.md").read_text().startswith("# kbtriage report")
    alone = Tab(browser, offline=True)
    alone.page.goto((tmp_path / "r.html").as_uri())
    expect(alone.page.locator("figure[data-metric=loss]")).to_have_attribute("data-drawn", "yes")
    expect(alone.page.locator(".verdict-word")).to_contain_text("DEGRADED")
    alone.page.check(".steps input >> nth=0")
    assert violations(alone.page) == []
    alone.close()
    assert alone.troubles == []


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_page_fits_and_is_accessible(browser: Browser, base: str, scheme: str,
                                           width: int) -> None:
    opened = Tab(browser, color_scheme=scheme, viewport={"width": width, "height": 760})
    page = opened.page
    found: dict[str, list[str]] = {}

    def look(name: str) -> None:
        wide = page.evaluate("document.documentElement.scrollWidth")
        found[name] = violations(page) + ([f"{wide} px wide"] if wide > width else [])

    for path in ("/", "/knowledge", "/knowledge?q=port", "/knowledge/articles/node-timed-out",
                 "/knowledge/rules/network.node-timed-out", "/browse",
                 "/browse?path=nanloss/msrun_log", "/reports"):
        page.goto(f"{base}{path}")
        look(path)
    opened.troubles.clear() if opened.troubles else None
    page.goto(f"{base}/nothing")
    look("problem")
    opened.troubles.clear()  # the browser itself reports the 404
    for case in ("exc-rank2", "nanloss", "ok-pp2", "two-exc-rank3"):
        check_case(page, base, LAB / case)
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        look(case)
    check_case(page, base, keep=True)
    look("kept")
    opened.close()
    assert {name: what for name, what in found.items() if what} == {}
    assert opened.troubles == []


def test_colours_can_be_chosen(tab: Tab, base: str) -> None:
    page = tab.page
    page.goto(f"{base}/")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.click("#theme")
    page.click("#theme")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert dark != light
    page.goto(f"{base}/knowledge")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark


def many_ranks(count: int) -> bytes:
    """The logs of a large job, one rank of which raised."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=1) as archive:
        for rank in range(count):
            lines = [f"2026-11-30 08:02:{step:02d},357 - mindformers./output/log[mindformers/"
                     f"pynative/callback/loss_callback.py:337] - INFO - {{ step:[    {step}/"
                     f"  100], loss: {9 / step:.4f}, per_step_time: 400ms, lr: 1.0e-05, "
                     f"grad_norm: 1.0, throughput: 2.5T }}\n" for step in range(1, 6)]
            if rank == 7:
                lines.append("Traceback (most recent call last):\n  File \"/home/u/train.py\", "
                             "line 1, in <module>\n    f()\nValueError: only here\n")
            text = "".join(lines).encode()
            member = tarfile.TarInfo(f"msrun_log/worker_{rank}.log")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text))
    return packed.getvalue()


def test_a_map_of_many_ranks(tab: Tab, base: str, tmp_path: Path) -> None:
    packed = tmp_path / "logs.tar.gz"
    packed.write_bytes(many_ranks(1000))
    page = tab.page
    page.goto(f"{base}/")
    page.uncheck("input[name=keep]")
    page.set_input_files("#files", packed)
    page.click("#submit")
    page.wait_for_selector(".sheet", timeout=60_000)
    assert page.locator(".sheet .frame").count() == 1
    assert violations(page) == []
