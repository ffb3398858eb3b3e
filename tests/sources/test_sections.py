"""One text that shows several logs is taken apart."""

from __future__ import annotations

import io
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.sources import sections
from assistant.sources.sections import OUTSIDE, Splitter, shows_several, split

TAIL = (b"==> out/worker_0.log <==\nfirst\nsecond\n\n==> out/worker_1.log <==\nthird\n\n"
        b"==> out/worker_0.log <==\nfourth\n")


def test_what_tail_f_goes_back_to_is_one_log() -> None:
    assert split(TAIL) == [("worker_0.log", b"first\nsecond\nfourth\n"),
                           ("worker_1.log", b"third\n")]


def test_only_the_empty_line_of_tail_is_taken_off() -> None:
    assert split(b"==> a.log <==\n\n\n\n==> b.log <==\n") == [("a.log", b"\n\n"), ("b.log", b"")]


def test_lines_end_with_cr_lf() -> None:
    assert split(b"==> a.log <==\r\nx\r\n\r\n==> b.log <==\r\ny\r\n") == [
        ("a.log", b"x\r\n"), ("b.log", b"y\r\n")]


def test_what_more_prints() -> None:
    line = b"::::::::::::::\n"
    text = (line + b"a/worker_0.log\n" + line + b"first\n\n"
            + line + b"b/worker_0.log\n" + line + line + b"x\ny\n")
    assert split(text) == [("a/worker_0.log", b"first\n\n"),
                           ("b/worker_0.log", b"::::::::::::::\nx\ny\n")]


def test_what_kubectl_prints_before_every_line() -> None:
    text = b"[pod/job-0/ms] a\n[pod/job-1/ms] b\nrest of b\n[pod/job-0/ms] c\n"
    assert split(text) == [("job-0/ms.log", b"[pod/job-0/ms] a\n[pod/job-0/ms] c\n"),
                           ("job-1/ms.log", b"[pod/job-1/ms] b\nrest of b\n")]


def test_what_was_piped_into_tail_stands_outside() -> None:
    assert split(b"==> a.log <==\nx\n\n==> standard input <==\ny\n") == [
        (OUTSIDE, b"y\n"), ("a.log", b"x\n")]


def test_the_command_above_the_first_head() -> None:
    assert split(b"$ tail -n 2 *\n" + TAIL)[0] == (OUTSIDE, b"$ tail -n 2 *\n")


@pytest.mark.parametrize("name", ["../../etc/passwd.log", "/etc/./passwd.log", "a\x1b[2J.log",
                                  "..", "/", "a/../../b.log"])
def test_names_are_only_names(name: str) -> None:
    for found, _ in split(f"==> {name} <==\nx\n\n==> worker_1.log <==\ny\n".encode()):
        assert found.isprintable()
        assert not found.startswith("/")
        assert ".." not in found.split("/")


def test_different_heads_that_make_one_name_are_two_logs() -> None:
    text = b"==> ../a.log <==\nx\n\n==> a.log <==\ny\n\n==> ../a.log <==\nz\n"
    assert split(text) == [("a.log", b"x\nz\n"), ("a.log#2", b"y\n")]


LONG = b"a line of a log\n" * 20


@pytest.mark.parametrize("line", [
    b"==> loading weights <==", b"==> results.log <==", b"x ==> worker_1.log <==",
    b"==> worker_1.log <== and on", b"==>  <==", b"==> config.yaml <=="])
def test_a_line_that_a_script_printed_tears_nothing(line: bytes) -> None:
    text = LONG + b"\n" + line + b"\n" + LONG
    assert split(text) == [(OUTSIDE, text)]
    assert not shows_several(text)


def test_in_what_tail_prints_a_line_of_a_script_tears_nothing() -> None:
    text = b"==> worker_0.log <==\nx\n==> epoch 3 <==\ny\n==> epoch <==\nz\n"
    assert split(text) == [("worker_0.log", text.partition(b"\n")[2])]


def test_a_text_that_begins_in_the_middle_of_what_tail_printed() -> None:
    text = LONG + b"\n==> worker_1.log <==\nx\n"
    assert split(text) == [(OUTSIDE, LONG), ("worker_1.log", b"x\n")]
    assert split(text, anywhere=False) == [(OUTSIDE, text)]


@pytest.mark.parametrize(("name", "expected"), [
    ("worker_3.log", True), ("a/rank_3/info.log", False), ("scheduler.log", True),
    ("rank3.log", True), ("plog-12_2026.log", True), ("paste.txt", False), ("tails.log", False),
    ("workers.txt", False)])
def test_the_log_of_one_process_is_never_taken_apart(name: str, expected: bool) -> None:
    assert sections.is_of_a_process(name) is expected


PARTS = st.sampled_from([b"==> a.log <==\n", b"\n", b"x\n", b"::::::::::::::\n", b"b.log\n", b"y",
                         b"==> b.log <==\r\n", b"\r\n", b"==> ", b"[pod/a/b] ", b"z" * 600])


@settings(max_examples=500, deadline=None)
@given(st.lists(PARTS, max_size=30).map(b"".join), st.lists(st.integers(0, 40), max_size=40))
def test_how_the_bytes_come_does_not_matter(text: bytes, sizes: list[int]) -> None:
    whole = Splitter()
    expected = dict(whole.push(text, last=True))
    splitter, found = Splitter(), dict[str, bytes]()
    at = 0
    for size in itertools.chain(sizes, [len(text)]):
        for name, data in splitter.push(text[at:at + size], last=False).items():
            found[name] = found.get(name, b"") + data
        at += size
    for name, data in splitter.push(b"", last=True).items():
        found[name] = found.get(name, b"") + data
    assert splitter.names == whole.names
    assert {name: data for name, data in found.items() if data} == {
        name: data for name, data in expected.items() if data}


@given(st.binary(max_size=300))
def test_a_text_without_heads_stays_what_it_is(text: bytes) -> None:
    if not any(mark in text for mark in (b"==> ", b":" * 14, b"[pod/")):
        assert split(text) == ([(OUTSIDE, text)] if text else [])


def test_a_line_without_end_is_given_on() -> None:
    splitter = Splitter()
    given_on = sum(len(data) for _ in range(64)
                   for data in splitter.push(b"x" * (1 << 16)).values())
    assert given_on >= 3 << 20  # and so not held


def test_a_failure_comes_after_what_was_read() -> None:
    class Failing(io.BytesIO):
        def read1(self, size: int | None = -1) -> bytes:
            if not (data := super().read1(size)):
                raise OSError("gone")
            return data

    found: dict[str, bytes] = {}
    with pytest.raises(OSError, match="gone"):
        for piece, _ in sections.pieces(Failing(b"==> a.log <==\nx\n"), Splitter()):
            found.update(piece)
    assert found == {"a.log": b"x\n"}


def test_more_heads_than_any_job_has_logs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sections, "MAX_NAMES", 2)
    assert split(b"==> a.log <==\n1\n==> b.log <==\n2\n==> c.log <==\n3\n==> a.log <==\n4\n") == [
        ("a.log", b"1\n4\n"), ("b.log", b"2\n3\n")]
