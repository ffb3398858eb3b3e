"""When a worker reads a log: the moment at which to take it away."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

#: Bytes from the start that are also read to tell logs apart.
_HEAD = 1 << 16


def wait_until_it_reads(pid: int, seconds: float = 120.0) -> None:
    """Until a process has a log open."""
    end = time.monotonic() + seconds
    while not _reads(pid):
        assert time.monotonic() < end, "no log is read"
        time.sleep(0.001)


def _reads(pid: int) -> bool:
    for number in os.listdir(f"/proc/{pid}/fd"):
        with contextlib.suppress(OSError):  # closed in the meantime
            if os.readlink(f"/proc/{pid}/fd/{number}").endswith(".log"):
                about = Path(f"/proc/{pid}/fdinfo/{number}").read_text()
                return int(about.split()[1]) > _HEAD
    return False
