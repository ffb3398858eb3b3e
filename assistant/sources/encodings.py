"""Text in UTF-16 or UTF-32 as the UTF-8 that is read everywhere, told by its byte order mark.

A shell of Windows writes `> worker_3.log` so. Without its mark it is not told from other bytes.
"""

from __future__ import annotations

import codecs
from typing import BinaryIO, cast

from assistant.sources.filling import Filling

#: UTF-32's mark begins like UTF-16's and comes first.
_MARKS = {codecs.BOM_UTF32_LE: "utf-32", codecs.BOM_UTF32_BE: "utf-32",
          codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
MARK_SIZE = max(map(len, _MARKS))
_CHUNK = 1 << 16


def encoding(head: bytes) -> str | None:
    """The encoding of a text that begins so; None if it is read as it is."""
    return next((name for mark, name in _MARKS.items() if head.startswith(mark)), None)


def as_utf8(stream: BinaryIO, name: str) -> BinaryIO:
    """A text in the encoding `name`, mark and all, as UTF-8; what is no character is replaced."""
    return cast(BinaryIO, _Recoded(stream, name))


class _Recoded(Filling):
    """A text in another encoding."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        super().__init__(stream)
        self._decoder = codecs.getincrementaldecoder(name)("replace")
        self._ready = b""

    def some(self, size: int) -> bytes:
        while not self._ready:
            data = self._stream.read(_CHUNK)
            self._ready = self._decoder.decode(data, final=not data).encode("utf-8", "replace")
            if not data:
                break
        data, self._ready = self._ready[:size], self._ready[size:]
        return data
