"""Local files: opened only if they are what they seem."""

from __future__ import annotations

import io
import os
import stat
from typing import BinaryIO

from assistant.sources.compression import expand, is_plain, read_head

_FLAGS = (os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
          | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0))


class NotRegularError(OSError):
    """A FIFO, socket, device or folder where a file was expected."""


def open_regular(path: str) -> io.FileIO:
    """A regular file as it is; never waits for a FIFO or a device. Raises OSError.

    It is not buffered: a buffer would lose what was read before an error.
    """
    try:
        descriptor = os.open(path, _FLAGS)
    except ValueError as error:  # a NUL in the path
        raise OSError(str(error)) from error
    try:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            raise NotRegularError(f"it is {kind_of(mode)}")
        return open(descriptor, "rb", buffering=0)
    except BaseException:
        os.close(descriptor)
        raise


def open_file(path: str) -> BinaryIO:
    """The content of a file, decompressed if it is compressed, as UTF-8 if it is UTF-16.
    Raises OSError."""
    file = open_regular(path)
    try:
        plain = is_plain(read_head(file, 8))
        file.seek(0)
        return file if plain else expand(file)
    except BaseException:
        file.close()
        raise


def kind_of(mode: int) -> str:
    """What a file of this mode is, in words."""
    kinds = ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a named pipe"),
             (stat.S_ISSOCK, "a socket"), (stat.S_ISCHR, "a device"), (stat.S_ISBLK, "a device"))
    return next((words for test, words in kinds if test(mode)), "no regular file")


def reason(error: OSError) -> str:
    """An OSError in words, without the path."""
    text = error.strerror or str(error) or type(error).__name__
    return text[:1].lower() + text[1:]
