"""Waits until files below some paths change, by looking at them now and then."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

#: Seconds between two looks.
PAUSE = 0.5
_State = dict[str, tuple[float, int]]


def changes(paths: Sequence[str], pause: Callable[[float], None] = time.sleep,
            ) -> Iterator[list[str]]:
    """The names of files that have changed, come or gone, each time that some have.

    Args: pause: waits so many seconds.
    """
    last = _state(paths)
    while True:
        pause(PAUSE)
        now = _state(paths)
        if now != last:
            # An editor writes in several steps: wait until nothing changes any more.
            pause(PAUSE / 5)
            now = _state(paths)
            yield sorted(name for name in last.keys() | now.keys()
                         if last.get(name) != now.get(name))
            last = now


def _state(paths: Sequence[str]) -> _State:
    found: _State = {}
    for path in paths:
        for name in [path] if not os.path.isdir(path) else _below(path):
            try:
                status = os.stat(name)
            except OSError:
                continue
            found[name] = (status.st_mtime, status.st_size)
    return found


def _below(root: str) -> Iterator[str]:
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".") or
                      Path(folder, name) == Path(root)]
        yield from (os.path.join(folder, name) for name in names if not name.startswith("."))
