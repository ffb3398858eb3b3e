from __future__ import annotations

import json
import math
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import UsageError
from assistant.evidence import serial
from assistant.evidence.rows import Row, SeriesBuilder
from assistant.evidence.types import (
    ErrorLine,
    Event,
    Evidence,
    FileEvidence,
    Frame,
    Hit,
    Line,
    PatternHits,
    Skipped,
)


def sample() -> Evidence:
    builder = SeriesBuilder()
    builder.add(Row(3, 1, 5.5, {"loss": (1, math.nan), "lr": (2, 0.0)}, "step 1"), 10)
    builder.add(Row(4, 2, None, {"loss": (1, -math.inf)}, "step 2"), 10)
    frame = Frame("a.py", 3, "main", 9, "run()")
    hit = Hit(1, "错误 \udc80 \u2400", 1.5, (("port", "8118"),), "ERROR", "HCCL", 7, 2, 3)
    return Evidence(
        (FileEvidence(
            "a.log", 100, 9, 1e9 + 0.25, 1.0, 2.0, (Line(1, "x"),), (Line(9, "y", 3.0),), False,
            ((7, 3),), {"r/s": PatternHits(1, (hit,), (hit,))},
            (Event("traceback", 2, 5, None, "E", "m", 5, 1, frame, frame, (("t", "s"),),
                   ("EI0006",), (("A", "b", 1),), False, 7, 3, ((5, "E: m"),), 4),), 4,
            (ErrorLine("t <n>", 2, (hit,), ("EI0006",), (("r/s", 1),)),), 2, {"a.b": "1"},
            builder.build(), ("grew",), 3, (1, 9)),
         FileEvidence("empty.log")),
        (Skipped("b", "it is a pipe"),), ("logs",))


def test_round_trip() -> None:
    evidence = sample()
    again = serial.load(serial.dump(evidence))
    assert repr(again) == repr(evidence)  # nan is not equal to itself
    assert serial.dump(again) == serial.dump(evidence)


@given(st.text(), st.floats(), st.integers())
def test_any_values_survive(text: str, number: float, integer: int) -> None:
    evidence = Evidence((FileEvidence(text, mtime=number, size=integer),), (), (text,))
    assert repr(serial.load(serial.dump(evidence))) == repr(evidence)


def test_it_is_json_in_two_lines() -> None:
    head, body = serial.dump(sample()).split(b"\n")
    assert json.loads(head)["kbtriage.evidence"] == 1
    assert json.loads(body)["inputs"] == ["logs"]


def test_another_version_is_refused() -> None:
    data = serial.dump(sample()).replace(b'"kbtriage.evidence":1', b'"kbtriage.evidence":2')
    with pytest.raises(UsageError, match="version 2"):
        serial.load(data)


@pytest.mark.parametrize("data", [b"", b"not json", b"[]", b"{}", b"\xff", b"null\n{}",
                                  b'{"kbtriage.evidence":1}\n{}', b"[" * 100_000])
def test_other_content_is_refused(data: bytes) -> None:
    with pytest.raises(UsageError, match="not a file of evidence"):
        serial.load(data)


@given(st.integers(0, 10_000), st.integers(1, 255))
def test_every_damage_is_found(place: int, change: int) -> None:
    data = bytearray(serial.dump(sample()))
    body = data.index(b"\n") + 1
    place = body + place % (len(data) - body)
    data[place] ^= change
    with pytest.raises(UsageError):
        serial.load(bytes(data))
    with pytest.raises(UsageError):
        serial.load(bytes(data[:place]))


@pytest.mark.parametrize("body", [
    b"[]", b'{"files":[{}]}', b'{"files":[{"name":1}]}', b'{"files":[{"name":"a","what":1}]}',
    b'{"files":{}}', b'{"files":[{"name":"a","size":"1"}]}', b"{}",
    b'{"files":[{"name":"a","terminated":0}]}', b'{"files":[{"name":"a","mtime":"soon"}]}',
    b'{"files":[{"name":"a","pids":[[1]]}]}', b'{"files":[{"name":"a","size":1.5}]}',
    b'{"files":[{"name":"a","series":{"columns":{"x":{"values":[],"kinds":"z"}}}}]}'])
def test_wrong_types_are_refused(body: bytes) -> None:
    head = b'{"kbtriage.evidence":1,"crc32":%d}\n' % crc32(body)
    with pytest.raises(UsageError, match="cannot be used"):
        serial.load(head + body)
