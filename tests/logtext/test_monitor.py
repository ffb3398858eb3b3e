"""Lines of the training monitors."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.evidence.series import NOT_OBTAINED, NUMBER
from assistant.logtext import monitor, steps
from assistant.logtext.steps import Value

HEAD = b"2026-11-30 08:03:58,703 - mindformers./output/log[mindformers/a.py:7] - INFO - "


@pytest.mark.parametrize(("line", "step", "total", "values"), [
    (b'{ "step": 5, "micro_step": 1 }', 5, None, {}),
    (b'{ "local_norm": layers.0.weight:   1.234567 }', None, None, {"local_norm": 1.234567}),
    (b"{ local_norm: layers.0.weight:   1.234567 }", None, None, {"local_norm": 1.234567}),
    (b'{ "device_norm": 2.5 }', None, None, {"device_norm": 2.5}),
    (b'{"step": 5, "micro_step": 1, "local_loss": 9.87}', 5, None, {"local_loss": 9.87}),
    (b"{ micro_step: 1, local_loss: 9.87 }", None, None, {"local_loss": 9.87}),
    (b'{"step": 5, "device_loss": 1e-3}', 5, None, {"device_loss": 0.001}),
    (b'{"iter": 0, "step": 5, "micro_step": 1, "block": "decoder", "layer": 3, '
     b'"tpe": [[12, 0, 4], [0, 0, 8]]}', 5, None, {"expert_imbalance": 3.0, "idle_experts": 3}),
    (b"step:[    5/   10] max_attention_logit/layers.0.core: [12.5, 13.1, -20]", 5, 10,
     {"max_attention_logit": -20}),
    (b"step:[    5/   10] max_attention_logit/mean: 9.1", 5, 10,
     {"max_attention_logit_mean": 9.1}),
    (b"step:[    5/   10] max_attention_logit/max: 13.1", 5, 10, {"max_attention_logit": 13.1}),
    (b"Epoch:[  2/  2], step:[    5/   19] local_norm/model.w: 1.2345", 24, 38,
     {"local_norm": 1.2345}),
    (b"Epoch:[  1/  2], step:[    5/   19] device_local_norm: 0.5", 5, 38,
     {"device_local_norm": 0.5}),
])
def test_layouts(line: bytes, step: int | None, total: int | None,
                 values: dict[str, float]) -> None:
    found = steps.parse(HEAD + line)
    assert found is not None
    assert (found.step, found.total, found.kind) == (step, total, "monitor")
    assert {name: value.number for name, value in found.values.items()} == values


def test_json_prints_a_numeric_nan_as_capital_nan() -> None:
    found = steps.parse(b'{"step": 5, "micro_step": 1, "local_loss": NaN}')
    assert found is not None
    assert found.values["local_loss"].kind == NUMBER
    assert math.isnan(found.values["local_loss"].number)


@pytest.mark.parametrize("line", [b'    "step": 5,', b'{"training": {"steps": 4}}',
                                  b'{"step": 1, "loss": 3}', b"{", b'{ "tpe": ', b""])
def test_other_lines(line: bytes) -> None:
    assert monitor.parse_braces(line) is None or not steps.parse(line).values  # type: ignore[union-attr]


def test_the_worst_value_wins() -> None:
    one, two = Value(NUMBER, 1.0), Value(NUMBER, -2.0)
    inf, nan = Value(NUMBER, math.inf), Value(NUMBER, math.nan)
    none = Value(NOT_OBTAINED)
    assert monitor.worst(one, two) is two
    assert monitor.worst(none, one) is one
    assert monitor.worst(inf, two) is inf
    assert monitor.worst(inf, nan) is nan
    assert monitor.worst(nan, inf) is nan


@given(st.lists(st.lists(st.integers(0, 10**6), min_size=1, max_size=8), min_size=1, max_size=4))
def test_expert_load(counts: list[list[int]]) -> None:
    found = steps.parse(HEAD + f'{{"step": 5, "layer": 3, "tpe": {counts}}}'.encode())
    assert found is not None
    flat = [count for row in counts for count in row]
    if sum(flat) == 0:
        assert not found.values
    else:
        assert found.values["idle_experts"].number == flat.count(0)
        mean = sum(flat) / len(flat)
        assert found.values["expert_imbalance"].number == pytest.approx(max(flat) / mean)


@given(st.binary())
def test_never_raises(junk: bytes) -> None:
    monitor.parse_braces(b'{ "local_norm": ' + junk)
    monitor.parse_braces(b'{"tpe": [' + junk)
    monitor.parse_tag(b" max_attention_logit/x: " + junk, 1, 2)
