from __future__ import annotations

import io
import math
from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.errors import UsageError
from assistant.evidence.keep import Keep
from assistant.evidence.merge import merge, merge_files, relabel, thinned
from assistant.evidence.rows import Row, SeriesBuilder
from assistant.evidence.types import Evidence, FileEvidence, Hit, PatternHits, Skipped
from assistant.patterns import Engine
from assistant.rules.types import PatternSpec
from assistant.scan import build_engine, scan_stream

SPECS = (
    PatternSpec("a/rank", r"rank (?P<rank>\d+)"),
    PatternSpec("a/any", r"e"),
    PatternSpec("a/inside", r"e", inside=("traceback",)),
)
STAMP = b"2026-11-30 08:%02d:%02d,%03d - mindformers/log[a.py:1] - "
#: Chunks that a file can be cut before: each begins with a line that has a time.
CHUNKS: list[bytes] = [
    b"INFO - rank %d is here\n",
    b"ERROR - failed with error %d EI0006\nplain error: text\n",
    b"INFO - one\n\n\r\nrank 1\rrank 2\r\n",
    b"INFO - { step:[ %4d/  100], loss:  %d.5, grad_norm: NaN }\n",
    b"INFO - { step:[    3/  100], loss:  nan }\n",
    b"INFO - now\nTraceback (most recent call last):\n  File \"a.py\", line 3, in main\n"
    b"    run()\nValueError: it is %d, an error\n",
    b"INFO - Current config: {\n  \"steps\": %d\n}\n",
]


def chunk(number: int, kind: int, value: int) -> bytes:
    text = CHUNKS[kind]
    return STAMP % (number // 60, number % 60, 0) + (
        text % ((value,) * text.count(b"%") if text.count(b"%") else ()))


@cache
def engine() -> Engine:
    return build_engine(SPECS)


def scan(content: bytes, first_line: int = 1) -> FileEvidence:
    return scan_stream("a.log", io.BytesIO(content), engine(), SPECS, first_line=first_line)


@given(st.lists(st.tuples(st.integers(0, len(CHUNKS) - 1), st.integers(0, 9)),
                min_size=1, max_size=120), st.data())
@settings(deadline=None, max_examples=150)
def test_parts_give_the_whole(kinds: list[tuple[int, int]], data: st.DataObject) -> None:
    chunks = [chunk(number, *kind) for number, kind in enumerate(kinds)]
    cuts = sorted(data.draw(st.sets(st.integers(0, len(chunks)), max_size=4)))
    parts, line = [], 1
    for start, end in zip([0, *cuts], [*cuts, len(chunks)], strict=True):
        content = b"".join(chunks[start:end])
        parts.append(scan(content, line))
        line += content.count(b"\n")
    whole = scan(b"".join(chunks))
    mixed: Sequence[FileEvidence] = data.draw(st.permutations(parts))
    assert merge_files(mixed) == whole
    # In groups: the first two of any order, then the rest.
    grouped = merge_files([merge_files(mixed[:2]), *mixed[2:]])
    assert grouped == whole


def test_repeats_add_up() -> None:
    error = chunk(1, 5, 7)
    one, other = scan(error * 3), scan(error, 16)
    merged = merge_files([other, one])
    assert [event.line for event in merged.events] == [2, 17]
    assert [event.repeats for event in merged.events] == [4, 4]
    assert merged.event_count == 4


def test_parts_of_different_files_are_refused() -> None:
    with pytest.raises(ValueError, match="one file"):
        merge_files([FileEvidence("a"), FileEvidence("b")])
    with pytest.raises(ValueError, match="one file"):
        merge_files([])


def test_pids_are_added() -> None:
    merged = merge_files([FileEvidence("a", pids=((7, 2), (3, 1))),
                          FileEvidence("a", pids=((3, 5), (7, 4)))])
    assert merged.pids == ((3, 6), (7, 6))


def evidence(*names: str, path: str = "x") -> Evidence:
    return Evidence(tuple(FileEvidence(name) for name in names), (Skipped("s", "why"),), (path,))


def test_inputs_in_any_order_and_grouping() -> None:
    a, b, c = evidence("a1", "a2"), evidence("b", path="y"), evidence("c")
    whole = merge([a, b, c])
    assert [file.name for file in whole.files] == ["a1", "a2", "b", "c"]
    assert whole.skipped == (Skipped("s", "why"),)
    assert whole.inputs == ("x", "y")
    assert merge([c, merge([b, a])]) == merge([merge([c, a]), b]) == whole


def test_same_name_from_two_inputs_is_refused() -> None:
    with pytest.raises(UsageError, match=r"worker_0\.log"):
        merge([evidence("worker_0.log"), evidence("worker_0.log", path="y")])


def test_labels_keep_inputs_apart() -> None:
    both = merge([relabel(evidence("worker_0.log"), "node-a"),
                  relabel(evidence("worker_0.log"), "node-b")])
    assert [file.name for file in both.files] == ["node-a/worker_0.log", "node-b/worker_0.log"]
    assert [item.file for item in both.skipped] == ["node-a/s", "node-b/s"]


def test_thinned_is_what_a_scan_that_keeps_less_would_give() -> None:
    few = Keep(first_hits=3, last_hits=2, first_rows=2, last_rows=3, abnormal_rows=1,
               largest_rows=2, stretches=3, strided_rows=4)
    hits = tuple(Hit(line, "x") for line in range(1, 30))
    full, light = SeriesBuilder(), SeriesBuilder(few)
    for step in range(1, 300):
        row = Row(step, step, None, {"loss": (1, math.sin(step))}, f"text {step}")
        full.add(row)
        light.add(row)
    file = FileEvidence("a", hits={"r/s": PatternHits(50, hits)}, series=full.build())
    found = thinned(file, few)
    assert [hit.line for hit in found.hits["r/s"].hits] == [1, 2, 3, 28, 29]
    assert found.hits["r/s"].count == 50
    assert found.series == light.build()
    assert thinned(found, few) == found
