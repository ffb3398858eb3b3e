"""Logs written as a time line become the lines that a job prints."""

from __future__ import annotations

import pytest

from assistant.logtext import prefix, steps
from assistant.rules.timeline import MOST_STEPS, TimelineError, render

ZERO = 1767261600.0  # 2026-01-01 10:00:00


def heads(text: str, name: str = "worker_3.log") -> list[prefix.Prefix]:
    found = [prefix.parse(line.encode()) for line in render(name, text).split("\n")]
    return [head for head in found if head is not None]


def test_other_lines_stay_as_they_are() -> None:
    text = "  +1 apple\nTraceback (most recent call last):\n\n[ERROR] x\n"
    assert render("worker_0.log", text) == text


def test_records() -> None:
    one, two, three = heads("+0s our launcher\n+90s ERROR link down\n+1.5h WARNING HCCL: slow")
    assert (one.level, one.time) == ("INFO", ZERO)
    assert (two.level, two.component, two.pid, two.time) == ("ERROR", "ME", 1003, ZERO + 90)
    assert (three.level, three.component, three.time) == ("WARNING", "HCCL", ZERO + 5400)
    assert render("scheduler.log", "+5s ERROR link down").endswith("link down")


def test_a_series_of_steps() -> None:
    lines = render("worker_0.log", "+1m step 3..6 every 2s loss=2.5,nan grad_norm=- mtp_1_loss=7")
    parsed = [steps.parse(line.encode()) for line in lines.split("\n")]
    assert [one.step for one in parsed if one] == [3, 4, 5, 6]
    first, second = parsed[0], parsed[1]
    assert first is not None and second is not None
    assert (first.total, first.values["loss"].number) == (100, 2.5)
    assert first.values["per_step_time"].number == 2000
    assert first.values["mtp_1_loss"].number == 7
    assert "grad_norm" not in first.values
    assert second.values["loss"].number != second.values["loss"].number
    times = [head.time for head in heads("+1m step 3..6 every 2s") if head.time]
    assert times == [ZERO + 60, ZERO + 62, ZERO + 64, ZERO + 66]


def test_one_step_of_many() -> None:
    step = steps.parse(render("worker_0.log", "+0s step 5/5000 per_step_time=12").encode())
    assert step is not None
    assert (step.step, step.total, step.values["per_step_time"].number) == (5, 5000, 12)


@pytest.mark.parametrize(("text", "line", "words"), [
    ("fine\n+30 seconds later", 2, "is no time of a time line"),
    ("+3d late", 1, "is no time of a time line"),
    ("+3s step x", 1, "is no step"),
    ("+3s step 9..3", 1, "is no range of steps"),
    (f"+3s step 1..{MOST_STEPS + 1}", 1, "is no range of steps"),
    ("+3s step 5 loss 3", 1, "is no step"),
])
def test_what_cannot_be_read(text: str, line: int, words: str) -> None:
    with pytest.raises(TimelineError) as caught:
        render("worker_0.log", text)
    assert caught.value.line == line
    assert words in caught.value.message
