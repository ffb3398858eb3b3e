from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.scan.blocks import Block, BlockReader


def read(content: bytes, block_size: int = 1 << 22, limit: int = 1 << 20,
         first_line: int = 1) -> tuple[list[Block], BlockReader]:
    reader = BlockReader(io.BytesIO(content), block_size, limit, first_line)
    return list(reader), reader


def test_whole_lines_stay_together() -> None:
    blocks, reader = read(b"a\nbb\nccc\n", block_size=5)
    assert [block.raw for block in blocks] == [b"a\nbb\n", b"ccc\n"]
    assert [block.line for block in blocks] == [1, 3]
    assert (reader.size, reader.lines, reader.terminated) == (9, 3, True)


def test_unterminated_last_line() -> None:
    blocks, reader = read(b"a\nb")
    assert [block.raw for block in blocks] == [b"a\n", b"b"]
    assert (reader.lines, reader.terminated) == (1, False)


def test_empty() -> None:
    blocks, reader = read(b"")
    assert blocks == []
    assert (reader.size, reader.lines, reader.terminated) == (0, 0, True)


@pytest.mark.parametrize("block_size", [1, 3, 4, 5, 7, 100])
def test_long_lines_are_cut_from_their_start(block_size: int) -> None:
    content = b"ab\n" + b"x" * 10 + b"\ncd\n"
    blocks, _ = read(content, block_size, limit=4)
    assert b"".join(block.raw for block in blocks) == content
    assert [block.raw for block in blocks if block.piece][:2] == [b"xxxx", b"xxxx"]
    assert [(b.line, b.fresh) for b in blocks if b.piece][:3] == [(2, True), (2, False), (2, False)]
    assert blocks[-1].line == (3 if blocks[-1].raw == b"cd\n" else 2)


@pytest.mark.parametrize("block_size", [1, 4, 100])
def test_line_of_exactly_the_limit_is_whole(block_size: int) -> None:
    blocks, _ = read(b"abcd\nabcd", block_size, limit=4)
    assert not any(block.piece for block in blocks)


def test_carriage_returns_end_segments_but_not_lines() -> None:
    (block,), reader = read(b"a\rb\r\nc\n")
    assert block.data == b"a\nb\n\nc\n"
    assert block.raw == b"a\rb\r\nc\n"
    assert reader.lines == 2


def test_byte_order_mark_is_no_part_of_the_first_line() -> None:
    for size in (1, 2, 100):
        blocks, reader = read(b"\xef\xbb\xbfa\nb\n", block_size=size)
        assert blocks[0].raw.startswith(b"a\n")
        assert reader.size == 7


def test_numbers_go_on_from_the_first_line() -> None:
    blocks, reader = read(b"a\nb\n", block_size=2, first_line=11)
    assert [block.line for block in blocks] == [11, 12]
    assert reader.lines == 2


class Failing(io.RawIOBase):
    """Gives some bytes, then fails."""

    def __init__(self, content: bytes) -> None:
        self._content = io.BytesIO(content)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        data = self._content.read(min(3, len(buffer)))
        if not data:
            raise OSError("gone")
        buffer[:len(data)] = data
        return len(data)


def test_what_was_read_before_a_failure_is_not_lost() -> None:
    reader = BlockReader(io.BufferedReader(Failing(b"one\ntwo\nthr")))  # type: ignore[type-var]
    blocks: list[Block] = []
    with pytest.raises(OSError, match="gone"):
        blocks.extend(reader)
    assert b"".join(block.raw for block in blocks) == b"one\ntwo\nthr"


@given(st.lists(st.sampled_from([b"a", b"bc", b"\n", b"\r", b"\r\n", b"longer piece"])),
       st.integers(1, 20), st.integers(1, 9))
def test_lines_do_not_depend_on_blocks(parts: list[bytes], block_size: int, limit: int) -> None:
    content = b"".join(parts)
    assert b"".join(b.raw for b in read(content, block_size, limit)[0]) == content
    assert segments(content, block_size, limit) == segments(content, 1 << 20, limit)


def segments(content: bytes, block_size: int, limit: int) -> list[tuple[int, bytes]]:
    found = []
    for block in read(content, block_size, limit)[0]:
        assert len(block.data) == len(block.raw)
        line = block.line
        for part in block.raw.split(b"\n"):
            found += [(line, part)] if part else []
            line += 1
    return found
