from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.evidence import serial
from assistant.evidence.rows import Row, SeriesBuilder
from assistant.evidence.series import Column, Series
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
    hit = Hit(1, "错误 \u2028 \u2400", 1.5, (("port", "8118"),), "ERROR", "HCCL", 7, 2, 3)
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
    again = serial.load(Evidence, serial.dump(evidence))
    assert again == evidence
    assert serial.dump(again) == serial.dump(evidence)


@given(st.text(), st.floats(), st.integers(), st.floats(allow_nan=False, allow_infinity=False))
def test_any_values_survive(text: str, number: float, integer: int, time: float) -> None:
    series = Series((integer,), (integer,), (time,), {text: Column((number,), b"\1")},
                    {integer: text})
    evidence = Evidence((FileEvidence(text, mtime=time, size=integer, series=series),),
                        (Skipped(text, text, True),), (text,), ((text, text),))
    assert repr(serial.load(Evidence, serial.dump(evidence))) == repr(evidence)


def test_a_path_that_is_not_utf_8_is_shown_without_what_cannot_be() -> None:
    evidence = Evidence((), inputs=("logs-\udcff",))
    assert serial.load(Evidence, serial.dump(evidence)).inputs == ("logs-?",)


def test_it_is_one_line_of_json() -> None:
    assert json.loads(serial.dump(sample()))["inputs"] == ["logs"]
    assert b"\n" not in serial.dump(sample())


@pytest.mark.parametrize("body", [
    b"", b"not json", b"null", b"\xff", b"[" * 100_000,
    b"[]", b'{"files":[{}]}', b'{"files":[{"name":1}]}',
    b'{"files":{}}', b'{"files":[{"name":"a","size":"1"}]}', b"{}",
    b'{"files":[{"name":"a","terminated":0}]}', b'{"files":[{"name":"a","mtime":"soon"}]}',
    b'{"files":[{"name":"a","pids":[[1]]}]}', b'{"files":[{"name":"a","size":1.5}]}',
    b'{"files":[{"name":"a","size":1' + b"0" * 5000 + b'}]}',
    b'{"files":[{"name":"a","series":{"columns":{"x":{"values":[],"kinds":"z"}}}}]}',
    b'{"files":[{"name":"a","series":{"columns":{"x":{"values":[],"kinds":"AQ=="}}}}]}',
    b'{"files":[{"name":"a","series":{"columns":{"x":{"values":["no"],"kinds":"AQ=="}}}}]}',
    b'{"files":[{"name":"a","series":{"columns":{"x":{"values":1,"kinds":""}}}}]}',
    '{"files":[],"inputs":["\udc80"]}'.encode("utf-8", "surrogatepass")])
def test_wrong_types_are_refused(body: bytes) -> None:
    with pytest.raises(ValueError):
        serial.load(Evidence, body)
