from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.evidence.types import FileEvidence
from assistant.patterns import Engine
from assistant.rules.types import PatternSpec
from assistant.scan import build_engine, health, scan_stream

Compare = Callable[[FileEvidence, bytes, Sequence[PatternSpec], int], None]

SPECS = (
    PatternSpec("start/formed", "Cluster is successfully initialized"),
    PatternSpec("start/rank", r"This node (?P<node>\d+) rank id: (?P<rank>\d+)"),
    PatternSpec("start/rank", r"rank id: (?P<other>\d+)"),
    PatternSpec("any/error", "(?i)error"),
    PatternSpec("any/inside", "(?i)error", inside=("traceback",)),
    PatternSpec("any/outside", "(?i)error", outside=("traceback", "cann")),
    PatternSpec("by/component", "a", components=("DISTRIBUTED", "HCCL")),
    PatternSpec("by/level", "e", levels=("ERROR", "WARNING")),
    PatternSpec("all/steps", r"step:\[ *(?P<step>\d+)"),
    PatternSpec("all/lines", "[a-z]"),
)
CASES = Path(__file__).parents[1] / "cases"
LOGS = sorted(path for path in CASES.rglob("*") if path.suffix in (".log", ".txt"))

TRACEBACK = b"""Traceback (most recent call last):
  File "/home/user/train.py", line 7, in <module>
    main()
ValueError: an Error of sorts
"""
RECORD = b"[WARNING] DISTRIBUTED(7,7f17,python):2026-11-30-08:29:04.502.123 [a/b.cc:4] Run] "
STEP = (b"2026-11-30 08:29:12,661 - mindformers/log[a.py:337] - INFO - { step:[    3/   10], "
        b"loss:  10.021076, per_step_time:   1081ms, grad_norm: NaN }")
#: What random logs are put together from.
LINES = [
    b"", b" ", b"plain text", b"rank id: 5", b"\xff\xfe broken", b"nul \0 byte", b"x" * 70,
    RECORD + b"This node 2 rank id: 3", RECORD + b"Cluster is successfully initialized.",
    STEP, STEP.replace(b"10.021076", b"nan"), b"[rank1]: " + STEP,
    b"[ERROR] HCCL(8,python3):2026-11-30-08:30:00.000.001 [h.cc:1] connect failed",
    b"EI0006: Getting socket times out. Reason: Remote Rank did not send the data in time.",
    b"        Possible Cause: a", b"        Solution: b",
    b"        TraceBack (most recent call last):",
    b"- C++ Call Stack: (For framework developers)", b"mindspore/ccsrc/a.cc:5 Run",
    b"2026-11-30 08:24:23,359 - mindformers/log[train.py:47] - INFO - Current config: {",
    b'  "steps": 10,', b'  "parallelism": {', b'    "pipeline_parallel": 2', b"  }", b"}",
    *TRACEBACK.splitlines(), *(b"[rank3]: " + line for line in TRACEBACK.splitlines()),
    b"Fatal Python error: Segmentation fault", b"Error: it failed",
]
ENDS = [b"\n", b"\n", b"\n", b"\r\n", b"\r", b"\r\r\n"]


@pytest.fixture(scope="module", params=["auto", "re2"])
def engine(request: pytest.FixtureRequest) -> Engine:
    return build_engine(SPECS, engine=request.param)


def scan(content: bytes, engine: Engine, **options: Any) -> FileEvidence:
    return scan_stream("a.log", io.BytesIO(content), engine, SPECS, **options)


@given(st.lists(st.tuples(st.sampled_from(LINES), st.sampled_from(ENDS)), max_size=40),
       st.booleans(), st.integers(1, 600), st.sampled_from([40, 64, 1000, 1 << 20]))
@settings(deadline=None, max_examples=200,
          suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_random_logs(engine: Engine, compare: Compare, parts: list[tuple[bytes, bytes]],
                     ended: bool, block_size: int, limit: int) -> None:
    content = b"".join(line + end for line, end in parts)
    if not ended:
        content = content.rstrip(b"\r\n")
    evidence = scan(content, engine, block_size=block_size, line_limit=limit)
    compare(evidence, content, SPECS, limit)
    # All fields, and not only those that the plain scan knows.
    assert repr(evidence) == repr(scan(content, engine, line_limit=limit))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: str(path.relative_to(CASES)))
