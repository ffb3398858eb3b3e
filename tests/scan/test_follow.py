from __future__ import annotations

import io
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.patterns import Engine
from assistant.rules.types import PatternSpec
from assistant.scan import build_engine, scan_stream
from assistant.scan.follow import Following

LAB = Path(__file__).parent.parent / "cases" / "lab"
SPECS = (PatternSpec("a/rank", r"rank id: (?P<rank>\d+)"), PatternSpec("a/step", r"step:\["),
         PatternSpec("a/inside", r"Error", inside=("traceback",)))
LOGS = [LAB / "exc-rank2/msrun_log/worker_2.log", LAB / "ok-dp4/msrun_log/worker_0.log",
        LAB / "nanloss/msrun_log/worker_1.log", LAB / "graphmode/msrun_log/worker_0.log"]
TRACEBACK = (b"Traceback (most recent call last):\n  File \"a.py\", line 3, in main\n"
             b"    run()\nValueError: it is an Error\n")


@pytest.fixture(scope="module")
def engine() -> Engine:
    return build_engine(SPECS)


@given(st.sampled_from(LOGS), st.lists(st.integers(0, 20_000), max_size=6), st.booleans())
@settings(deadline=None, max_examples=40)
def test_the_same_evidence_however_the_bytes_come(path: Path, cuts: list[int],
                                                  looked: bool) -> None:
    content = path.read_bytes()
    engine = build_engine(SPECS)
    following = Following(engine, SPECS, line_limit=300)
    places = [0, *sorted(cut % (len(content) + 1) for cut in cuts), len(content)]
    for start, end in pairwise(places):
        following.feed(content[start:end])
        if looked:  # looking changes nothing
            following.evidence("x")
            following.evidence("x", ended=True)
    whole = scan_stream("x", io.BytesIO(content), engine, SPECS, mtime=5.0, line_limit=300)
    assert repr(following.evidence("x", 5.0, ended=True)) == repr(whole)
    assert following.size == len(content)


def test_at_every_moment_it_is_that_of_a_file_that_ends_there(engine: Engine) -> None:
    content = b"rank id: 1\n" + TRACEBACK + b"step:[ 1/ 2]\n"
    following = Following(engine, SPECS)
    for end in range(1, len(content) + 1):
        following.feed(content[end - 1:end])
        assert repr(following.evidence("x", ended=True)) == repr(
            scan_stream("x", io.BytesIO(content[:end]), engine, SPECS))


def test_what_may_yet_become_something_else_is_left_out(engine: Engine) -> None:
    following = Following(engine, SPECS)
    following.feed(b"rank id: 1\nrank id: 2")
    assert following.evidence("x").hits["a/rank"].count == 1
    following.feed(b"3\n" + TRACEBACK[:-20])
    soon = following.evidence("x")
    assert soon.hits["a/rank"].hits[1].captures == (("rank", "23"),)
    assert soon.events == () and "a/inside" not in soon.hits
    assert following.evidence("x", ended=True).event_count == 1
    following.feed(TRACEBACK[-20:] + b"2026-11-30 08:00:00,000 - mindformers/a.py - INFO - x\n")
    [event] = following.evidence("x").events
    assert event.message == "it is an Error" and event.complete


def test_a_step_line_counts_at_once(engine: Engine) -> None:
    following = Following(engine, SPECS)
    for step in (1, 2, 3):
        following.feed(b"{ step:[ %d/ 9], loss: 2.5 }\n" % step)
        assert following.evidence("x").series.steps == tuple(range(1, step + 1))
        assert following.evidence("x").series.total_steps == 9
