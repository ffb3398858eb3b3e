from __future__ import annotations

import io

from hypothesis import given
from hypothesis import strategies as st

from assistant.scan.blocks import BlockReader
from assistant.scan.edges import Edges

RECORD = b"[INFO] ME(%d,7f,python):2026-11-30-08:29:04.502.123 [a.cc:1] f] text"


def read(content: bytes, block_size: int = 1 << 22, limit: int = 1 << 20) -> Edges:
    edges = Edges()
    for block in BlockReader(io.BytesIO(content), block_size, limit):
        edges.enter(block)
    return edges


def test_head_and_tail_without_blank_lines() -> None:
    edges = read(b"\n".join([b"", b"a", b" \t", *(b"%d" % i for i in range(30)), b"", b"  "]))
    assert [(x.line, x.text) for x in edges.head] == [(2, "a"), (4, "0"), (5, "1"), (6, "2"),
                                                      (7, "3")]
    assert [(x.line, x.text) for x in edges.tail] == [(24 + i, str(20 + i)) for i in range(10)]


def test_first_segment_at_the_head_and_last_at_the_tail() -> None:
    edges = read(b"10%\r20%\r\r100%\r\n")
    assert [x.text for x in edges.head] == ["10%"]
    assert [x.text for x in edges.tail] == ["100%"]


def test_lines_know_their_own_time_only() -> None:
    edges = read(RECORD % 7 + b"\nplain\n")
    assert [x.time is None for x in edges.head] == [False, True]


def test_pids_of_both_ends_each_line_once() -> None:
    edges = read(b"\n".join([RECORD % 7] * 150 + [RECORD % 8] * 100))
    assert edges.pids == ((7, 150), (8, 100))
    edges = read(b"\n".join([RECORD % 7] * 300 + [RECORD % 9] * 500 + [RECORD % 8] * 300))
    assert edges.pids == ((7, 200), (8, 200))


def test_nothing() -> None:
    edges = read(b"\n \n")
    assert (edges.head, edges.tail, edges.pids) == ((), (), ())


@given(st.lists(st.sampled_from([b"a", b"bb", b"", b" ", b"\r", b"c\rd", b"\n", b"longer line"])),
       st.integers(1, 9))
def test_ends_do_not_depend_on_blocks(parts: list[bytes], block_size: int) -> None:
    content = b"\n".join(parts)
    one, other = read(content, block_size, 5), read(content, limit=5)
    assert (one.head, one.tail) == (other.head, other.tail)
