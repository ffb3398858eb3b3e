"""What is odd about a file: broken text, lines too long, failures and changes on reading."""

from __future__ import annotations

import codecs
import io
import os
import stat
import sys
from typing import BinaryIO

from assistant.scan.blocks import Block

#: Bytes by which a file may grow while it is read and still be read to its end.
GROWTH = 1 << 26


class TextCheck:
    """Looks for what a text file should not hold.

    Attributes:
        notes: `invalid-utf8`, `nul-bytes`, `long-lines`.
    """

    def __init__(self) -> None:
        self.notes: set[str] = set()
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def take(self, block: Block) -> None:
        """Look at the next block; a character may stretch over pieces of a long line."""
        raw = block.raw
        if b"\0" in raw:
            self.notes.add("nul-bytes")
        if block.piece:
            self.notes.add("long-lines")
        if "invalid-utf8" in self.notes or (raw.isascii() and not self._decoder.getstate()[0]):
            return
        try:
            self._decoder.decode(raw)
        except UnicodeDecodeError:
            self.notes.add("invalid-utf8")

    def finish(self) -> None:
        """All blocks were taken."""
        if self._decoder.getstate()[0]:
            self.notes.add("invalid-utf8")


def size(stream: BinaryIO) -> int | None:
    """Size of the regular file under a stream, None where there is none."""
    try:
        status = os.fstat(stream.fileno())
    except (OSError, AttributeError, ValueError):
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def most(stream: BinaryIO, before: int | None) -> int | None:
    """Bytes of a plain file that are read at most, given its size when it was opened: one that
    grows faster than it is read would else be followed without end. None for other streams,
    whose bytes are not those of a file."""
    plain = isinstance(stream, (io.BufferedReader, io.FileIO))
    return before + GROWTH if plain and before is not None else None


def changes(before: int | None, after: int | None) -> set[str]:
    """`grew` or `shrank`: what happened to a file while it was read."""
    if before is None or after is None or before == after:
        return set()
    return {"grew" if after > before else "shrank"}


def read_errors() -> tuple[type[Exception], ...]:
    """What reading a log, compressed or not, can raise in the middle of it."""
    import lzma
    import tarfile
    import zipfile
    import zlib

    errors: tuple[type[Exception], ...] = (
        OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, tarfile.TarError)
    # Only who has imported it can meet its errors.
    zstandard = sys.modules.get("zstandard")
    return errors if zstandard is None else (*errors, zstandard.ZstdError)


def describe(error: Exception) -> str:
    """The note for a failure on reading."""
    if isinstance(error, EOFError):
        return f"truncated-archive: {error}"
    return f"read-error: {error}"
