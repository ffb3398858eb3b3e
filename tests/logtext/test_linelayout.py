"""Whole lines of one layout: what is read of them in bulk is what is read one by one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assistant.logtext import prefix, steps
from assistant.logtext.layout import layout_of
from assistant.logtext.linelayout import LineLayout, line_layout

LINE = (b"2026-11-30 08:00:01,357 - mindformers/log[a.py:337] - INFO - { step:[    1/  900], "
        b"loss: %s, per_step_time:  310ms, lr: %s }")


def made() -> LineLayout:
    line = LINE % (b"0.5", b"1.0e-05")
    (found,) = steps.parse_all(line)
    layout = layout_of(line, found)
    assert layout is not None
    whole = line_layout(line, layout)
    assert whole is not None
    return whole


NUMBERS = (st.floats(allow_nan=False).map(lambda number: f"{number:.6e}")
           | st.floats(-1e9, 1e9).map(lambda number: f"{number:9.6f}")
           | st.text("0123456789.e+-", min_size=1, max_size=12)
           | st.sampled_from(("nan", "inf", "1e5", ".5", "-.5", "1.", "+1.5", "007", "1.2.3", "-",
                              "1e+00005", "1e+5555", "9" * 45, "1_0", "1 2", "")))


@given(NUMBERS, NUMBERS)
def test_what_is_read_in_bulk_is_what_is_read_alone(loss: str, rate: str) -> None:
    line = LINE % (loss.encode(), rate.encode())
    run = made().read(line, (0,))
    found = next(steps.parse_all(line), None)
    if len(run):
        assert found is not None
        assert (run.step(0), run.total(0), run.values(0)) == (
            found.step, found.total, found.values)
        head = prefix.parse(line)
        assert head is not None
        assert run.time(0) == head.time


def test_up_to_the_first_line_without_a_number() -> None:
    lines = [LINE % (b"%d.5" % number, b"1.0e-05") for number in range(9)]
    lines[5] = LINE % (b"1.2.3", b"1.0e-05")
    data = b"\n".join(lines)
    starts = [data.index(line) for line in lines]
    run = made().read(data, starts)
    assert run.column("loss") == [0.5, 1.5, 2.5, 3.5, 4.5]
    assert len(made().read(data, starts[5:])) == 0
