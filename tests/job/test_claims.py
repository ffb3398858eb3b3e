"""A log that was rotated is one log; two logs of one rank are two."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from assistant.pipeline import check

WELL = Path(__file__).parent.parent / "cases" / "lab" / "ok-dp4" / "msrun_log"



@pytest.mark.parametrize("ending", [".1", ".1.gz"])
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
