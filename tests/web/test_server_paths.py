"""Checking and browsing below roots, and nothing outside of them."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from assistant import pipeline
from assistant.render.as_json import json_text
from tests.web.support import LAB, Make

CASE = LAB / "exc-rank2" / "msrun_log"
SECRET = "ValueError: a secret of somebody else\n"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root with a job's logs and links that lead out of it, and a secret beside it."""
    base = tmp_path_factory.mktemp("server")
    root = base / "jobs"
    shutil.copytree(CASE, root / "run-7" / "msrun_log")
    shutil.copytree(CASE, root / "clean" / "msrun_log")
    secret = base / "secret"
    secret.mkdir()
    (secret / "worker_9.log").write_text(SECRET)
    (base / "jobs-of-others").mkdir()
    (base / "jobs-of-others" / "worker_8.log").write_text(SECRET)
    os.symlink(secret, root / "link")
    os.symlink(secret / "worker_9.log", root / "run-7" / "msrun_log" / "worker_9.log")
    os.symlink(secret, root / "run-7" / "msrun_log" / "more")
    os.mkfifo(root / "run-7" / "msrun_log" / "worker_5.log")
    return base


@pytest.fixture(scope="module")
def rooted(make: Make, tree: Path) -> FlaskClient:
    return make(root=(str(tree / "jobs"),)).test_client()


def check(client: FlaskClient, path: str) -> tuple[int, str]:
    answer = client.post("/check", data={"path": path}, content_type="multipart/form-data")
    return answer.status_code, answer.text


def test_a_folder_by_its_path(rooted: FlaskClient, tree: Path) -> None:
    folder = tree / "jobs" / "run-7" / "msrun_log"
    for path in (str(folder), "run-7/msrun_log", f"{folder}/../msrun_log/"):
        status, text = check(rooted, path)
        assert status == 200
        assert "Data loader returned an empty batch" in text
        assert "secret of somebody" not in text
    status, _ = check(rooted, str(folder / "worker_2.log"))
    assert status == 200


def test_what_is_not_read_is_named(rooted: FlaskClient) -> None:
    text = check(rooted, "run-7/msrun_log")[1]
    for name, why in (("worker_9.log", "it is a link"), ("more", "it is a link"),
                      ("worker_5.log", "named pipe")):
        assert re.search(rf"{name}[^\n]*\n?[^\n]*{why}", text), name


def test_a_file_by_its_path(rooted: FlaskClient, tree: Path) -> None:
    folder = tree / "jobs" / "run-7" / "msrun_log"
    status, _ = check(rooted, str(folder / "worker_2.log"))
    assert status == 200


def test_the_report_is_that_of_the_command_line(rooted: FlaskClient, tree: Path) -> None:
    """Also where steps name the folder."""
    folder = tree / "jobs" / "clean" / "msrun_log"
    text = check(rooted, str(folder))[1]
    sealed = re.search(r'name="sealed" value="([^"]+)"', text)
    assert sealed
    carried = rooted.post("/result", data={"sealed": sealed[1], "as": "json"}).json
    report = json.loads(json_text(pipeline.check([str(folder)], jobs=1)))
    assert carried
    assert carried["findings"] == report["findings"]
    assert carried["ranks"] == report["ranks"]


@pytest.mark.parametrize("path", [
    "{base}/secret", "{base}/secret/worker_9.log", "../secret", "../secret/worker_9.log",
    "{base}/jobs/../secret", "link", "{base}/jobs/link", "link/worker_9.log",
    "run-7/msrun_log/worker_9.log", "run-7/msrun_log/more", "{base}/jobs-of-others", "/etc",
    "/etc/passwd", "/", "..", "run-7/../../secret", "\0", "none", "~root", "/proc/self/root/etc",
    "run-7/msrun_log/worker_5.log"])
def test_nothing_outside(rooted: FlaskClient, tree: Path, path: str) -> None:
    status, text = check(rooted, path.replace("{base}", str(tree)))
    assert status == 404
    assert "secret of somebody" not in text
    answer = rooted.get("/browse", query_string={"root": 0, "path": path.replace(
        "{base}", str(tree))})
    assert answer.status_code == 404 or "worker_9.log" not in answer.text


def test_what_exists_outside_is_told_like_what_does_not(rooted: FlaskClient, tree: Path) -> None:
    there = check(rooted, f"{tree}/secret")[1].replace(f"{tree}/secret", "PATH")
    nowhere = check(rooted, f"{tree}/absent")[1].replace(f"{tree}/absent", "PATH")
    assert there == nowhere


def test_browsing(rooted: FlaskClient) -> None:
    top = rooted.get("/browse").text
    assert "run-7/" in top
    assert ">link" not in top
    inner = rooted.get("/browse?root=0&path=run-7/msrun_log").text
    assert "worker_2.log" in inner
    assert "worker_9.log" not in inner
    assert rooted.get("/browse?root=1").status_code == 404
    assert rooted.get("/browse?root=-1").status_code == 404
    assert rooted.get("/browse?root=x").status_code == 200  # as if none was named


def test_without_roots_there_is_no_browsing(client: FlaskClient) -> None:
    assert client.get("/browse").status_code == 404
    assert "On this server" not in client.get("/").text
