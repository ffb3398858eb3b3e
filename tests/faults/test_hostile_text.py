"""Logs, names and words that hold what acts on a terminal: no command prints it as it is."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
#: A title for the window, a cleared screen, a direction, nothing to see, C1 and a return.
EVIL = "\x1b]0;x\x07\x1b[2J\u202e\u200b\x9b31m\r"
ACTS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202e]")


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("jobs") / "msrun_log"
    folder.mkdir()
    (folder / "worker_0.log").write_text(
        f"2026-11-30 08:29:13,357 - m[core/a.py:3] - INFO - {EVIL} start\n"
        f"Traceback (most recent call last):\n  File \"/home/x{EVIL}/t.py\", line 9, in f{EVIL}\n"
        f"    g()\nRuntimeError: {EVIL} bad {EVIL}\nEI0006: {EVIL}\n"
        "[ERROR] HCCL(5513,python):2026-11-30-08:29:44.450.287 [a.cc:5] "
        f"{EVIL} nobody knows {EVIL}\n")
    (folder / f"worker_1{EVIL.replace('/', '')}.log").write_text(
        f"msrun --worker_num 2 --master_addr a{EVIL} x\n{EVIL}\n")
    (folder / "scheduler.log").write_text(
        "[WARNING] DISTRIBUTED(5866,7f,python):2026-11-30-08:29:04.528.551 [x.cc:254] P] The new "
        f"node: 0(role: MS_WORKER), rank id: 0, device id: 0, hostname: h{EVIL}, ip: 192.0.2.1"
        f"{EVIL} is registered successfully.\n")
    return folder


@pytest.mark.parametrize("words", [
    ["check", "LOGS", "--verbose", "--why"], ["check", "LOGS", "--format", "markdown"],
    ["check", "LOGS", "--format", "json"], ["report", "--issue", "--no-redact", "LOGS"],
    ["watch", "LOGS", "--timeout", "5s"], ["watch", "LOGS", "--timeout", "5s", "--json-lines"],
    ["rules", "explain", "hccl.code-ei0006", "LOGS"],
    ["rules", "explain", "hccl.code-ei0006", "LOGS", "--format", "json"],
    ["rules", "new", "--from-log", "LOGS/worker_0.log:7"],
    ["explain-code", f"x{EVIL}"], ["explain-code", f"x{EVIL}", "--format", "json"],
    ["kb", "search", f"{EVIL} timeout", "--format", "json"], ["kb", "show", f"x{EVIL}"],
    ["check", f"LOGS{EVIL}"], ["check", "--pack", f"x{EVIL}", "LOGS"],
], ids=lambda words: " ".join(words[:2] + words[3:])[:30].replace("\x1b", "").split("]0")[0])
def test_nothing_acts_on_the_terminal(words: list[str], logs: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "assistant", *(word.replace("LOGS", str(logs)) for word in words)],
        capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=tmp_path, check=False,
        errors="surrogateescape",
        env={**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"})
    assert done.returncode in (0, 1, 2, 3), done.stderr
    assert done.stdout + done.stderr
    assert ACTS.search(done.stdout + done.stderr) is None
