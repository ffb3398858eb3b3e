"""How large the directory of a zip archive is, before anything reads it into memory.

Source: PKWARE's APPNOTE.TXT 4.3.14 to 4.3.16 (end of central directory, and that of Zip64).
"""

from __future__ import annotations

import os
import struct
from typing import BinaryIO

#: Half a million members: each takes some 700 bytes once it is read.
MAX_DIRECTORY = 1 << 25
_END, _END_SIZE, _COMMENT = b"PK\x05\x06", 22, 0xFFFF
_LOCATOR, _LOCATOR_SIZE = b"PK\x06\x07", 20
_END64_SIZE = 56


def directory_size(file: BinaryIO) -> int:
    """Bytes that the archive says its directory takes, 0 where it says nothing. Raises OSError."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _COMMENT - _END_SIZE - _LOCATOR_SIZE))
    tail = file.read()
    # As zipfile looks for it: at the very end, else where it stands last.
    place = len(tail) - _END_SIZE
    if tail[max(0, place):][:4] != _END or tail[-2:] != b"\0\0":
        place = tail.rfind(_END)
    if place < 0 or len(tail) - place < _END_SIZE:
        return 0
    stated: int = struct.unpack_from("<L", tail, place + 12)[0]
    locator = tail[max(0, place - _LOCATOR_SIZE):place]
    if locator[:4] != _LOCATOR or len(locator) < _LOCATOR_SIZE:
        return stated
    at = size - len(tail) + place - _LOCATOR_SIZE - _END64_SIZE
    file.seek(max(0, at))
    end = file.read(_END64_SIZE)
    large = struct.unpack_from("<Q", end, 40)[0] if len(end) == _END64_SIZE else 0
    return int(large) if stated == 0xFFFFFFFF else max(stated, int(large))