def test_real_logs(engine: Engine, compare: Compare, path: Path) -> None:
    content = path.read_bytes()
    evidence = scan(content, engine)
    compare(evidence, content, SPECS, 1 << 20)
    for block_size in (997, 70):
        assert repr(scan(content, engine, block_size=block_size)) == repr(evidence)


def test_there_are_real_logs() -> None:
    assert LOGS


def test_hit_says_where_it_stands(engine: Engine) -> None:
    content = RECORD + b"This node 2 rank id: 3\n[rank6]: rank id: 9\n"
    first, second = scan(content, engine).hits["start/rank"].hits
    assert (first.line, first.level, first.component, first.pid) == (1, "WARNING",
                                                                     "DISTRIBUTED", 7)
    assert first.captures == (("node", "2"), ("rank", "3"))
    assert first.time == pytest.approx(1796027344.502123)
    assert first.rank is None
    assert (second.line, second.level, second.rank) == (2, None, 6)
    assert second.time == first.time, "a line without a stamp has the time of the line above"
    assert second.captures == (("other", "9"),)


def test_hits_inside_an_event_know_it(engine: Engine) -> None:
    evidence = scan(b"an error\n" + TRACEBACK + RECORD + b"error again\n", engine)
    assert [(h.line, h.event) for h in evidence.hits["any/error"].hits] == [
        (1, None), (5, 2), (6, None)]
    assert [h.line for h in evidence.hits["any/inside"].hits] == [5]
    assert [h.line for h in evidence.hits["any/outside"].hits] == [1, 6]
    assert [(e.kind, e.line, e.end_line) for e in evidence.events] == [("traceback", 2, 5)]


def test_lines_of_an_event_have_the_rank_that_a_launcher_states_on_its_first(
        engine: Engine) -> None:
    evidence = scan(b"[rank3]:[W1031 21:35:04.83 a.cpp:5] Warning: EI0006: Inner Error!\n"
                    b"        Event wait error.[FUNC:Get][FILE:a.cc][LINE:1]\n", engine)
    assert [(h.line, h.rank) for h in evidence.hits["any/error"].hits] == [(1, 3), (2, 3)]


@pytest.mark.parametrize(("code", "outside"), [("EE9999", [1, 2]), ("EI0006", [])])
def test_the_lines_of_an_error_block_with_a_general_code_count_as_outside(
        engine: Engine, code: str, outside: list[int]) -> None:
    evidence = scan(f"{code}: Inner Error!\n        Event wait error, result = 507011.\n".encode(),
                    engine)
    assert [e.kind for e in evidence.events] == ["cann"]
    found = evidence.hits.get("any/outside")
    assert ([h.line for h in found.hits] if found else []) == outside


def test_event_that_the_file_ends_in(engine: Engine) -> None:
    evidence = scan(TRACEBACK[:-20], engine)
    assert evidence.event_count == 1
    assert not evidence.terminated


def test_counts_are_true_and_hits_bounded(engine: Engine) -> None:
    content = b"".join(b"rank id: %d\n" % i for i in range(100))
    found = scan(content, engine, block_size=50).hits["start/rank"]
    assert found.count == 100
    assert [h.line for h in found.hits] == [*range(1, 33), *range(93, 101)]
    assert [h.captures for h in found.distinct] == [(("other", str(i)),) for i in range(100)]


def test_line_counts_once_however_many_segments_match(engine: Engine) -> None:
    evidence = scan(b"rank id: 1\rrank id: 2\rdone\n", engine)
    assert evidence.lines == 1
    assert evidence.hits["start/rank"].count == 1
    assert evidence.hits["start/rank"].hits[0].captures == (("other", "1"),)


def test_carriage_return_at_the_line_end_vanishes(engine: Engine) -> None:
    unix = TRACEBACK + STEP + b"\n" + RECORD + b"rank id: 3\n"
    dos = unix.replace(b"\n", b"\r\n")
    one, other = scan(unix, engine), scan(dos, engine)
    assert other.size == one.size + 6
    assert (other.hits, other.events, other.tail, other.head) == (
        one.hits, one.events, one.tail, one.head)


