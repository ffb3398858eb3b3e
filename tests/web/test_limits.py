"""What is too much, and how the application says so."""

from __future__ import annotations

import gzip
import io
import tarfile
import threading
import time
import zipfile

import pytest
from flask.testing import FlaskClient

from tests.web.support import Make
from web.admission import Gate, Rate
from web.intake import Budget, Upload, sources
from web.problems import ProblemError
from web.settings import Settings

LINE = b"[ERROR] 2026-11-30 08:29:13 something is wrong\n"


def check(client: FlaskClient, **form: object) -> tuple[int, dict[str, object]]:
    response = client.post("/api/v1/check", data=form, content_type="multipart/form-data")
    assert response.content_type == "application/problem+json", response.text
    assert response.json
    assert response.json["status"] == response.status_code
    return response.status_code, response.json


def file(content: bytes, name: str = "worker_0.log") -> tuple[io.BytesIO, str]:
    return io.BytesIO(content), name


def test_bytes(make: Make) -> None:
    client = make(max_bytes=10_000).test_client()
    status, problem = check(client, files=file(LINE * 1000))
    assert status == 413
    assert problem["limit"] == 10_000
    assert "10,000 bytes" in str(problem["detail"])


def test_text(make: Make) -> None:
    client = make(max_text=1 << 10).test_client()
    status, problem = check(client, text=(LINE * 100).decode())
    assert (status, problem["limit"]) == (413, 1 << 10)
    response = client.post("/api/v1/check", data=LINE * 100, content_type="text/plain")
    assert response.status_code == 413


def test_number_of_files(make: Make) -> None:
    client = make(max_files=3).test_client()
    status, problem = check(client, files=[file(LINE, f"worker_{n}.log") for n in range(4)])
    assert (status, problem["limit"]) == (413, 3)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for n in range(4):
            archive.writestr(f"worker_{n}.log", LINE)
    status, problem = check(client, files=file(packed.getvalue(), "logs.zip"))
    assert (status, problem["limit"]) == (413, 3)
    status, problem = check(client, files=[file(LINE, f"worker_{n}.log") for n in range(400)])
    assert status == 413


def bomb(kind: str, size: int) -> tuple[io.BytesIO, str]:
    """A small archive of a log (or of what is no log) that unpacks to `size` bytes."""
    content = io.BytesIO()
    if kind == "gz":
        return file(gzip.compress(b"x" * size), "worker_0.log.gz")
    if kind == "zip":
        with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as container:
            container.writestr("worker_0.log", b"x" * size)
        return file(content.getvalue(), "logs.zip")
    with tarfile.open(fileobj=content, mode="w:gz") as archive:
        member = tarfile.TarInfo("model.bin")  # no log: it is only passed over
        member.size = size
        archive.addfile(member, io.BytesIO(bytes(size)))
        last = tarfile.TarInfo("worker_0.log")
        last.size = len(LINE)
        archive.addfile(last, io.BytesIO(LINE))
    return file(content.getvalue(), "logs.tar.gz")


@pytest.mark.parametrize("kind", ["gz", "zip", "tar"])
def test_expansion(make: Make, kind: str) -> None:
    client = make(max_expanded=8 << 20).test_client()
    status, problem = check(client, files=bomb(kind, 9 << 20))
    assert (status, problem["limit"]) == (413, 8 << 20)
    assert "8 MiB" in str(problem["detail"])


@pytest.mark.parametrize("kind", ["gz", "zip", "tar"])
def test_expansion_ratio(make: Make, kind: str) -> None:
    client = make(max_ratio=50).test_client()
    status, problem = check(client, files=bomb(kind, 70 << 20))
    assert (status, problem["limit"]) == (422, 50)


def test_an_archive_in_an_archive_is_named_and_not_opened(client: FlaskClient) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("worker_0.log", LINE)
    outer = io.BytesIO()
    with zipfile.ZipFile(outer, "w") as archive:
        archive.writestr("inner.zip", inner.getvalue())
    status, problem = check(client, files=file(outer.getvalue(), "logs.zip"))
    assert status == 422
    assert "unpack the outer one first" in str(problem["detail"])


