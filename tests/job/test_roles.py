from __future__ import annotations

import pytest

from assistant.evidence.types import FileEvidence, Line
from assistant.job.roles import is_logger_copy, role_of
from tests.job.support import Log


@pytest.mark.parametrize(("name", "role"), [
    ("msrun_log/scheduler.log", "scheduler"),
    ("msrun_log/worker_3.log", "worker"),
    ("worker_10.0.0.2_hostA_3.log.gz", "worker"),
    ("log/rank_3/info.log", "worker"),
    ("rank_3.log", "worker"),
    ("node-a/console.log", "console"),
    ("msrun.log", "console"),
    ("nohup.out", "console"),
    ("debug/plog/plog-5513_20251003231450863.log", "cann"),
    ("debug/device-0/device-77_20251003231450863.log", "cann"),
    ("pasted.txt", "other"),
    ("networking.log", "other"),
    ("schedule.txt", "other"),
])
def test_by_name(name: str, role: str) -> None:
    assert role_of(FileEvidence(name)) == role


@pytest.mark.parametrize(("mark", "role"), [
    ("console-exit", "console"), ("node-registered", "scheduler"), ("banner", "worker"),
    ("rank-stated", "worker"), ("training-start", "worker"),
])
def test_by_content(mark: str, role: str) -> None:
    assert role_of(Log("part.txt").mark(mark).done()) == role


def test_console_that_repeats_workers_is_a_console() -> None:
    log = Log("part.txt").mark("banner").mark("rank-stated", rank=1).mark("console-kill")
    assert role_of(log.done()) == "console"


def test_step_lines_make_a_worker() -> None:
    assert role_of(Log("part.txt").step(1).done()) == "worker"


def test_cann_records_have_two_fields_in_their_brackets() -> None:
    cann = "[ERROR] HCCL(42863,python3):2026-07-15-02:51:22.192.403 [a.cc:797] [16466]wait"
    mindspore = "[ERROR] DEVICE(42863,7f17,python):2026-07-15-02:51:22.192.403 [a.cc:7] F] x"
    assert role_of(FileEvidence("x", head=(Line(1, cann), Line(2, "more")))) == "cann"
    assert role_of(FileEvidence("x", head=(Line(1, mindspore),))) == "other"
    assert role_of(FileEvidence("x", head=(Line(1, cann), *[Line(n, "") for n in (2, 3)]))
                   ) == "other"


def test_logger_copies() -> None:
    assert is_logger_copy("log/rank_3/info.log")
    assert not is_logger_copy("log/rank_3/worker.log")
