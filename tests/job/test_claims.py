"""A log that was rotated is one log; two logs of one rank are two."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from assistant.job.names import part_of
from assistant.pipeline import check

WELL = Path(__file__).parent.parent / "cases" / "lab" / "ok-dp4" / "msrun_log"



@pytest.mark.parametrize("ending", [".1", ".1.gz", "-20261130", ".2026-11-30_08.gz"])
def test_a_rotated_log_is_one_log(tmp_path: Path, ending: str) -> None:
    for path in WELL.glob("*.log"):
        lines = path.read_bytes().splitlines(keepends=True)
        older, newer = (b"".join(lines[:len(lines) // 2]), b"".join(lines[len(lines) // 2:]))
        (tmp_path / path.name).write_bytes(newer)
        (tmp_path / f"{path.name}{ending}").write_bytes(
            gzip.compress(older) if ending.endswith("gz") else older)
    report = check([str(tmp_path)], jobs=1)
    assert report.verdict == "healthy"
    assert not any("claims rank" in remark for remark in report.inputs.remarks)


def test_two_logs_at_one_time_are_two(tmp_path: Path) -> None:
    for path in WELL.glob("*.log"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    lines = (WELL / "worker_0.log").read_bytes().splitlines(keepends=True)
    (tmp_path / "worker_0.log.1").write_bytes(b"".join(lines[:len(lines) * 3 // 4]))
    (tmp_path / "worker_0.log").write_bytes(b"".join(lines[len(lines) // 4:]))
    report = check([str(tmp_path)], jobs=1)
    assert any("claims rank 0" in remark for remark in report.inputs.remarks)
    assert "logging.two-files-one-rank" in {finding.rule for finding in report.findings}


@pytest.mark.parametrize("silent", ["older", "newer", "both"])
def test_parts_without_times_are_told_by_their_names(tmp_path: Path, silent: str) -> None:
    for path in WELL.glob("*.log"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    whole = (WELL / "worker_0.log").read_bytes()
    said = b"This node 0 rank id: 0\nsomething without a time\n"
    (tmp_path / "worker_0.log").write_bytes(whole if silent == "older" else said)
    (tmp_path / "worker_0.log.1").write_bytes(whole if silent == "newer" else said)
    report = check([str(tmp_path)], jobs=1)
    assert not any("claims rank" in remark for remark in report.inputs.remarks)


@pytest.mark.parametrize(("name", "whole", "age"), [
    ("a/worker_0.log", "a/worker_0.log", 0), ("a/worker_0.log.2.gz", "a/worker_0.log", 2),
    ("worker_0.out.12", "worker_0.out", 12), ("worker_0", "worker_0", 0),
    ("worker.1.log", "worker.1.log", 0), ("x.log.old", "x.log.old", 0)])
def test_the_log_of_which_a_file_is_a_part(name: str, whole: str, age: int) -> None:
    assert part_of(name) == (whole, age)


def test_of_dates_the_later_one_is_the_later_part() -> None:
    names = ("x.log", "x.log-20261130", "x.log.2026-11-29", "x.log-20251231.gz")
    ages = [part_of(name)[1] for name in names]
    assert {part_of(name)[0] for name in names} == {"x.log"}
    assert ages[0] == 0 < ages[1] < ages[2] < ages[3]