def test_time() -> None:
    now = [0.0]
    budget = Budget(Settings(max_seconds=5), 100, clock=lambda: now[0])
    upload = Upload("worker_0.log", len(LINE), lambda: io.BytesIO(LINE))
    assert len(list(sources([upload], budget))) == 1
    now[0] = 6.0
    assert list(sources([upload], budget)) == []
    with pytest.raises(ProblemError) as raised:
        budget.verify()
    assert (raised.value.status, raised.value.values["limit"]) == (503, 5)


def test_too_many_at_once() -> None:
    gate = Gate(slots=1, waiting=1, patience=30)
    inside, leave = threading.Event(), threading.Event()
    order: list[str] = []

    def stay() -> None:
        with gate.enter():
            inside.set()
            leave.wait(10)
            order.append("first")

    def follow() -> None:
        with gate.enter():
            order.append("second")

    first = threading.Thread(target=stay)
    first.start()
    assert inside.wait(10)
    second = threading.Thread(target=follow)
    second.start()
    while gate._places._value:  # until the second one waits
        pass
    with pytest.raises(ProblemError) as raised, gate.enter():
        pass
    assert raised.value.status == 503
    assert raised.value.retry_after
    leave.set()
    first.join(10)
    second.join(10)
    assert order == ["first", "second"]


def test_no_turn_in_time() -> None:
    gate = Gate(slots=1, waiting=5, patience=0.01)
    with gate.enter(), pytest.raises(ProblemError) as raised, gate.enter():
        pass
    assert raised.value.kind == "too-busy"
    with gate.enter():  # nothing was left taken
        pass


def test_a_rush_makes_newcomers_wait_only_briefly() -> None:
    now = [0.0]
    gate = Gate(slots=1, waiting=5, patience=30, clock=lambda: now[0])
    leave = threading.Event()

    def stay() -> None:
        with gate.enter():
            leave.wait(10)

    others = [threading.Thread(target=stay) for _ in range(2)]
    for other in others:
        other.start()
    while not gate._queue:  # until one of them waits
        pass
    now[0] = 1.5  # it has been waiting for longer than a burst lasts
    begin = time.monotonic()
    with pytest.raises(ProblemError), gate.enter():
        pass
    assert time.monotonic() - begin < 5
    leave.set()
    for other in others:
        other.join(10)
    assert gate._patience_now() == gate.BRIEF  # somebody was just turned away
    now[0] = 10.0
    assert gate._patience_now() == 30


def test_rate() -> None:
    now = [100.0]
    rate = Rate(2, clock=lambda: now[0])
    rate.admit("192.0.2.1")
    rate.admit("192.0.2.1")
    rate.admit("192.0.2.2")
    with pytest.raises(ProblemError) as raised:
        rate.admit("192.0.2.1")
    assert (raised.value.status, raised.value.retry_after) == (429, 31)
    now[0] += 31
    rate.admit("192.0.2.1")


def test_rate_of_the_application(make: Make) -> None:
    client = make(rate=1).test_client()
    assert client.post("/api/v1/check", data=LINE, content_type="text/plain").status_code == 200
    refused = client.post("/api/v1/check", data=LINE, content_type="text/plain")
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) >= 1


def test_nothing_stays_open_or_on_disk(client: FlaskClient, tmp_path: object,
                                       monkeypatch: pytest.MonkeyPatch) -> None:
    import os
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = len(os.listdir("/proc/self/fd"))
    response = client.post("/api/v1/check", data={"files": file(LINE * 100_000)},
                           content_type="multipart/form-data")
    assert response.status_code == 200
    response.close()
    assert os.listdir(str(tmp_path)) == []
    import gc

    gc.collect()
    assert len(os.listdir("/proc/self/fd")) <= before + 1
