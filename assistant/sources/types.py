"""A log that can be opened, wherever its bytes lie."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import BinaryIO

from assistant.sources.sections import Shown


@dataclass(frozen=True, slots=True)
class LogSource:
    """One log.

    Attributes:
        name: path relative to the input with `/`, printable, unique within the input.
        size: bytes of its content, None where only reading tells (compressed, a pipe).
        mtime: modification time, epoch seconds, None if unknown.
        path: local file that another process can give to `open_file`; None for members of
            archives and streams, which are valid only until the next source is drawn.
        url: where it lies, for a log that any machine can open with `open_remote`, else None.
        notes: what is odd about it, as in FileEvidence.
        shown: that several logs may stand in it under heads (see sections.py), None: it is one
            log.
        opener: what `open` calls; it can be pickled where `path` is not None.
    """

    name: str
    size: int | None
    mtime: float | None
    path: str | None
    opener: Callable[[], BinaryIO] = field(repr=False, compare=False)
    url: str | None = None
    notes: tuple[str, ...] = ()
    shown: Shown | None = None

    def open(self) -> BinaryIO:
        """A stream of its decompressed bytes, to be used in a `with`. Raises OSError.

        Reading raises OSError too: what was read before it is sound.
        """
        return self.opener()
