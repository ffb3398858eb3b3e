from __future__ import annotations

import functools
import gzip
import http.server
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.errors import UsageError
from assistant.evidence.types import Skipped
from assistant.pipeline import check
from assistant.sources import LogSource, find
from assistant.sources.remote_errors import reason

fsspec = pytest.importorskip("fsspec")
LAB = Path(__file__).parent.parent / "cases" / "lab"
LOGS = LAB / "exc-rank2" / "msrun_log"


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Tests need no log."""


@pytest.fixture
def web(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A web server on this machine: its address, and the folder that it serves."""
    handler = functools.partial(_Quiet, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", tmp_path
        server.shutdown()
        thread.join()


def copy(target: Path) -> Path:
    target.mkdir(parents=True)
    for path in LOGS.glob("*.log"):
        (target / path.name).write_bytes(path.read_bytes())
    return target


def told(*paths: str) -> tuple[object, ...]:
    report = check(paths, jobs=1)
    return (report.verdict, report.ranks, report.job, report.inputs.files, report.inputs.bytes,
            [(f.rule, f.role, f.ranks, f.evidence) for f in report.findings])


def test_a_web_server(web: tuple[str, Path]) -> None:
    address, folder = web
    logs = copy(folder / "job" / "msrun_log")
    direct = told(str(logs))
    assert told(f"{address}/job/msrun_log/") == direct
    (logs / "worker_1.log.gz").write_bytes(gzip.compress((logs / "worker_1.log").read_bytes()))
    (logs / "worker_1.log").unlink()
    assert told(f"{address}/job/msrun_log/")[0] == "failed"
    assert check([f"{address}/job/msrun_log/worker_2.log"], jobs=1).findings[0].ranks == (2,)


def test_memory_and_files_and_folders_together(tmp_path: Path) -> None:
    fs = fsspec.filesystem("memory")
    one, two = (LAB / "two-exc-rank3" / name for name in ("node-a", "node-b"))
    for path in one.rglob("*.log"):
        fs.pipe(f"/x/node-a/{path.relative_to(one)}", path.read_bytes())
    fs.pipe("/x/node-a/model.ckpt", b"\0" * 100)
    fs.pipe("/x/node-a/logs.tar.gz", b"\0" * 100)
    direct = told(str(one), str(two))
    assert told("memory://x/node-a", str(two))[:2] == direct[:2]
    assert told(f"file://{one}", f"file://{two}")[:2] == direct[:2]
    found = list(find(["memory://x/node-a"]))
    assert [item.file for item in found if isinstance(item, Skipped)] == ["logs.tar.gz"]
    assert all(item.url for item in found if isinstance(item, LogSource))


def test_what_cannot_be_reached(web: tuple[str, Path]) -> None:
    address, _ = web
    with pytest.raises(UsageError, match="cannot be reached"):
        list(find([f"{address}/nothing/here.log"]))
    with pytest.raises(UsageError, match="no-such-scheme://x"):
        list(find(["no-such-scheme://x/y"]))
    with pytest.raises(UsageError, match="cannot be reached"):
        list(find(["memory://never/written"]))
    with pytest.raises(UsageError) as error:
        list(find(["http://user:secret@127.0.0.1:1/x.log?token=abc"]))
    assert "secret" not in str(error.value) and "abc" not in str(error.value)


def test_a_connection_that_breaks_gives_what_came_before(monkeypatch: pytest.MonkeyPatch) -> None:
    fs = fsspec.filesystem("memory")
    content = (LOGS / "worker_2.log").read_bytes()
    fs.pipe("/b/worker_2.log", content)
    [source] = find(["memory://b"])
    assert isinstance(source, LogSource)
    plain = type(fs.open("/b/worker_2.log"))
    half = len(content) // 2

    def breaks(self: object, size: int = -1) -> bytes:
        data = bytes(plain.__mro__[1].read(self, size))  # type: ignore[attr-defined]
        if self.tell() > half:  # type: ignore[attr-defined]
            raise ConnectionResetError("the other side is gone")
        return data

    monkeypatch.setattr(plain, "read", breaks, raising=False)
    report = check(["memory://b"], jobs=1)
    assert any("the other side is gone" in line for line in report.inputs.remarks) or (
        any("the other side is gone" in row.why for row in report.inputs.skipped))
    assert report.verdict != "healthy"


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.fs", None)
    with pytest.raises(UsageError, match=r"hdfs://nn:8020/logs: .*\(pip install pyarrow\)"):
        list(find(["hdfs://nn:8020/logs"]))


def test_a_package_whose_library_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """pyarrow is there, Hadoop is not."""
    def fails(url: str) -> None:
        raise OSError("Unable to load libjvm")

    monkeypatch.setattr(fsspec.core, "url_to_fs", fails)
    with pytest.raises(UsageError, match=r"hdfs://nn/x cannot be used: .*JAVA_HOME.*webhdfs://"):
        list(find(["hdfs://nn/x"]))


@pytest.mark.parametrize(("error", "url", "cure"), [
    (PermissionError("Forbidden"), "s3://b/x", "AWS_ACCESS_KEY_ID"),
    (OSError("403, message='Forbidden'"), "http://h/x", "see that you may read it"),
    (FileNotFoundError("b/x"), "s3://b/x", "there is nothing of this name"),
    (OSError("http://u:secret@h/x?sig=1 is down"), "http://h/x", "http://h/x is down")])
def test_the_reason_names_the_cure(error: Exception, url: str, cure: str) -> None:
    told = reason(error, url)
    assert cure in told and "secret" not in told and "sig" not in told
