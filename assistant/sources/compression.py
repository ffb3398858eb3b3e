"""Decompressed bytes of a stream, told by its first bytes and not by its name.

Every failure is an OSError, and what could be decompressed before it has been returned:
a log that was cut off in the middle still tells what stands before the cut.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO, Protocol, cast

from assistant.sources.encodings import MARK_SIZE, as_utf8, encoding
from assistant.sources.filling import DamagedError, Filling

MAGICS = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
_MAGIC_SIZE = max(MARK_SIZE, *map(len, MAGICS))
_CHUNK = 1 << 16
#: Zstandard cannot be told how much to return; this bounds it to 32 MiB at a time.
_ZSTD_CHUNK = 1 << 10
#: Memory that a decompressor may ask for.
_MEMORY = 1 << 28

#: A stream that yields more than this is not a log.
MAX_EXPANDED = 64 << 30
#: From this size on, a stream that shrank by more than MAX_RATIO is not a log.
SUSPICIOUS_SIZE = 1 << 30
MAX_RATIO = 2000


def is_bomb(expanded: int, compressed: int) -> bool:
    """Whether so many bytes out of so few can be no log."""
    return expanded > MAX_EXPANDED or (
        expanded > SUSPICIOUS_SIZE and expanded > MAX_RATIO * max(1, compressed))


def compression(head: bytes) -> str | None:
    """How a stream that begins so is compressed, None if it is not."""
    return next((name for magic, name in MAGICS.items() if head.startswith(magic)), None)


def is_plain(head: bytes) -> bool:
    """Whether a stream that begins so is read as it is: neither compressed nor in UTF-16."""
    return compression(head) is None and encoding(head) is None


def expand(stream: BinaryIO) -> BinaryIO:
    """The decompressed content of a stream, text of any encoding with a byte order mark as
    UTF-8; as it is if it is neither. Raises OSError."""
    head = read_head(stream, _MAGIC_SIZE)
    content = rewound(head, stream)
    method = compression(head)
    if method is not None:
        content = cast(BinaryIO, _Expanded(content, method))
        with suppress(OSError):  # nothing is lost: whoever reads on gets the same error
            head = content.read(MARK_SIZE)
            content = rewound(head, content)
    name = encoding(head)
    return content if name is None else as_utf8(content, name)


def read_head(stream: BinaryIO, size: int) -> bytes:
    """The first bytes of a stream, fewer only at its end (a pipe gives what it has)."""
    head = b""
    while len(head) < size and (more := stream.read(size - len(head))):
        head += more
    return head


def rewound(head: bytes, stream: BinaryIO) -> BinaryIO:
    """A stream from which `head` was taken, with `head` put back."""
    return cast(BinaryIO, _Prefixed(head, stream))


class _Prefixed(Filling):
    """Bytes already taken from a stream, then the rest of it."""

    def __init__(self, head: bytes, stream: BinaryIO) -> None:
        super().__init__(stream)
        self._head = head
        self._read = getattr(stream, "read1", stream.read)

    def some(self, size: int) -> bytes:
        if self._head:
            data, self._head = self._head[:size], self._head[size:]
            return data
        return bytes(self._read(min(size, _CHUNK)))


class _Machine(Protocol):
    """A decompressor of one compressed stream, in the manner of bz2 and lzma."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Expanded(Filling):
    """The decompressed content of a stream, of all members if there are several."""

    def __init__(self, stream: BinaryIO, method: str) -> None:
        super().__init__(stream)
        self._method = method
        self._make = _machine_maker(method)
        self._chunk = _ZSTD_CHUNK if method == "zstd" else _CHUNK
        self._machine = self._make()
        self._ready = b""
        self._taken = self._given = 0

    def some(self, size: int) -> bytes:
        if not self._ready:
            self._ready = self._next(size)
            self._given += len(self._ready)
            if is_bomb(self._given, self._taken):
                raise DamagedError(f"it expands to more than {self._given >> 30} GiB: "
                                   "not read any further")
        data, self._ready = self._ready[:size], self._ready[size:]
        return data

    def _next(self, size: int) -> bytes:
        """Some more bytes, none only at the end."""
        while True:
            data = b""
            if self._machine.eof:
                data = self._machine.unused_data.lstrip(b"\x00") or self._take().lstrip(b"\x00")
                if not data:
                    return b""
                data += read_head(self._stream, max(0, _MAGIC_SIZE - len(data)))
                if compression(data) != self._method:
                    raise DamagedError(f"what follows its {self._method} data is none")
                self._machine = self._make()
            elif self._machine.needs_input:
                data = self._take()
                if not data:
                    rest = self._machine.decompress(b"", size)
                    if not rest and not self._machine.eof:
                        raise DamagedError(f"its {self._method} data is cut off")
                    return rest
            if out := self._machine.decompress(data, size):
                return out

    def _take(self) -> bytes:
        data = self._stream.read(self._chunk)
        self._taken += len(data)
        return data


class _Gzip:
    """zlib's decompressor with the interface of the others."""

    def __init__(self) -> None:
        import zlib

        self._zlib = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._zlib.eof

    @property
    def needs_input(self) -> bool:
        return not self._zlib.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._zlib.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._zlib.decompress(self._zlib.unconsumed_tail + data, max_length)


class _Zstd:
    """Zstandard's decompressor with the interface of the others."""

    def __init__(self, zstandard: Any) -> None:
        self._zstd = zstandard.ZstdDecompressor(max_window_size=_MEMORY).decompressobj()

    @property
    def eof(self) -> bool:
        return bool(self._zstd.eof)

    @property
    def needs_input(self) -> bool:
        return True

    @property
    def unused_data(self) -> bytes:
        return bytes(self._zstd.unused_data)

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return bytes(self._zstd.decompress(data)) if data else b""


def _machine_maker(method: str) -> Callable[[], _Machine]:
    # Codecs are imported when one is met: most logs are not compressed.
    if method == "gzip":
        return _Gzip
    if method == "bzip2":
        import bz2

        return bz2.BZ2Decompressor
    if method == "xz":
        import lzma

        return lambda: lzma.LZMADecompressor(memlimit=_MEMORY)
    try:
        zstandard = importlib.import_module("zstandard")
    except ImportError as error:
        raise DamagedError("the package zstandard is needed to read it: "
                           "pip install zstandard") from error
    return lambda: _Zstd(zstandard)
