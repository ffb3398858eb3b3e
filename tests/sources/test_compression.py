"""Compressed streams: whole, cut off, damaged, and those that would never end."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.sources import compression
from assistant.sources.compression import expand, is_bomb
from assistant.sources.files import open_file
from assistant.sources.filling import DamagedError

COMPRESS = {
    "gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress,
    "zstd": zstandard.ZstdCompressor().compress,
}
TEXT = b"".join(b"line %d of a log %d\n" % (number, number * 7919 % 1013)
                for number in range(30_000))
EVERY = pytest.mark.parametrize("method", COMPRESS)


def drain(stream) -> tuple[bytes, OSError | None]:
    """What can be read, and the error that ended it."""
    data = b""
    try:
        while block := stream.read(50_000):
            data += block
    except OSError as error:
        return data, error
    return data, None


@pytest.mark.parametrize("name", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_text_with_a_byte_order_mark_is_read_as_utf8(name: str, pack: Callable[[bytes], bytes],
                                                     tmp_path: Path) -> None:
    text = "\ufeffvalue 数据 \N{GRINNING FACE}\r\n" + "step 7\n" * 30_000
    packed = pack(text.encode(name))
    assert drain(expand(io.BytesIO(packed))) == (text[1:].encode(), None)
    (tmp_path / "worker_0.log").write_bytes(packed)
    with open_file(str(tmp_path / "worker_0.log")) as stream:
        assert drain(stream) == (text[1:].encode(), None)


def test_broken_utf16_is_read_on() -> None:
    text = "\ufeffab".encode("utf-16-le") + b"\x00\xd8" + "cd".encode("utf-16-le") + b"x"
    assert drain(expand(io.BytesIO(text))) == ("ab\ufffdcd\ufffd".encode(), None)


class Trickle(io.RawIOBase):
    """A pipe that gives a few bytes at a time."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._random = random.Random(1)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        count = min(len(buffer), self._random.randint(1, 700), len(self._data))
        buffer[:count], self._data = self._data[:count], self._data[count:]
        return count


@EVERY
def test_whole(method):
    assert drain(expand(io.BytesIO(COMPRESS[method](TEXT)))) == (TEXT, None)


@EVERY
def test_several_members_and_padding(method):
    data = COMPRESS[method](TEXT) + COMPRESS[method](b"") + COMPRESS[method](b"end\n") + bytes(512)
    assert drain(expand(io.BytesIO(data))) == (TEXT + b"end\n", None)


@EVERY
def test_from_a_pipe(method):
    pipe = Trickle(COMPRESS[method](TEXT) + COMPRESS[method](b"end\n"))
    assert drain(expand(pipe)) == (TEXT + b"end\n", None)


@EVERY
def test_cut_off_anywhere_it_gives_what_stands_before_and_an_error(method):
    data = COMPRESS[method](TEXT)
    for cut in range(len(data) // 7, len(data), len(data) // 7):
        found, error = drain(expand(io.BytesIO(data[:cut])))
        assert TEXT.startswith(found)
        assert isinstance(error, DamagedError)
    assert drain(expand(io.BytesIO(data[:-3])))[1] is not None


@EVERY
def test_damage_is_an_oserror(method):
    data = bytearray(COMPRESS[method](os.urandom(200_000)))
    data[len(data) // 2] ^= 0xFF
    data[len(data) // 2 + 1] ^= 0xFF
    _, error = drain(expand(io.BytesIO(bytes(data))))
    if method != "zstd":  # its frames carry no checksum unless asked for
        assert error is not None


@EVERY
def test_foreign_bytes_behind_it_are_said(method):
    found, error = drain(expand(io.BytesIO(COMPRESS[method](TEXT) + b"what is this?")))
    assert found == TEXT
    assert error is not None


@pytest.mark.parametrize("data", [b"", b"x", b"plain\n", b"\x1f", b"BZ", b"\x28\xb5\x2f"])
def test_plain_bytes_stay_as_they_are(data):
    assert drain(expand(io.BytesIO(data))) == (data, None)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from([b"\x1f\x8b\x08\x00", b"BZh9", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"]),
       st.binary(max_size=300))
def test_hostile_bytes_end_in_data_or_an_oserror(magic, rest):
    drain(expand(io.BytesIO(magic + rest)))


@EVERY
def test_what_expands_beyond_measure_is_broken_off(method, monkeypatch):
    monkeypatch.setattr(compression, "MAX_EXPANDED", 1 << 20)
    found, error = drain(expand(io.BytesIO(COMPRESS[method](bytes(40 << 20)))))
    assert error is not None
    assert "not read any further" in str(error)
    assert len(found) < 36 << 20


@pytest.mark.parametrize(("expanded", "compressed", "expected"), [
    (1 << 30, 1, False), ((1 << 30) + 1, 1, True), (2 << 30, (2 << 30) // 1999, False),
    (64 << 30, 64 << 30, False), ((64 << 30) + 1, 64 << 30, True),
])
def test_is_bomb(expanded, compressed, expected):
    assert is_bomb(expanded, compressed) is expected


def test_without_the_package_zstd_says_what_is_missing(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(OSError, match="pip install zstandard"):
        expand(io.BytesIO(COMPRESS["zstd"](TEXT)))


def test_closing_closes_what_lies_below():
    below = io.BytesIO(gzip.compress(TEXT))
    with expand(below) as stream:
        stream.read(10)
    assert below.closed
