"""How much one check may read, and for how long."""

from __future__ import annotations

import contextlib
import io
import time
from collections.abc import Callable
from typing import Any, BinaryIO, cast

from web.problems import ProblemError
from web.settings import Settings

#: An upload that expands to less than this is never called suspicious.
_HARMLESS = 64 << 20


class OutOfBudgetError(OSError):
    """Raised by a stream that may not be read on. The scan takes it for a file that ends early;
    the budget remembers, so that the check as a whole is refused."""


class Budget:
    """Counts what one check reads. Once exceeded it stays so, and `verify` says why.

    Attributes: deadline: of `clock`, at which the check has to be over.
    """

    def __init__(self, settings: Settings, sent: int,
                 clock: Callable[[], float] = time.monotonic) -> None:
        self._settings = settings
        self._sent = max(1, sent)
        self._clock = clock
        self._files = 0
        self._bytes = 0
        self._exceeded: ProblemError | None = None
        self.deadline = clock() + settings.max_seconds

    def count_file(self) -> None:
        """One more file. Raises OutOfBudgetError."""
        self._files += 1
        if self._files > self._settings.max_files:
            self._exceed("too-many-files", limit=self._settings.max_files, unit="files")

    def count_bytes(self, size: int) -> None:
        """Some more decompressed bytes. Raises OutOfBudgetError."""
        self._bytes += size
        if self._bytes > self._settings.max_expanded:
            self._exceed("expands-too-far", limit=self._settings.max_expanded, unit="bytes")
        if self._bytes > max(_HARMLESS, self._sent * self._settings.max_ratio):
            self._exceed("expands-suspiciously", limit=self._settings.max_ratio,
                         unit="times its size")
        self.check_time()

    def check_time(self) -> None:
        """Raises OutOfBudgetError once the deadline has passed."""
        if self._clock() > self.deadline:
            self._exceed("too-long", limit=self._settings.max_seconds, unit="seconds")

    def look_at_clock(self) -> None:
        """As `check_time`, but only remembers."""
        with contextlib.suppress(OutOfBudgetError):
            self.check_time()

    def verify(self) -> None:
        """Raises ProblemError if anything was exceeded so far."""
        if self._exceeded is not None:
            raise self._exceeded

    def _exceed(self, kind: str, **values: Any) -> None:
        if self._exceeded is None:
            self._exceeded = ProblemError(kind, **values)
        raise OutOfBudgetError(kind)


class _Counted(io.RawIOBase):
    def __init__(self, stream: BinaryIO, budget: Budget) -> None:
        self._stream = stream
        self._budget = budget

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._stream.read(len(buffer))
        self._budget.count_bytes(len(data))
        buffer[:len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
        super().close()


def counted(stream: BinaryIO, budget: Budget) -> BinaryIO:
    """The stream, each of its bytes counted."""
    return cast(BinaryIO, io.BufferedReader(_Counted(stream, budget), 1 << 16))
