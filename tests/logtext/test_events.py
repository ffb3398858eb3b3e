"""Where events begin and end, which lines they take, and their bounds."""

from __future__ import annotations

from dataclasses import replace

import re2
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.evidence.types import Event
from assistant.logtext import events
from assistant.logtext.events import EventReader
from assistant.logtext.eventtext import MAX_SECTIONS, TEXT_CHARS

RECORD = (b"[WARNING] DISTRIBUTED(15537,7fb52647db80,python):2026-11-30-08:07:59.357.188 "
          b"[mindspore/ccsrc/a.cc:485] Connect] Connection 13")
#: Lines that begin, go on with, cut into or end events, and some that do nothing.
LINES = (
    b"", b"   ", RECORD, b"plain words", b"    indented words", b"-" * 52, b"^^^^", b'"""',
    b"Traceback (most recent call last):", b'  File "/home/user/a.py", line 3, in f',
    b'  File "/usr/lib/python3.11/x.py", line 3 in f', b"    f()", b"ValueError: x",
    b"KeyError: Caught KeyError", b"Original Traceback (most recent call last):", b"Oops: odd",
    b"  + Exception Group Traceback (most recent call last):", b"  | ExceptionGroup: eg",
    b"  +-+---------------- 1 ----------------", b"    | TypeError: two",
    b"    +------------------------------------",
    b"During handling of the above exception, another exception occurred:",
    b"- C++ Call Stack: (For framework developers)", b"- Ascend Error Message:",
    b"- Python Call Stack:", b"EI0006: [PID: 7] 2025-04-08-18:07:20.444.436 Getting socket",
    b"        Solution: wait", b"        TraceBack (most recent call last):",
    b"EE9999: Inner Error!", b"EE9999  why[FUNC:A][FILE:b][LINE:1]",
    b"Fatal Python error: Aborted", b"Current thread 0x7f (most recent call first):",
    b"terminate called after throwing an instance of 'x'", b"  what():  y",
    b"Failed to initialize distributed job cluster because of:", b"1.Spawned worker process",
    b"[rank0]: Traceback (most recent call last):", b"[rank0]: ValueError: zero",
    b"[rank1]: EL0004: Failed to allocate memory.", b"msrun exit code: 1", b"\xff\xfe\x00\x01",
    b" 10%|#  | 1/10\rTraceback (most recent call last):", b"x" * 70000,
    b"Exception ignored in: <function f>", b"[ERROR] 2026-02-14-22:07:21 (PID:9, Device:0, "
    b"RankID:1) ERR00100 PTA call acl api failed",
)


def read(lines: list[bytes]) -> tuple[list[Event], set[int]]:
    """Events, and the numbers of the lines that were said to be part of one."""
    reader, parts = EventReader(), set()
    for number, line in enumerate(lines, 1):
        taken = reader.feed(number, line, float(number))
        assert taken or not reader.part
        assert taken or not reader.open
        if reader.part:
            parts.add(number)
    reader.close()
    assert not reader.open
    return reader.take(), parts


_STREAMS = st.lists(st.sampled_from(LINES) | st.binary(max_size=60), max_size=60)


@given(_STREAMS)
@settings(max_examples=400)
def test_any_lines_are_read_and_bounds_hold(lines: list[bytes]) -> None:
    found, parts = read(lines)
    for event in found:
        assert 1 <= event.line <= event.message_line <= event.end_line <= len(lines)
        assert {event.line, event.end_line} <= parts
        assert event.time == event.line
        assert len(event.message) <= TEXT_CHARS
        assert len(event.sections) <= MAX_SECTIONS
        assert all(len(text) <= TEXT_CHARS for _, text in event.sections)
        assert event.kind in ("traceback", "cann", "dataset", "cpp-stack", "cluster", "native")
    assert found == sorted(found, key=lambda event: (event.line, event.end_line))


