from __future__ import annotations

import pytest

from assistant.job import names


@pytest.mark.parametrize(("name", "folder"), [
    ("worker_0.log", ""),
    ("msrun_log/worker_0.log", ""),
    ("output/msrun_log/worker_0.log", ""),
    ("node-a/msrun_log/worker_0.log", "node-a"),
    ("node-a/console.log", "node-a"),
    ("node-a/ascend/log/debug/plog/plog-1_2.log", "node-a"),
    ("node-a/debug/device-3/device-1_2.log", "node-a"),
    ("node-a/output/log/rank_3/info.log", "node-a"),
    ("jobs/7/node-b/run/plog/plog-1_2.log", "jobs/7/node-b"),
    ("a.tar.gz!/case/msrun_log/worker_0.log", "a.tar.gz!/case"),
    ("logs-of-b/worker_0.log", "logs-of-b"),
])
def test_folder(name: str, folder: str) -> None:
    assert names.folder_of(name) == folder


@pytest.mark.parametrize(("name", "number"), [
    ("msrun_log/worker_0.log", 0),
    ("worker_12.log.gz", 12),
    ("worker-7.txt", 7),
    ("worker_10.0.0.2_hostA_3.log", 3),
    ("10.0.0.1hostA_11.log", 11),
    ("worker_3.log.1", 3),
    ("worker_1234.log", 1234),
    ("10.0.0.1hostA_1234.log", 1234),
    ("slurm-37361.out", None),
    ("slurm-101.out", None),
    ("job_7.log", None),
    ("train_0914.log", None),
    ("log/rank_5/info.log", 5),
    ("worker_10.0.0.2.log", None),
    ("plog-5513_20251003231450863.log", None),
    ("scheduler.log", None),
])
def test_number(name: str, number: int | None) -> None:
    assert names.number_in(name) == number


def test_process_of_a_cann_log() -> None:
    assert names.cann_pid("debug/plog/plog-5513_20251003231450863.log") == 5513
    assert names.cann_pid("debug/device-0/device-77_20251003231450863.log") == 77
    assert names.cann_pid("worker_5513.log") is None


def test_host_in_the_name() -> None:
    assert names.host_in("worker_10.0.0.2_hostA_3.log") == ("hostA", "10.0.0.2")
    assert names.host_in("10.0.0.2host-a_3.log") == ("host-a", "10.0.0.2")
    assert names.host_in("worker_3.log") == (None, None)


def test_base_and_stem() -> None:
    assert names.base_of("a/worker_3.log.xz") == "worker_3.log"
    assert names.stem_of("a/worker_3.log.xz") == "worker_3"
    assert names.rank_folder("a/rank_3/error.log") == 3
    assert names.rank_folder("rank_3/deeper/error.log") is None
