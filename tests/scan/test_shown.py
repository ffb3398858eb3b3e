from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assistant.scan.shown import shown


def test_plain() -> None:
    assert shown("训练 started".encode()) == "训练 started"


def test_broken_bytes_and_nul_are_visible() -> None:
    assert shown(b"a\xffb\0c") == "a\ufffdb\u2400c"


def test_start_of_a_long_line() -> None:
    text = shown(b"x" * 600)
    assert text == "x" * 499 + "…"
    assert shown(b"x" * 500) == "x" * 500


def test_long_in_bytes_only() -> None:
    assert shown("错".encode() * 400) == "错" * 400


def test_surroundings_of_a_late_match() -> None:
    line = b"a" * 2000 + b"HERE" + b"b" * 2000
    text = shown(line, (2000, 2004))
    assert text == "…" + "a" * 160 + "HERE" + "b" * 334 + "…"


def test_early_match_shows_the_start() -> None:
    assert shown(b"HERE" + b"b" * 2000, (0, 4)).startswith("HERE")


@given(st.binary(max_size=3000), st.integers(0, 3000), st.integers(0, 50))
def test_never_too_long(line: bytes, start: int, length: int) -> None:
    start = min(start, len(line))
    text = shown(line, (start, min(len(line), start + length)))
    assert len(text) <= 500


@given(st.text(alphabet="ab错误é", min_size=600, max_size=2000), st.integers(0, 599))
def test_characters_are_not_cut(text: str, place: int) -> None:
    start = len(text[:place].encode())
    assert "\ufffd" not in shown(text.encode(), (start, start + 1))
