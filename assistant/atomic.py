"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO


@contextmanager
def written(file: str | os.PathLike[str], mode: int = 0o666) -> Iterator[BinaryIO]:
    """A stream whose content becomes the file when the block ends, and is gone if it fails.

    Args: mode: its permissions, before the process's mask.

    What is there and no regular file (`/dev/stderr`, a named pipe) is written directly.

    Raises:
        OSError: it cannot be written.
    """
    target = os.path.realpath(file)
    if os.path.exists(target) and not os.path.isfile(target):
        with open(target, "wb") as stream:
            yield stream
        return
    temporary = f"{target}.{os.urandom(4).hex()}.tmp"
    with _signals_wait():
        try:
            with open(temporary, "xb",
                      opener=lambda path, flags: os.open(path, flags, mode)) as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(temporary, target)
        except BaseException:
            if os.path.exists(temporary):
                os.unlink(temporary)
            raise


@contextmanager
def _signals_wait() -> Iterator[None]:
    """What would end the program comes to it at the end of the block, when nothing is left to
    be cleared away. Signals come to the main thread; in others there is nothing to do."""
    came: list[int] = []
    before: dict[int, Any] = {}
    with suppress(ValueError):  # not the main thread
        for number in (signal.SIGINT, signal.SIGTERM):
            before[number] = signal.signal(number, lambda came_number, _: came.append(came_number))
    try:
        yield
    finally:
        for stopped, handler in before.items():
            signal.signal(stopped, signal.SIG_DFL if handler is None else handler)
        if came:
            signal.raise_signal(came[0])
