"""A progress bar on standard error, shown only to people and only when it takes a while."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from assistant.report.words import Words

#: Seconds before it appears, and between two drawings.
_DELAY = 1.0
_PAUSE = 0.1
_BAR = 24


class Progress:
    """Called with (bytes done, bytes in all); `close` wipes the bar away."""

    def __init__(self, stream: TextIO | None, words: Words) -> None:
        self._stream = stream if stream is not None and stream.isatty() and (
            os.environ.get("TERM") != "dumb") else None
        self._words = words
        self._next = time.monotonic() + _DELAY
        self._drawn = False

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if self._stream is None or now < self._next:
            return
        self._next = now + _PAUSE
        self._drawn = True
        text = self._words.size(done)
        if total > 0:
            share = min(done / total, 1.0)
            bar = ("#" * round(share * _BAR)).ljust(_BAR, ".")
            text = f"[{bar}] {share:4.0%}  {text} / {self._words.size(total)}"
        self._stream.write(f"\r{text}\x1b[K")
        self._stream.flush()

    def close(self) -> None:
        """Remove the bar, if it was drawn."""
        if self._stream is not None and self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._drawn = False


@contextmanager
def shown(lang: str) -> Iterator[Progress]:
    """A bar on standard error that is gone when the work is done."""
    progress = Progress(sys.stderr, Words(lang))
    try:
        yield progress
    finally:
        progress.close()
