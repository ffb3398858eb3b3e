"""The watch as a command, on files that a thread writes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from argparse import ArgumentTypeError
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.cli.main import main
from assistant.cli.watch_command import seconds

LAB = Path(__file__).parent.parent / "cases" / "lab"
FAILED, WELL = LAB / "exc-rank2" / "msrun_log", LAB / "ok-dp4" / "msrun_log"


@pytest.fixture(autouse=True)
def signals() -> Iterator[None]:
    """The handlers that a watch leaves behind are not those of the next test."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KBTRIAGE_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


def written(source: Path, target: Path) -> threading.Thread:
    """A thread that writes a job's logs within a second or two."""
    def write() -> None:
        for part in range(10):
            for path in sorted(source.glob("*.log")):
                content = path.read_bytes()
                with (target / path.name).open("ab") as file:
                    file.write(content[len(content) * part // 10:len(content) * (part + 1) // 10])
            time.sleep(0.1)

    thread = threading.Thread(target=write)
    thread.start()
    return thread


def test_a_job_that_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    thread = written(FAILED, tmp_path)
    status = main(["watch", str(tmp_path), "--interval", "0.2", "--until", "failed",
                   "--timeout", "60", "--lang", "en"])
    thread.join()
    out = capsys.readouterr().out
    assert status == 1
    assert "FOUND  [Cause] RuntimeError: Data loader returned an empty batch" in out
    assert "\nFAILED  RuntimeError: Data loader" in out  # the report at the end


def test_json_lines_and_the_command(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / "copy of the report.json"
    logs = tmp_path / "logs"
    shutil.copytree(FAILED, logs)
    code = ("import os, shutil, sys; assert os.stat(sys.argv[1]).st_mode & 0o77 == 0; "
            "assert os.environ['KBTRIAGE_REPORT'] == sys.argv[1]; "
            "print(os.environ['KBTRIAGE_VERDICT'], os.environ['KBTRIAGE_RULE']); "
            "shutil.copy(sys.argv[1], sys.argv[2])")
    status = main(["watch", str(logs), "--interval", "0.1", "--until", "failed", "--json-lines",
                   "--once-failed", sys.executable, "-c", code, "{report}", str(copy)])
    out, err = capfd.readouterr()
    told = [json.loads(line) for line in out.splitlines()]
    assert (status, told[-1]["event"], told[-1]["why"]) == (1, "ended", "until")
    assert json.loads(copy.read_text())["verdict"] == "failed"
    assert "failed user-code.python-exception" in err


def test_the_command_is_not_run_for_a_job_that_does_well(tmp_path: Path) -> None:
    assert main(["watch", str(WELL), "--interval", "0.1", "--timeout", "1", "--once-failed",
                 "touch", str(tmp_path / "it ran")]) == 0
    assert not (tmp_path / "it ran").exists()


def test_a_command_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", str(FAILED), "--interval", "0.1", "--until", "failed",
                 "--once-failed", "/no/such/command"]) == 1
    assert "--once-failed: the command cannot be run" in capsys.readouterr().err


def test_nothing_to_watch_until_the_time_is_up(tmp_path: Path,
                                               capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", str(tmp_path / "later"), "--interval", "0.1", "--timeout", "0.3"]) == 3
    assert "the time is up" in capsys.readouterr().out


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_prints_the_report(number: signal.Signals) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "assistant", "watch", str(WELL), "--lang", "en"],
        stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parent.parent.parent,
        env={**os.environ, "PYTHONUNBUFFERED": "1"})
    assert process.stdout is not None
    lines = [process.stdout.readline()]  # it has looked once
    process.send_signal(number)
    rest, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "interrupted" in "".join(lines) + rest and "HEALTHY" in rest


@pytest.mark.parametrize(("text", "value"), [("90", 90), ("0.5", 0.5), ("5m", 300), ("1d", 86400)])
def test_times(text: str, value: float) -> None:
    assert seconds(text) == value


@pytest.mark.parametrize("text", ["", "0", "-1", "x", "1w", "m", "nan", "inf"])
def test_no_times(text: str) -> None:
    with pytest.raises(ArgumentTypeError, match="is no time"):
        seconds(text)


def test_once_failed_needs_a_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", str(tmp_path), "--timeout", "1s", "--once-failed"]) == 2
    assert "--once-failed: give the command" in capsys.readouterr().err
