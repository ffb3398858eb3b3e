"""A signal at any moment: the command ends at once, silently, and leaves nothing behind."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
CASE = ROOT / "tests" / "cases" / "lab" / "exc-rank2"
#: Where in its life a command is hit, in seconds; the first ones fall into its imports.
CHANCE = random.Random(7)
DELAYS = [*(0.03 + n / 40 for n in range(5)), *(CHANCE.uniform(0.1, 2.5) for _ in range(5))]
#: A frame of the program: what Python prints until it has found its first function is not ours.
OURS = re.compile(r'kbtriage|assistant/(?!__main__|__init__|cli/__init__|cli/entry)|in run\b')


def start(cache: Path, *arguments: str, **more: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "assistant", "check", *arguments], text=True, cwd=cache.parent,
        stdin=more.get("stdin", subprocess.DEVNULL), stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT), "KBTRIAGE_CACHE_DIR": str(cache)})


def is_ours(process: subprocess.Popen[str], number: int) -> bool:
    """Whether the program has begun, so that a signal comes to it and not to Python alone; True
    for SIGINT means less, which Python itself catches."""
    status = Path(f"/proc/{process.pid}/status")
    if not status.exists():
        return False
    caught = re.search(r"^SigCgt:\s*([0-9a-f]+)$", status.read_text(), re.MULTILINE)
    return caught is not None and bool(int(caught[1], 16) >> (number - 1) & 1)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_at_any_moment(number: signal.Signals, tmp_path: Path) -> None:
    cache, reached = tmp_path / "cache", 0
    for delay in DELAYS:
        process = start(cache, str(CASE), "-o", "report.json")
        time.sleep(delay)
        ours = number == signal.SIGTERM and is_ours(process, number)
        reached += ours
        process.send_signal(number)
        began = time.monotonic()
        out, errors = process.communicate(timeout=60)
        assert time.monotonic() - began < 10
        assert not OURS.search(errors), (delay, errors)
        assert out == ""
        # 1: the report was there before; -number: Python itself had not begun
        allowed = (128 + number, 1) if ours else (128 + number, 1, -number)
        assert process.returncode in allowed, (delay, errors)
    assert reached or number == signal.SIGINT or not Path("/proc/self/status").exists()
    left = [path.name for path in (*tmp_path.iterdir(), *tmp_path.rglob("cache/*"))
            if path.name.endswith(".tmp")]
    assert left == []


def test_no_interrupt_is_lost_while_standard_input_is_read(tmp_path: Path) -> None:
    process = start(tmp_path / "cache", "-", "--engine", "re2", stdin=subprocess.PIPE)
    assert process.stdin is not None
    try:
        os.set_blocking(process.stdin.fileno(), False)
        deadline = time.monotonic() + 60
        written = 0
        while written < 1 << 17:  # more than a pipe holds: it is reading
            assert time.monotonic() < deadline
            try:
                written += os.write(process.stdin.fileno(), b"a line of a log\n" * 256)
            except BlockingIOError:
                time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10) == 130
    finally:
        process.kill()
        os.set_blocking(process.stdin.fileno(), True)
        process.communicate()


def test_what_whoever_started_it_has_switched_off_stays_off(tmp_path: Path) -> None:
    code = ("import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
            "from assistant.cli import signals; signals.end_at_once()\n"
            "signal.raise_signal(signal.SIGINT); print('goes on')")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          check=False, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert (done.returncode, done.stdout, done.stderr) == (0, "goes on\n", "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_file_being_written_is_there_whole_or_not_at_all(number: signal.Signals,
                                                           tmp_path: Path) -> None:
    code = ("import sys, time\nfrom assistant import atomic\nfrom assistant.cli import signals\n"
            "signals.end_at_once()\n"
            "with atomic.written('file') as stream:\n"
            "    stream.write(b'half'); print('now', flush=True); time.sleep(1)\n"
            "    stream.write(b' whole')\n"
            "print('not reached')")
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True,
                               cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert process.stdout is not None and process.stdout.readline() == "now\n"
    process.send_signal(number)
    assert process.communicate(timeout=20)[0] == ""
    assert process.returncode == 128 + number
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "half whole"
