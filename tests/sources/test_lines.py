"""Some lines of logs, read again."""

from __future__ import annotations

import io
from functools import partial

from assistant.evidence.types import Skipped
from assistant.sources.lines import read_lines
from assistant.sources.types import LogSource


def log(name: str, content: bytes) -> LogSource:
    return LogSource(name, len(content), None, None, partial(io.BytesIO, content))


def broken() -> io.BytesIO:
    raise OSError("gone")


def test_lines_by_number() -> None:
    text = b"one\ntwo\r\nthr\xffee\n" + b"x" * 200_000 + b"\nfive"
    found = read_lines([log("a", text)], {"a": {1, 2, 3, 4, 5, 9}})["a"]
    assert found == {1: "one", 2: "two", 3: "thr\ufffdee", 4: "x" * 500, 5: "five"}


def test_only_what_is_wanted_is_opened() -> None:
    unread = LogSource("b", None, None, None, broken)
    assert read_lines([Skipped("c", "why"), unread, log("a", b"x\n")], {"a": {1}, "b": ()}) == {
        "a": {1: "x"}}
    assert read_lines([unread], {}) == {}


def test_what_is_gone_is_not_there() -> None:
    assert read_lines([LogSource("b", None, None, None, broken)], {"b": {1}}) == {}


def test_what_lies_too_far_is_not_there() -> None:
    assert read_lines([log("a", b"12345678\n" * 9)], {"a": {1, 9}}, far=20) == {
        "a": {1: "12345678"}}
