"""Streams over other streams."""

from __future__ import annotations

import io
from typing import Any, BinaryIO


class DamagedError(OSError):
    """Compressed or archived bytes that cannot be read on; the message says why."""


class Filling(io.RawIOBase):
    """A stream over another one that gives all it can before it fails.

    A read returns fewer bytes than asked for only at the end or before an error; the error
    is raised by the read after that. (io.BufferedReader would lose the bytes.)
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._failure: OSError | None = None

    def some(self, size: int) -> bytes:
        """At most `size` bytes, none only at the end. May raise anything."""
        raise NotImplementedError

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        size, done = len(buffer), 0
        try:
            while done < size and self._failure is None and (data := self.some(size - done)):
                buffer[done:done + len(data)] = data
                done += len(data)
        except OSError as error:
            self._failure = error
        except Exception as error:  # every archive and codec has its own kinds
            self._failure = DamagedError(f"it is damaged: {error}")
        if not done and self._failure is not None:
            raise self._failure
        return done

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
        super().close()
