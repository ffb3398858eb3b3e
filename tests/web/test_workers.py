"""Checks in processes of their own."""

from __future__ import annotations

import io
import os
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from tests.web.support import LAB, Make, files_of
from web import workers
from web.intake import Upload
from web.intake.upload import lent
from web.problems import ProblemError
from web.settings import Settings
from web.workers import Processes

CASE = LAB / "exc-rank2" / "msrun_log"


def small() -> list[Upload]:
    return [Upload(name, len(text), partial(io.BytesIO, text), shared=True)
            for name, text in ((name, stream.getvalue()) for stream, name in files_of(CASE))]


def test_the_same_answer_as_in_this_process(make: Make) -> None:
    app = make()
    expected = workers.check(app.extensions["kbtriage"].engine, Settings(), small(), ())
    processes = Processes(Settings(max_checks=1))
    assert processes.run(small(), ()) == expected
    assert processes.run(small(), ()) == expected


def test_a_large_upload_is_handed_over_as_an_open_file(tmp_path: Path,
                                                       monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_INLINE", 100)
    text = (CASE / "worker_2.log").read_bytes()
    with tempfile.TemporaryFile() as file:
        file.write(text)
        upload = Upload("worker_2.log", len(text), partial(lent, file))
        portable = workers._portable(upload)
        assert f"/proc/{os.getpid()}/fd/" in str(portable.opener)
        answer = Processes(Settings(max_checks=1)).run([upload], ())
        assert answer.report("en").verdict == "failed"
        assert not file.closed


def test_problems_come_back() -> None:
    processes = Processes(Settings(max_checks=1, max_files=1))
    for _ in range(2):
        with pytest.raises(ProblemError) as raised:
            processes.run(small(), ())
        assert (raised.value.kind, raised.value.values["limit"]) == ("too-many-files", 1)


def sleep(seconds: float) -> io.BytesIO:
    time.sleep(seconds)
    return io.BytesIO(b"x\n")


def die() -> io.BytesIO:
    os.abort()


@pytest.mark.parametrize(("opener", "kind"), [(partial(sleep, 30), "too-long"), (die, "defect")])
def test_a_process_that_does_not_answer_is_replaced(monkeypatch: pytest.MonkeyPatch, opener: object,
                                                    kind: str) -> None:
    monkeypatch.setattr(workers, "_GRACE", 0.0)
    # the first check includes the start of a process
    processes = Processes(Settings(max_checks=1, max_seconds=20))
    processes.run(small(), ())
    if kind == "too-long":
        process = processes._free.get()
        assert process is not None
        process._limit = 1
        processes._free.put(process)
    upload: Sequence[Upload] = [Upload("worker_0.log", 2, opener, shared=True)]  # type: ignore[arg-type]
    with pytest.raises(ProblemError) as raised:
        processes.run(upload, ())
    assert raised.value.kind == kind
    assert processes.run(small(), ()).report("en").verdict == "failed"


def test_an_application_with_processes(make: Make) -> None:
    client = make(isolate=True, max_checks=1).test_client()
    answer = client.post("/api/v1/check", data={"folder": files_of(CASE, "msrun_log/")},
                         content_type="multipart/form-data")
    assert answer.json
    assert answer.json["verdict"] == "failed"
