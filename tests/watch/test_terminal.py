"""The command on a terminal: what stands on the screen, and what is left behind."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.render.cells import width
from tests.watch.conftest import LAB

pyte = pytest.importorskip("pyte")
ROOT = Path(__file__).parent.parent.parent
STEPS = LAB / "ok-dp4" / "msrun_log"


class Terminal:
    """A terminal in which the command runs. Attributes: text: everything that was written."""

    def __init__(self, *arguments: str, columns: int = 80, rows: int = 24,
                 environment: dict[str, str] | None = None) -> None:
        self.text = b""
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._process, self._terminal = pty.fork()
        if not self._process:
            os.execve(sys.executable, [sys.executable, "-m", "assistant.cli.main", *arguments], {
                **os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "LANG": "C.UTF-8",
                **(environment or {})})
        self.resize(columns, rows)

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ,
                    struct.pack("HHHH", rows, columns, 0, 0))
        self._screen.resize(rows, columns)

    def lines(self) -> list[str]:
        return [line.rstrip() for line in self._screen.display]

    def until(self, *wanted: str, seconds: float = 60.0) -> list[str]:
        """The lines once all of this stands on the screen."""
        end = time.monotonic() + seconds
        while not all(any(part in line for line in self.lines()) for part in wanted):
            assert time.monotonic() < end, "\n".join(self.lines())
            if select.select([self._terminal], [], [], 0.2)[0]:
                self._read()
        return self.lines()

    def type(self, keys: bytes) -> None:
        os.write(self._terminal, keys)

    def end(self) -> int:
        """Its exit status."""
        while self._read():
            pass
        _, status = os.waitpid(self._process, 0)
        self._process = 0
        return os.waitstatus_to_exitcode(status)

    def close(self) -> None:
        if self._process:
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
        os.close(self._terminal)

    def _read(self) -> bool:
        try:
            data = os.read(self._terminal, 1 << 16)
        except OSError:  # the other side is gone
            return False
        self.text += data
        self._stream.feed(data)
        return bool(data)


@pytest.fixture
def running(tmp_path: Path) -> Path:
    """The logs of a job that is half done."""
    shutil.copytree(STEPS, tmp_path / "logs")
    for path in (tmp_path / "logs").glob("*.log"):
        lines = path.read_bytes().split(b"\n")
        end = min(i for i, line in enumerate(lines)
                  if b"step:[    7/" in line or b"unregistered" in line)
        path.write_bytes(b"\n".join(lines[:end]) + b"\n")
    return tmp_path / "logs"


@pytest.fixture
def terminal(running: Path) -> Iterator[Terminal]:
    made = Terminal("watch", str(running))
    yield made
    made.close()


def test_one_screen_from_the_start_to_ctrl_c(terminal: Terminal, running: Path) -> None:
    lines = terminal.until("step 6/10", "5 new files: scheduler.log, worker_0.log")
    assert lines[0].startswith("watching ") and "Ctrl-C ends" in lines[0]
    assert lines[1].startswith("HEALTHY  step 6/10, loss ") and "4 running" in lines[1]
    terminal.resize(50, 12)
    terminal.until("...", " more lines")
    worker = running / "worker_2.log"
    os.truncate(worker, 0)
    terminal.until("truncated or written anew, read from ...")
    terminal.resize(100, 40)
    terminal.until("read from its start: worker_2.log")
    terminal.type(b"\x03")
    assert terminal.end() == 0
    assert terminal.text.count(b"\x1b[?1049h") == terminal.text.count(b"\x1b[?1049l") == 1
    left = terminal.text.rpartition(b"\x1b[?25h\x1b[?1049l")[2].decode()
    assert "HEALTHY" in left and "Ranks" in left


@pytest.mark.parametrize("environment", [{}, {"PYTHONIOENCODING": "ascii"}, {"NO_COLOR": "1"}],
                         ids=["utf-8", "ascii", "no-colour"])
def test_chinese_on_a_narrow_terminal(running: Path, environment: dict[str, str]) -> None:
    made = Terminal("watch", "--lang", "zh", str(running), columns=46, environment=environment)
    try:
        lines = made.until("step 6/10")
        assert lines[1].endswith("...") and not lines[2]
        drawn = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", made.text.rpartition(b"\x1b[H")[2].decode())
        assert 10 < max(width(line.strip("\r")) for line in drawn.split("\n")) <= 46
        assert (b"\x1b[1" in made.text) == ("NO_COLOR" not in environment)
        made.type(b"\x03")
        assert made.end() == 0
    finally:
        made.close()


def test_a_terminal_that_can_nothing_gets_lines(running: Path) -> None:
    made = Terminal("watch", "--timeout", "3", str(running), environment={"TERM": "dumb"})
    try:
        assert made.end() == 0
        assert b"\x1b" not in made.text and b"the time is up" in made.text
    finally:
        made.close()