def test_error_lines_outside_events(engine: Engine) -> None:
    record = b"[ERROR] HCCL(8,python3):2026-11-30-08:30:00.000.00%d [h.cc:1] error: %d EI0006\n"
    content = b"".join(record % (i, i) for i in range(6)) + TRACEBACK + STEP + b"\n"
    evidence = scan(content, engine)
    (error,) = evidence.errors
    assert (error.count, evidence.error_count, error.codes) == (6, 6, ("EI0006",))
    assert [h.line for h in error.hits] == [1, 2, 3, 6]
    assert dict(error.matched)["any/error"] == 6
    assert "any/inside" not in dict(error.matched)


def test_configuration_of_the_last_run(engine: Engine) -> None:
    dump = b"x - INFO - Current config: {\n  \"steps\": %d\n}\n"
    evidence = scan(dump % 1 + b"text\n" + dump % 2, engine, block_size=9)
    assert (evidence.config, evidence.config_line) == ({"steps": "2"}, 5)


def test_notes(engine: Engine) -> None:
    assert scan("文件 opened\n".encode(), engine, line_limit=4).notes == ("long-lines",)
    assert scan(b"\xff\n\0\n", engine).notes == ("invalid-utf8", "nul-bytes")
    assert scan(b"cut in a character \xe6\x96", engine).notes == ("invalid-utf8",)


def test_long_line_is_shown_around_the_match(engine: Engine) -> None:
    evidence = scan(b"y" * 9000 + b" rank id: 7 " + b"z" * 9000, engine)
    (hit,) = evidence.hits["start/rank"].hits
    assert "rank id: 7" in hit.text
    assert len(hit.text) <= 500


def test_failing_stream_gives_what_was_read(engine: Engine) -> None:
    class Failing(io.BytesIO):
        def read1(self, size: int | None = -1, /) -> bytes:
            data = super().read1(4)
            if not data:
                raise OSError("no longer there")
            return data

    evidence = scan_stream("a", Failing(b"rank id: 1\nrank id: 2"), engine, SPECS)
    assert evidence.hits["start/rank"].count == 2
    assert evidence.notes == ("read-error: no longer there",)


@pytest.mark.parametrize(("change", "note"), [(b"more\n", "grew"), (None, "shrank")])
def test_file_that_changes_while_being_read(engine: Engine, tmp_path: Path,
                                            change: bytes | None, note: str) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(b"rank id: 1\n" * 10)

    changed: list[int] = []

    def meddle(size: int) -> None:
        changed.append(size)
        if change is None:
            path.write_bytes(b"")
        elif len(changed) == 1:
            with path.open("ab") as more:
                more.write(change)

    with path.open("rb", buffering=0) as stream:
        evidence = scan_stream("a", stream, engine, SPECS, block_size=55,
                               advance=meddle)
    assert note in evidence.notes


def test_file_that_grows_faster_than_it_is_read(engine: Engine, tmp_path: Path,
                                                monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read to the size it had, and a bounded way beyond: not without end."""
    monkeypatch.setattr(health, "GROWTH", 100)
    path = tmp_path / "a.log"
    line = b"rank id: 1\n"
    path.write_bytes(line * 10)

    def grow(size: int) -> None:
        assert path.stat().st_size < 10_000, "it is followed without end"
        with path.open("ab") as more:
            more.write(line * 10)

    with path.open("rb", buffering=0) as stream:
        evidence = scan_stream("a", stream, engine, SPECS, block_size=55, advance=grow)
    assert evidence.notes == ("grew",)
    assert evidence.size == 210
    assert evidence.hits["start/rank"].count == 19


def test_monitors_join_their_step(engine: Engine) -> None:
    monitor = b'x - INFO - {"step": 3, "micro_step": 0, "local_loss": 7.5}\n'
    series = scan(monitor + STEP + b"\n" + monitor.replace(b"7.5", b"8.5"), engine).series
    assert series.steps == (3,)
    assert series.columns["local_loss"].values == (8.5,)
    assert series.columns["loss"].values == (10.021076,)
    assert series.lines == (2,)
