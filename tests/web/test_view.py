"""What a result page is made of: marks, commands, round times, charts of many ranks."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.evidence.series import NOT_OBTAINED, NUMBER, Column, Series
from assistant.job.types import Process
from assistant.rules.types import And, LogSignal, Name, Rule
from web.view import axis
from web.view.charts import charts
from web.view.commands import pieces
from web.view.marks import marked


def rule(*patterns: str) -> Rule:
    return Rule("network.x", {"en": "x"}, "network", "error", "x",
                {"s": LogSignal(patterns)}, And((Name("s"),)))


def test_marks() -> None:
    assert marked("[ERROR] node 3 is gone for good", rule(r"node \d+ is gone")) == [
        ("[ERROR] ", False), ("node 3 is gone", True), (" for good", False)]
    assert marked("节点 3 已失联，请检查该节点的日志", rule(r"3 已失联")) == [
        ("节点 ", False), ("3 已失联", True), ("，请检查该节点的日志", False)]
    assert marked("ValueError: bad", rule("nothing")) == [("ValueError:", True), (" bad", False)]
    assert marked("a plain line", None) == [("a plain line", False)]


@given(st.text(max_size=80), st.sampled_from([r"\w+", r"[a-z]*", r".", r"a|b", r"(?:x)?"]))
def test_marks_lose_nothing(text: str, pattern: str) -> None:
    assert "".join(piece for piece, _ in marked(text, rule(pattern))) == text


def test_commands_and_names() -> None:
    assert [(piece.kind, piece.text) for piece in pieces("Run `ls -l x` in `dir`.")] == [
        ("text", "Run "), ("command", "ls -l x"), ("text", " in "), ("code", "dir"), ("text", ".")]


@given(st.floats(0, 2e9), st.floats(0.5, 1e8))
def test_ticks_lie_within_and_are_few(start: float, length: float) -> None:
    found = axis.ticks(start, start + length)
    assert len(found) <= 7
    assert all(start - 0.01 <= tick <= start + length + 0.01 for tick in found)
    assert found == sorted(set(found))


def test_labels_of_ticks() -> None:
    assert axis.label(3600 * 8 + 60 * 29 + 10) == "08:29:10"
    assert axis.label(86400 * 30) == "01-31"
    assert axis.label(1.5) == "00:00:01.5"


def diagnosis(processes: list[Process], findings: list[Any] | None = None) -> Any:
    return SimpleNamespace(job=SimpleNamespace(processes=tuple(processes)),
                           findings=tuple(findings or []))


def process(rank: int, values: list[float], stage: int = 0, kinds: bytes | None = None) -> Process:
    steps = tuple(range(1, len(values) + 1))
    column = Column(tuple(values), kinds or bytes([NUMBER]) * len(values))
    return Process(f"rank {rank}", rank, files=(f"worker_{rank}.log",), stage=stage,
                   series=Series(steps, tuple(10 + s for s in steps), (None,) * len(steps),
                                 {"loss": column}))


def test_few_ranks_have_a_line_each_and_nan_is_bad() -> None:
    chart, = charts(diagnosis([process(0, [3.0, 2.0, float("nan")]), process(1, [3.0, 2.5, 2.0])]))
    assert [line["values"] for line in chart["lines"]] == [[3.0, 2.0, "nan"], [3.0, 2.5, 2.0]]
    assert chart["bad"] == {"step": 3, "why": "nan", "rank": 0, "file": "worker_0.log", "line": 13}


def test_a_value_not_obtained_is_not_bad() -> None:
    kinds = bytes([NUMBER, NOT_OBTAINED])
    chart, = charts(diagnosis([process(0, [3.0, 0.0], kinds=kinds)]))
    assert chart["lines"][0]["values"] == [3.0, "none"]
    assert chart["bad"] is None


def test_many_ranks_are_summed_up_by_stage() -> None:
    many = [process(n, [float(n), 2.0], stage=n // 500) for n in range(1000)]
    chart, = charts(diagnosis(many))
    assert [(line["label"], line["kind"]) for line in chart["lines"]] == [
        ("stage 0", "median"), ("stage 1", "median")]
    assert chart["lines"][1]["values"][0] == pytest.approx(750, abs=5)
    assert 0 < chart["sampled"] <= 256


def test_many_steps_are_thinned_and_the_bad_one_stays() -> None:
    values = [1.0] * 5000
    values[3210] = float("inf")
    chart, = charts(diagnosis([process(0, values)]))
    assert len(chart["steps"]) < 500
    assert {1, 5000, 3211} <= set(chart["steps"])
    assert chart["bad"]["step"] == 3211
