from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assistant.scan.blocks import Block
from assistant.scan.clock import Clock

STAMPED = b"2026-11-30 08:00:%02d,000 - name - INFO - text"
BASE = 1796025600.0


def block(*lines: bytes, number: int = 1) -> Block:
    data = b"".join(line + b"\n" for line in lines)
    return Block(data, data, number)


def test_nothing_is_known_above_the_first_stamp() -> None:
    clock = Clock()
    clock.enter(block(b"plain", STAMPED % 5, b"plain"))
    assert clock.before(6) is None
    assert clock.before(len(block(b"plain", STAMPED % 5).data)) == BASE + 5


def test_time_goes_on_into_the_next_block() -> None:
    clock = Clock()
    clock.enter(block(STAMPED % 7, b"plain"))
    clock.enter(block(b"plain", number=3))
    assert clock.before(0) == BASE + 7
    assert clock.ends() == ((1, BASE + 7), (1, BASE + 7))


def test_own_time_counts_for_the_lines_below() -> None:
    clock = Clock()
    clock.enter(block(STAMPED % 1, b"plain"))
    assert clock.passed(0, 45, BASE + 1) == BASE + 1
    assert clock.passed(46, 51, None) == BASE + 1


def test_stamp_within_a_line_is_none() -> None:
    clock = Clock()
    clock.enter(block(b"at 2026-11-30 08:00:01 it was", b"00:10:20 tqdm"))
    assert clock.before(30) is None
    assert clock.ends() is None


def test_no_lines_at_all() -> None:
    assert Clock().ends() is None


@given(st.lists(st.sampled_from([None, "stamp", "clock only"]), min_size=1, max_size=150),
       st.sets(st.integers(0, 149)))
def test_nearest_stamped_line_above(kinds: list[str | None], asked: set[int]) -> None:
    lines = [{None: b"plain", "clock only": b"took 00:10:20"}.get(kind, STAMPED % (i % 60))
             for i, kind in enumerate(kinds)]
    clock = Clock()
    clock.enter(block(*lines))
    offset = 0
    wanted: float | None = None
    for i, line in enumerate(lines):
        if i in asked:
            assert clock.before(offset) == wanted
        if kinds[i] == "stamp":
            wanted = BASE + i % 60
        offset += len(line) + 1
    stamped = [i for i, kind in enumerate(kinds) if kind == "stamp"]
    ends = clock.ends()
    assert ends == (((stamped[0] + 1, BASE + stamped[0] % 60),
                     (stamped[-1] + 1, BASE + stamped[-1] % 60)) if stamped else None)
