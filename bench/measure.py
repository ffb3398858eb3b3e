"""Runs a command and measures it from outside: wall clock, processor time, memory."""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

#: Seconds between two looks at the memory.
_PERIOD = 0.05


@dataclass(frozen=True)
class Used:
    """What a command used.

    Attributes:
        wall: seconds from its start to its end.
        cpu: seconds of processor time, user and system, of the whole process tree.
        memory: largest sum of the proportional set sizes of its processes at one moment,
            bytes; pages that several share count once. 0 where it ended before a look.
    """

    wall: float
    cpu: float
    memory: int


def run(command: Sequence[str], *, output: Path | None = None, memory: bool = False,
        environment: dict[str, str] | None = None) -> Used:
    """Run a command to its end.

    Args:
        output: where its standard output goes, default: nowhere.
        memory: whether to look at its memory, which takes some time from it.

    Raises:
        subprocess.CalledProcessError: its exit status is 2 or more.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    with open(output or os.devnull, "wb") as target:
        process = subprocess.Popen(command, stdout=target, stderr=subprocess.DEVNULL,
                                   env=environment)
        watch = _Watch(process.pid) if memory else None
        status = process.wait()
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if status not in (0, 1):
        raise subprocess.CalledProcessError(status, list(command))
    return Used(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
                watch.stop() if watch else 0)


def in_turn(runs: int, commands: Sequence[Sequence[str]], **options: object) -> list[Used]:
    """Medians of several runs of each command, in turn (A B A B ...), so that a change of the
    machine's pace meets all alike."""
    rounds = [[run(command, **options) for command in commands]  # type: ignore[arg-type]
              for _ in range(runs)]
    return [Used(median(used.wall for used in each), median(used.cpu for used in each),
                 max(used.memory for used in each)) for each in zip(*rounds, strict=True)]


class _Watch:
    """Looks at the memory of a process and its children until it is stopped."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._most = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def stop(self) -> int:
        self._ended.set()
        self._thread.join()
        return self._most

    def _look(self) -> None:
        while not self._ended.wait(_PERIOD):
            self._most = max(self._most, sum(map(_proportional, _tree(self._pid))))


def _tree(pid: int) -> list[int]:
    """A process and all below it."""
    found, waiting = [], [pid]
    while waiting:
        pid = waiting.pop()
        found.append(pid)
        with contextlib.suppress(OSError):  # it has just ended
            for thread in Path(f"/proc/{pid}/task").glob("*/children"):
                waiting += map(int, thread.read_text().split())
    return found


def _proportional(pid: int) -> int:
    """Proportional set size of a process in bytes, 0 if it has ended."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in text.splitlines()
                 if line.startswith("Pss:")), 0)
