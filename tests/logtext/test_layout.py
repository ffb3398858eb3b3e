from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.logtext import steps
from assistant.logtext.layout import layout_of

HEAD = b"2026-11-30 08:29:12,661 - mindformers/log[a.py:337] - INFO - "
LINE = (b"{ step:[    3/   10], consumed_samples: 12, loss:   5.785767, per_step_time:    392ms, "
        b"lr: 7.500000e-06, grad_norm: %b, throughput:   2.55T }")
EARLY = (b"{ step:[    3/   10], consumed_samples: None, loss: N/A (non-last PP stage, refer to "
         b"last stage for real loss), per_step_time:    338ms, grad_norm: NaN }")


def same(line: bytes, sample: bytes) -> bool:
    """Whether the layout of the sample reads the line, and as steps.parse_all does."""
    parsed = steps.parse(sample)
    assert parsed is not None
    layout = layout_of(sample, parsed)
    assert layout is not None
    found = layout.parse(line)
    if found is None:
        return False
    (wanted,) = steps.parse_all(line)
    assert found == (wanted.step, wanted.total, wanted.values)
    return True


@pytest.mark.parametrize("sample", [LINE % b"0.7", LINE % b"NaN", EARLY])
def test_next_line_is_read(sample: bytes) -> None:
    line = HEAD + sample.replace(b"    3/", b" 1234/").replace(b"5.785767", b"-1e+02")
    assert same(line, HEAD + sample)


@pytest.mark.parametrize("change", [
    (b"0.7", b"nan"), (b"0.7", b"NaN"), (b"0.7", b"inf"), (b", lr: 7.500000e-06", b""),
    (b"T }", b"T, more: 1 }"), (b" }", b""), (b" }", b" } { step:[    4/   10], loss: 1 }"),
    (b"392ms", b"392 ms"), (b"{ step", b"{ Epoch:[  1/  2], step")])
def test_other_layouts_are_left_alone(change: tuple[bytes, bytes]) -> None:
    sample = HEAD + LINE % b"0.7"
    line = sample.replace(*change)
    assert line != sample
    assert not same(line, sample)


@pytest.mark.parametrize("line", [
    b"- INFO - { Epoch:[  1/  2], step:[    1/   19], loss:[10.6/10.6], per_step_time: 1ms",
    b"step:[    5/   10] max_attention_logit/mean: 12.5", b'{"step": 5, "local_loss": 9.87}',
    b"{ step:[    3/   10], loss: 1.5, loss: 2.5 }", b"{ step:[    3/   10], loss: nan }"])
def test_lines_without_a_simple_layout(line: bytes) -> None:
    parsed = steps.parse(line)
    assert parsed is None or layout_of(line, parsed) is None


NUMBERS = st.floats().map(lambda x: f"{x:f}".encode()) | st.sampled_from(
    [b"1", b"1.", b".5", b"1e5", b"1e-05", b"+2", b"NaN", b"nan", b"inf", b"1_0", b"0x1", b"",
     b"1 2", b"N/A", b"1ms", b"1T", b"None", "１".encode()])


@given(st.lists(st.tuples(st.sampled_from([b"loss", b"lr", b"grad_norm", b"overflow cond",
                                           b"global_norm", b"x"]),
                          st.sampled_from([b": ", b":    ", b" : ", b":"]), NUMBERS,
                          st.sampled_from([b"", b"", b"ms", b"T", b" ms", b"%"])),
                min_size=1, max_size=4), NUMBERS)
def test_never_read_otherwise_than_by_steps(fields: list[tuple[bytes, bytes, bytes, bytes]],
                                            other: bytes) -> None:
    text = b", ".join(b"".join(field) for field in fields)
    sample = b"{ step:[    3/   10], " + text + b" }"
    parsed = steps.parse(sample)
    layout = layout_of(sample, parsed) if parsed is not None else None
    if layout is None:
        return
    line = sample.replace(fields[0][2], other, 1) if fields[0][2] else sample
    found = layout.parse(line)
    if found is not None:
        (wanted,) = steps.parse_all(line)
        assert found == (wanted.step, wanted.total, wanted.values)
