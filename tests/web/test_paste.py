"""Taking a paste apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web.intake.paste import split


def test_what_tail_prints() -> None:
    text = (b"==> output/msrun_log/worker_0.log <==\nfirst\nsecond\n\n"
            b"==> output/msrun_log/worker_1.log <==\nthird\n")
    assert split(text, "unknown", None) == [("worker_0.log", b"first\nsecond\n"),
                                            ("worker_1.log", b"third\n")]


def test_what_more_prints() -> None:
    text = b"::::::::::::::\na/worker_0.log\n::::::::::::::\nfirst\n" \
           b"::::::::::::::\nb/worker_0.log\n::::::::::::::\nsecond\n"
    assert split(text, "unknown", None) == [("a/worker_0.log", b"first\n"),
                                            ("b/worker_0.log", b"second\n")]


def test_text_before_the_first_name_is_kept() -> None:
    assert split(b"loose\n==> x.log <==\nx\n", "worker", 3) == [("worker_3.log", b"loose\n"),
                                                               ("x.log", b"x\n")]


@pytest.mark.parametrize(("kind", "rank", "name"), [
    ("unknown", None, "pasted.log"), ("worker", None, "worker.log"), ("worker", 0, "worker_0.log"),
    ("scheduler", 4, "scheduler.log"), ("console", None, "console.log")])
def test_names(kind: str, rank: int | None, name: str) -> None:
    assert split(b"x\n", kind, rank) == [(name, b"x\n")]


def test_an_arrow_within_a_line_is_no_name() -> None:
    assert len(split(b"a ==> b <==\nmore\n", "unknown", None)) == 1


@given(st.binary(max_size=300))
def test_nothing_is_lost(text: bytes) -> None:
    parts = split(text, "unknown", None)
    if b"==>" not in text and b":" * 14 not in text:
        assert b"".join(content for _, content in parts) == (text if text.strip() else b"")
    for name, content in parts:
        assert name
        assert content.strip()
        assert content in text


@given(st.lists(st.tuples(st.from_regex(r"[a-z]{1,8}_[0-9]\.log", fullmatch=True),
                          st.from_regex(r"[a-z]([a-z\n]{0,30}[a-z])?", fullmatch=True)),
                min_size=1, max_size=5, unique_by=lambda item: item[0]))
def test_round_trip(files: list[tuple[str, str]]) -> None:
    text = "\n".join(f"==> {name} <==\n{content}\n" for name, content in files)
    assert split(text.encode(), "unknown", None) == [
        (name, f"{content}\n".encode()) for name, content in files]
