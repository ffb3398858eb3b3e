"""Kept reports: links, expiry, recurrence, deletion."""

from __future__ import annotations

import os
import re
import resource
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from assistant.errors import UsageError
from tests.web.support import LAB, Make, files_of
from web.settings import Settings
from web.store import Store

CASE = LAB / "exc-rank2" / "msrun_log"
DAY = 24 * 3600


def given(keep: str = "yes", folder: Path = CASE) -> dict[str, object]:
    return {"data": {"folder": files_of(folder, "msrun_log/"), "keep": keep},
            "content_type": "multipart/form-data"}


def test_a_kept_report(make: Make, tmp_path: Path) -> None:
    client = make(store=str(tmp_path / "reports.db")).test_client()
    moved = client.post("/check", **given())  # type: ignore[arg-type]
    assert moved.status_code == 303
    link = moved.headers["Location"]
    assert re.fullmatch(r"/reports/[\w-]{24}", link)
    assert "Data loader returned an empty batch" in client.get(link).text
    assert "处理步骤" in client.get(f"{link}?lang=zh").text
    for form in ("json", "markdown", "html"):
        assert client.get(f"{link}?as={form}").status_code == 200
    assert link in client.get("/reports?lang=en").text
    assert client.get(f"{link}/logs").status_code == 404
    assert client.post(f"{link}/delete").status_code == 303
    assert client.get(link).status_code == 404
    assert client.post(f"{link}/delete").status_code == 404


def test_nothing_is_kept_unless_asked(make: Make, tmp_path: Path) -> None:
    client = make(store=str(tmp_path / "reports.db")).test_client()
    assert client.post("/check", **given("")).status_code == 200  # type: ignore[arg-type]
    assert "No report is kept yet" in client.get("/reports").text
    answer = client.post("/api/v1/check", data=b"[ERROR] 2026-11-30 08:29:13 x\n",
                         content_type="text/plain")
    assert "Link" not in answer.headers
    answer = client.post("/api/v1/check?keep=yes", data=b"[ERROR] 2026-11-30 08:29:13 x\n",
                         content_type="text/plain")
    link = re.match(r"<([^>]+)>", answer.headers["Link"])
    assert link
    assert client.get(link[1]).status_code == 200


def test_without_a_store_there_is_no_such_page(make: Make) -> None:
    client = make().test_client()
    assert client.get("/reports").status_code == 404
    assert client.get("/reports/x").status_code == 404


def test_the_list_can_be_hidden(make: Make, tmp_path: Path) -> None:
    client = make(store=str(tmp_path / "r.db"), list_reports=False).test_client()
    link = client.post("/check", **given()).headers["Location"]  # type: ignore[arg-type]
    assert client.get("/reports").status_code == 404
    assert client.get(link).status_code == 200


def test_logs_are_kept_only_if_the_operator_says_so(make: Make, tmp_path: Path) -> None:
    kept = tmp_path / "with.db"
    client = make(store=str(kept), store_inputs=True).test_client()
    link = client.post("/check", **given()).headers["Location"]  # type: ignore[arg-type]
    assert client.get(f"{link}/logs").data.startswith(b"PK")
    without = tmp_path / "without.db"
    client = make(store=str(without)).test_client()
    client.post("/check", **given())  # type: ignore[arg-type]
    for path in tmp_path.glob("without.db*"):
        assert b"consumed_samples" not in path.read_bytes()


def test_the_same_failure_seen_before(make: Make, tmp_path: Path) -> None:
    client = make(store=str(tmp_path / "reports.db")).test_client()
    first = client.get(client.post("/check", **given()).headers["Location"])  # type: ignore[arg-type]
    again = client.get(client.post("/check", **given()).headers["Location"])  # type: ignore[arg-type]
    for page in (first, again):
        assert "time in 30 days" not in page.text  # the same job, checked twice
    later = tmp_path / "msrun_log"
    later.mkdir()
    for path in CASE.iterdir():
        (later / path.name).write_bytes(path.read_bytes().replace(b"2026-11-30", b"2026-12-01"))
    page = client.get(
        client.post("/check", **given(folder=later)).headers["Location"]).text  # type: ignore[arg-type]
    assert "2nd time in 30 days, 2 of them on node-0" in page


