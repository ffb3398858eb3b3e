from __future__ import annotations

import io
import zlib
from pathlib import Path

import pytest

from assistant.scan import health
from assistant.scan.blocks import BlockReader


def notes(content: bytes, block_size: int = 1 << 22, limit: int = 1 << 20) -> set[str]:
    check = health.TextCheck()
    for block in BlockReader(io.BytesIO(content), block_size, limit):
        check.take(block)
    check.finish()
    return check.notes


@pytest.mark.parametrize("block_size", [1, 5, 100])
@pytest.mark.parametrize(("content", "wanted"), [
    (b"plain\n", set()), ("错误\n".encode(), set()), (b"\xe9t\xe9\n", {"invalid-utf8"}),
    (b"a\0b\n", {"nul-bytes"}), (b"ends in \xe9\x94", {"invalid-utf8"}),
    ("错误错误\n".encode(), set()), (b"\xe9\nplain\n", {"invalid-utf8"})])
def test_notes(content: bytes, wanted: set[str], block_size: int) -> None:
    assert notes(content, block_size) == wanted


def test_character_that_is_cut_between_pieces_is_whole() -> None:
    assert notes("错误错误错误\n".encode(), limit=4) == {"long-lines"}


def test_size(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    with path.open("rb") as stream:
        assert health.size(stream) == 5
    assert health.size(io.BytesIO(b"12345")) is None


def test_changes() -> None:
    assert health.changes(5, 5) == health.changes(None, 5) == set()
    assert health.changes(5, 6) == {"grew"}
    assert health.changes(5, 4) == {"shrank"}


def test_errors_of_reading() -> None:
    assert issubclass(zlib.error, health.read_errors())
    assert health.describe(OSError("no")) == "read-error: no"
    assert health.describe(EOFError("cut off")) == "truncated-archive: cut off"


def test_only_plain_files_have_an_end_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    with path.open("rb", buffering=0) as plain, path.open("rb") as buffered:
        assert health.most(plain, 5) == health.most(buffered, 5) == 5 + health.GROWTH
        assert health.most(plain, None) is None
    # What is decompressed may be longer than the file.
    assert health.most(io.BytesIO(b"12345"), 5) is None
