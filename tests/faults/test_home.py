"""Nowhere to keep anything: said once, and the answer is the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
CASE = ROOT / "tests" / "cases" / "lab" / "exc-rank2"
#: Compiling all patterns takes seconds; what the cache is for is tested with --engine auto.
COMMAND = (sys.executable, "-m", "assistant", "check", str(CASE), "--format", "json")


def check(environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items()
            if name not in ("HOME", "XDG_CACHE_HOME", "KBTRIAGE_CACHE_DIR")}
    return subprocess.run(COMMAND, capture_output=True, text=True, check=False, timeout=300,
                          env={**kept, "PYTHONPATH": str(ROOT), **environment})


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> str:
    done = check({"KBTRIAGE_CACHE_DIR": str(tmp_path_factory.mktemp("cache"))})
    assert (done.returncode, done.stderr) == (1, "")
    return done.stdout


@pytest.mark.parametrize(("environment", "why"), [
    ({}, "there is no HOME"), ({"HOME": "/proc"}, "in /proc/.cache/kbtriage"),
    ({"HOME": "/dev/null"}, "in /dev/null/.cache/kbtriage"),
    ({"KBTRIAGE_CACHE_DIR": "/dev/full"}, "in /dev/full")])
def test_it_is_said_in_one_line(environment: dict[str, str], why: str, usual: str) -> None:
    done = check({**environment, "LC_ALL": "C"})
    assert (done.returncode, done.stdout.encode()) == (1, usual.encode())
    line, = done.stderr.splitlines()
    assert "compiled patterns cannot be kept" in line and why in line


def test_who_wants_no_cache_is_told_nothing(usual: str) -> None:
    done = check({"KBTRIAGE_CACHE_DIR": ""})
    assert (done.returncode, done.stdout, done.stderr) == (1, usual, "")
