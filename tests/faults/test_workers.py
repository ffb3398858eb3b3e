"""A process of the scan that is killed from outside: its work is done again, nothing hangs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assistant.rules.ruleset import RuleSet
from assistant.rules.types import Landmark
from assistant.scan import scan_all
from assistant.sources import find

ROOT = Path(__file__).resolve().parent.parent.parent
RULES = RuleSet((), (Landmark("rank", (r"rank id: (?P<rank>\d+)",)),))
needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs Linux")


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    for rank in range(12):
        (folder / f"worker_{rank}.log").write_bytes(f"rank id: {rank}\n".encode() * 12_000)
    return folder


def children(pid: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += map(int, (task / "children").read_text().split())
    return found


CODE = r"""
import sys
from assistant.cli import signals
signals.end_at_once()
from assistant.rules.ruleset import RuleSet
from assistant.rules.types import Landmark
from assistant.scan import scan_all
from assistant.sources import find
rules = RuleSet((), (Landmark("rank", (r"rank id: (?P<rank>\d+)",)),))
found = scan_all(find([sys.argv[1]]), rules, jobs=2, parallel_bytes=0)
print([(file.name, file.lines) for file in found.files], found.skipped)
"""


def start(logs: Path) -> tuple[subprocess.Popen[str], list[int]]:
    """A scan, and its processes while they are at work; on a busy machine one may be over
    before it is looked at, and is begun anew."""
    for _ in range(10):
        process, found = _start(logs)
        if found:
            return process, found
        process.communicate()
    raise AssertionError("no process was seen")


def _start(logs: Path) -> tuple[subprocess.Popen[str], list[int]]:
    process = subprocess.Popen([sys.executable, "-c", CODE, str(logs)], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env={**os.environ, "PYTHONPATH": str(ROOT)})
    deadline = time.monotonic() + 60
    while len(children(process.pid)) < 2 and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.002)
    time.sleep(0.1)  # they are ready, and read
    return process, children(process.pid) if process.poll() is None else []


@needs_proc
def test_one_that_is_killed_is_made_up_for(logs: Path) -> None:
    expected = scan_all(find([str(logs)]), RULES, jobs=1)
    process, found = start(logs)
    os.kill(found[0], signal.SIGKILL)
    out, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (0, "")
    assert out == f"{[(file.name, file.lines) for file in expected.files]} ()\n"


def gone(pids: list[int]) -> bool:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if not any(Path(f"/proc/{pid}").exists() and "zombie" not in
                   Path(f"/proc/{pid}/status").read_text() for pid in pids):
            return True
        time.sleep(0.02)
    return False


@needs_proc
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_none_outlives_its_parent(logs: Path, number: signal.Signals) -> None:
    process, found = start(logs)
    process.send_signal(number)
    assert process.wait(timeout=20) in (128 + number, -number)
    assert gone(found)
    out = process.communicate(timeout=20)
    assert "Traceback" not in out[1]