def test_expiry(tmp_path: Path, make: Make) -> None:
    now = [1000.0]
    store = Store(Settings(store=str(tmp_path / "r.db"), store_days=2), clock=lambda: now[0])
    app = make()
    from web.answer import examine
    from web.intake import Budget, Upload, sources

    uploads = [Upload(name, len(stream.getvalue()), lambda s=stream: type(s)(s.getvalue()))
               for stream, name in files_of(CASE)]
    answer = examine(app.extensions["kbtriage"].engine,
                     lambda: sources(uploads, Budget(Settings(), 1 << 20)), lambda: None)
    token = store.keep(answer, {"en": "x", "zh": "y"})
    now[0] += 2 * DAY - 1
    found = store.find(token)
    assert found
    assert found[1] == answer
    now[0] += 2
    assert store.find(token) is None
    assert store.recent() == []
    store.purge()
    assert store._one("select count(*) from report") == (0,)
    store.close()


def test_the_file_is_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "r.db"
    Store(Settings(store=str(path))).close()
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600


def test_a_file_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--store"):
        Store(Settings(store=str(tmp_path / "none" / "r.db")))
    (tmp_path / "text.db").write_text("this is no database, and long enough to be read as one")
    with pytest.raises(UsageError, match="--store"):
        Store(Settings(store=str(tmp_path / "text.db")))


def links(page: str) -> set[str]:
    return set(re.findall(r"/reports/[\w-]{24}", page))


@pytest.fixture
def full_disk() -> Iterator[Callable[[bool], None]]:
    """Lets no file of this process grow beyond what it has, as on a disk that is full."""
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)

    def fill(full: bool) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, usual[1]) if full else usual)

    yield fill
    fill(False)


def test_a_disk_that_is_full(make: Make, tmp_path: Path,
                             full_disk: Callable[[bool], None]) -> None:
    """A report is kept whole or not at all, and whoever asked is told; the rest works on."""
    client = make(store=str(tmp_path / "reports.db"), store_inputs=True).test_client()
    old = client.post("/check", **given()).headers["Location"]  # type: ignore[arg-type]
    text = b"[ERROR] 2026-11-30 08:29:13 x\n"
    full_disk(True)
    told = client.post("/api/v1/check?keep=yes", data=text, content_type="text/plain")
    listed = client.get("/reports?lang=en").text
    shown = client.get(f"{old}?lang=en")
    without = client.post("/api/v1/check", data=text, content_type="text/plain")
    full_disk(False)
    assert told.status_code == 507
    assert "Nothing was kept" in told.json["detail"]
    assert (len(links(listed)), shown.status_code, without.status_code) == (1, 200, 200)
    assert "Data loader returned an empty batch" in shown.text
    new = client.post("/check", **given()).headers["Location"]  # type: ignore[arg-type]
    assert links(client.get("/reports?lang=en").text) == {old, new}
    assert client.get(f"{new}/logs").data.startswith(b"PK")


def test_a_store_that_breaks_does_not_take_the_answer_with_it(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "reports.db"
    app = make(store=str(path))
    client = app.test_client()
    old = client.post("/check", **given()).headers["Location"]  # type: ignore[arg-type]
    app.extensions["kbtriage"].store.close()
    for file in tmp_path.glob("reports.db*"):
        file.write_bytes(b"\xff" * 8192)
    for link in (old, "/reports"):
        broken = client.get(f"{link}?lang=en")
        assert broken.status_code == 507
        assert "file is not a database" in broken.text
    assert client.post("/check", **given("")).status_code == 200  # type: ignore[arg-type]
