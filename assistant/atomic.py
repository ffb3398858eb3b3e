"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO


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
    temporary = f"{target}.{os.getpid()}.tmp"
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
