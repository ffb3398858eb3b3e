"""An object store on this machine that speaks S3."""

from __future__ import annotations

import gzip
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.cli.main import main
from assistant.pipeline import check

pytest.importorskip("moto")
s3fs = pytest.importorskip("s3fs")
pytestmark = pytest.mark.filterwarnings("ignore")
LOGS = Path(__file__).parent.parent / "cases" / "lab" / "exc-rank2" / "msrun_log"
WELL = LOGS.parent.parent / "ok-dp4" / "msrun_log"


class Store:
    """The store. Attributes: url: of its server. fs: what writes into it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.fs = s3fs.S3FileSystem(key="any", secret="any", endpoint_url=url,
                                    skip_instance_cache=True)

    def put(self, bucket: str, name: str, content: bytes) -> None:
        if not self.fs.exists(bucket):
            self.fs.mkdir(bucket)
        self.fs.pipe(f"{bucket}/{name}", content)

    def trust(self, requests: int) -> None:
        """Look at keys after so many requests."""
        urllib.request.urlopen(urllib.request.Request(
            f"{self.url}/moto-api/reset-auth", str(requests).encode(),
            {"Content-Type": "text/plain"})).close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-c", "from moto.server import main; main()", "-p", str(port)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{url}/moto-api/").close()
                break
            except OSError:
                time.sleep(0.1)
        yield url
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def store(server: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    for name, value in {"AWS_ENDPOINT_URL": server, "AWS_ACCESS_KEY_ID": "any",
                        "AWS_SECRET_ACCESS_KEY": "any", "AWS_DEFAULT_REGION": "us-east-1",
                        "AWS_EC2_METADATA_DISABLED": "true"}.items():
        monkeypatch.setenv(name, value)
    s3fs.S3FileSystem.clear_instance_cache()
    made = Store(server)
    yield made
    made.trust(1 << 30)
    s3fs.S3FileSystem.clear_instance_cache()


def told(path: str) -> tuple[Any, ...]:
    report = check([path], jobs=2)
    return (report.verdict, report.ranks, report.job, report.inputs.files, report.inputs.bytes,
            [(f.rule, f.role, f.ranks, f.evidence) for f in report.findings])


def test_a_bucket_says_what_a_folder_says(store: Store, tmp_path: Path) -> None:
    """One log is packed, one is empty, and one is larger than what is asked for at a time."""
    line = b"2026-11-30 08:04:40,331 - mindformers[a.py:1] - INFO - nothing of note\n"
    for path in LOGS.glob("*.log"):
        content = path.read_bytes()
        if path.name == "worker_0.log":
            content = line * 200_000 + content
        name = path.name
        if name == "worker_1.log":
            name, content = f"{name}.gz", gzip.compress(content)
        (tmp_path / name).write_bytes(content)
        store.put("job", f"run-7/msrun_log/{name}", content)
    (tmp_path / "empty.log").write_bytes(b"")
    store.put("job", "run-7/msrun_log/empty.log", b"")
    assert told("s3://job/run-7/msrun_log") == told(str(tmp_path))
    assert told("s3://job/run-7/msrun_log/worker_2.log")[:1] == ("failed",)


def test_many_objects(store: Store, tmp_path: Path) -> None:
    content = (WELL / "worker_0.log").read_bytes()
    for rank in range(300):
        store.put("many", f"logs/worker_{rank}.log", content)
        (tmp_path / f"worker_{rank}.log").write_bytes(content)
    assert told("s3://many/logs") == told(str(tmp_path))


def said(path: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["check", path]) == 2
    return capsys.readouterr().err


def test_what_is_not_there(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    store.put("there", "a.log", b"x")
    for path in ("s3://no-such-bucket/x", "s3://there/nothing", "s3://there/b.log"):
        error = said(path, capsys)
        assert f"{path} cannot be reached: " in error and "see that the address is right" in error


def test_keys(store: Store, capsys: pytest.CaptureFixture[str],
              monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the cure, and no key."""
    store.put("locked", "worker_2.log", (LOGS / "worker_2.log").read_bytes())
    store.trust(0)
    wrong = said("s3://locked/", capsys)
    assert "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY" in wrong
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", "/nonexistent")
    s3fs.S3FileSystem.clear_instance_cache()
    assert "FSSPEC_S3_ANON=true for a public bucket" in said("s3://locked/", capsys)


def test_a_public_bucket_needs_no_keys(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.put("open", "worker_2.log", (LOGS / "worker_2.log").read_bytes())
    store.fs.chmod("open/worker_2.log", "public-read")
    store.fs.chmod("open", "public-read")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    import fsspec.config

    monkeypatch.setitem(fsspec.config.conf, "s3", {"anon": True})
    assert told("s3://open/")[0] == "failed"