@given(_STREAMS)
def test_only_lines_from_a_start_on_matter(lines: list[bytes]) -> None:
    """Who skips the lines on which nothing starts gets the same events."""
    reader = EventReader()
    for number, line in enumerate(lines, 1):
        if reader.open or reader.starts(line):
            reader.feed(number, line, float(number))
    reader.close()
    assert reader.take() == read(lines)[0]


@given(_STREAMS)
def test_every_start_is_found_by_the_expression(lines: list[bytes]) -> None:
    options = re2.Options()
    options.posix_syntax = False
    expression = re2.compile(events.START, options)
    reader = EventReader()
    for line in (*lines, *LINES):
        if reader.starts(line):
            assert expression.search(line.decode("latin-1")), line


@given(_STREAMS, st.sampled_from((b"\n", b"\r\n")))
def test_line_ends_do_not_matter(lines: list[bytes], end: bytes) -> None:
    assert read([line + end for line in lines])[0] == read(lines)[0]


@given(_STREAMS)
def test_numbers_shift_with_the_lines_above(lines: list[bytes]) -> None:
    ahead = [b"nothing here"] * 3
    moved = [(event.line - 3, event.end_line - 3, event.title, event.message)
             for event in read(ahead + lines)[0]]
    assert moved == [(event.line, event.end_line, event.title, event.message)
                     for event in read(lines)[0]]


def test_line_that_ends_one_event_begins_the_next() -> None:
    found, parts = read([
        b"Traceback (most recent call last):", b"ValueError: x",
        b"EI0006: Getting socket times out." + b" ", RECORD,
        b"Traceback (most recent call last):", b"ValueError: y",
        b"Traceback (most recent call last):", b"ValueError: z",
    ])
    assert [event.line for event in found] == [1, 5, 7]
    assert parts == {1, 2, 3, 5, 6, 7, 8}


def test_endless_block_is_cut() -> None:
    lines = [b"EI0006: x", *[b"y[FUNC:A][FILE:b][LINE:1]"] * (events.MAX_LINES + 50)]
    found, _ = read(lines)
    assert [event.complete for event in found] == [False]
    assert found[0].end_line == events.MAX_LINES


def test_event_is_given_up_among_foreign_records() -> None:
    lines = [b"Traceback (most recent call last):", b'  File "a.py", line 1, in f',
             *[RECORD] * (events.MAX_ASIDE + 1)]
    reader = EventReader()
    taken = [reader.feed(number, line, None) for number, line in enumerate(lines, 1)]
    assert taken[events.MAX_ASIDE] and not taken[-1]
    event, = reader.take()
    assert (event.end_line, event.complete, event.title) == (2, False, "")


def test_silent_stream_is_given_up() -> None:
    lines = [b"[rank3]: Traceback (most recent call last):", b"[rank3]: ValueError: x",
             *[b"plain words"] * (events.MAX_ASIDE + 1)]
    reader = EventReader()
    for number, line in enumerate(lines, 1):
        reader.feed(number, line, None)
    assert not reader.open
    assert [replace(event, time=None).rank for event in reader.take()] == [3]


def test_many_streams_stay_bounded() -> None:
    lines = [b"[rank%d]: Traceback (most recent call last):" % rank for rank in range(500)]
    found, _ = read(lines)
    assert sorted(event.rank for event in found if event.rank is not None) == list(range(500))


def test_message_is_bounded() -> None:
    lines = [b"Traceback (most recent call last):", b"ValueError: x",
             *[b"\tsize mismatch for layer " + b"y" * 200] * 100]
    event, = read(lines)[0]
    assert len(event.message) == TEXT_CHARS
    assert event.end_line == len(lines)


def test_loose_lines_below_a_message_end_it() -> None:
    lines = [b"Traceback (most recent call last):", b"ValueError: x",
             *[b"a plain print that goes on and on"] * 100]
    event, = read(lines)[0]
    assert event.end_line < 40
