"""Step lines."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.evidence.series import NOT_APPLICABLE, NOT_OBTAINED, NUMBER
from assistant.logtext import steps
from assistant.logtext.steps import Value

HEAD = (b"2026-11-30 08:03:58,703 - mindformers/home/user/job/output/log[mindformers/pynative/"
        b"callback/loss_callback.py:337] - INFO - ")
LAST = HEAD + (b"{ step:[    5/   10], consumed_samples: 20, global_batch_size: 4, loss:   "
               b"4.478439, per_step_time:    390ms, lr: 1.000000e-05, grad_norm:   0.546656, "
               b"throughput:   2.56T }")
EARLY = HEAD + (b"{ step:[    5/   10], consumed_samples: None, global_batch_size: None, loss: "
                b"N/A (non-last PP stage, refer to last stage for real loss), per_step_time:   "
                b" 390ms, grad_norm: NaN }")
OLD_EARLY = (b"[INFO] 2026-06-09 10:20:30 [mindformers/pynative/callback/loss_callback.py:231] "
             b"_print_log: { step:[    1/  10], per_step_time:    390ms }")
GRAPH = (b"2025-03-18 23:45:19,490 - [mindformers/core/callback/callback.py:529] - INFO - { Epoch:"
         b"[  2/  2], step:[    2/   19], loss: 10.633, per_step_time: 1752ms, lr: 1e-05, "
         b"overflow cond: False, loss_scale: 1.0, global_norm: [1.508834], "
         b"train_throughput_per_npu: 170.738T")


def numbers(line: bytes) -> dict[str, float]:
    found = steps.parse(line)
    assert found is not None
    return {name: value.number for name, value in found.values.items() if value.kind == NUMBER}


def test_pynative() -> None:
    found = steps.parse(LAST)
    assert found is not None
    assert (found.step, found.total, found.kind) == (5, 10, "pynative")
    assert numbers(LAST) == {"consumed_samples": 20, "global_batch_size": 4, "loss": 4.478439,
                             "per_step_time": 390, "lr": 1e-5, "grad_norm": 0.546656,
                             "throughput": 2.56}


def test_early_stage_tells_four_things_apart() -> None:
    found = steps.parse(EARLY)
    assert found is not None
    assert found.values["loss"] == Value(NOT_APPLICABLE)
    assert found.values["grad_norm"] == Value(NOT_OBTAINED)
    assert found.values["consumed_samples"] == Value(NOT_OBTAINED)
    assert "lr" not in found.values
    computed = steps.parse(LAST.replace(b"0.546656", b"     nan").replace(b"4.478439", b"inf"))
    assert computed is not None
    assert computed.values["grad_norm"].kind == NUMBER
    assert math.isnan(computed.values["grad_norm"].number)
    assert computed.values["loss"] == Value(NUMBER, math.inf)


def test_old_early_stage_has_no_loss() -> None:
    found = steps.parse(OLD_EARLY)
    assert found is not None
    assert dict(found.values) == {"per_step_time": Value(NUMBER, 390.0)}


def test_graph_counts_over_epochs() -> None:
    found = steps.parse(GRAPH)
    assert found is not None
    assert (found.step, found.total, found.kind) == (21, 38, "graph")
    assert numbers(GRAPH) == {"loss": 10.633, "per_step_time": 1752, "lr": 1e-5,
                              "overflow_cond": 0, "loss_scale": 1, "grad_norm": 1.508834,
                              "throughput": 170.738}


def test_graph_other_versions() -> None:
    pair = numbers(GRAPH.replace(b"loss: 10.633", b"loss:[10.633/11.2]"))
    assert (pair["loss"], pair["loss_mean"]) == (10.633, 11.2)
    assert numbers(GRAPH.replace(b"False", b"True"))["overflow_cond"] == 1
    assert math.isnan(numbers(GRAPH.replace(b"[1.508834]", b"[nan]"))["grad_norm"])
    none = steps.parse(GRAPH.replace(b"[1.508834]", b"None").replace(b"1.0,", b"unavailable,"))
    assert none is not None
    assert none.values["grad_norm"] == none.values["loss_scale"] == Value(NOT_OBTAINED)
    oldest = (b"Epoch:[  1/  3], step:[    2/   19], loss:[10.649/10.700], time:3.100 ms, "
              b"lr:0.001, overflow cond: False, loss_scale: 65536.0")
    assert numbers(oldest) == {"loss": 10.649, "loss_mean": 10.7, "per_step_time": 3.1,
                               "lr": 0.001, "overflow_cond": 0, "loss_scale": 65536}


def test_optional_and_unknown_fields() -> None:
    line = (b"{ step:[    5/   10], loss:   4.478439, per_step_time:    390ms, indexer_loss:   "
            b"0.100000, load_balancing_loss:   1.000000, mtp_1_loss:   4.000000, mtp_2_loss:   "
            b"4.100000, router_z_loss: 0.5, phase: warmup, lr: 1.0e-05, grad_norm: NaN }")
    found = numbers(line)
    assert {"indexer_loss", "load_balancing_loss", "mtp_1_loss", "mtp_2_loss",
            "router_z_loss", "lr"} <= found.keys()
    assert "phase" not in found


def test_two_records_on_one_line() -> None:
    both = list(steps.parse_all(OLD_EARLY + LAST))
    assert [(one.step, len(one.values)) for one in both] == [(1, 1), (5, 7)]


@pytest.mark.parametrize(("cut", "names"), [
    (b"{ step:[    5/   10], loss:   4.478439, per_step_time:    39", {"loss"}),
    (b"{ step:[    5/   10], loss:   4.47[WARNING] DISTRIBUTED(9003,7f4c", set()),
    (b"{ step:[    5/   10],", set()),
])
def test_a_cut_value_does_not_count(cut: bytes, names: set[str]) -> None:
    found = steps.parse(cut)
    assert found is not None
    assert found.step == 5
    assert set(found.values) == names


@pytest.mark.parametrize("line", [
    b"", b"step:[", b"step:[a/b], loss: 1 }", b"Training loop ends at step 10.",
    b"step:[ 1/ 2] saving", b"loss: 3.0", b'{"step": 1, "loss": 3}'])
def test_other_lines(line: bytes) -> None:
    assert steps.parse(line) is None


@given(st.binary() | st.builds(lambda line, at, junk: line[:at] + junk,
                               st.sampled_from([LAST, EARLY, GRAPH]), st.integers(80, 400),
                               st.binary(max_size=60)))
def test_never_raises(line: bytes) -> None:
    for found in steps.parse_all(line):
        for value in found.values.values():
            assert value.kind in (NUMBER, NOT_OBTAINED, NOT_APPLICABLE)
            assert value.kind == NUMBER or value.number == 0.0


FLOATS = st.floats(width=32) | st.sampled_from([math.nan, math.inf, -math.inf, 0.0])
FIELDS = st.dictionaries(
    st.from_regex(r"[a-z][a-z0-9_]{0,20}", fullmatch=True).filter(
        lambda name: name not in (*steps.RENAMED, "loss", "per_step_time")),
    st.none() | FLOATS, max_size=6)


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.none() | FLOATS,
       st.integers(0, 10**6), FIELDS)
def test_generated_pynative_lines(step: int, total: int, loss: float | None, ms: int,
                                  fields: dict[str, float | None]) -> None:
    parts = [f"step:[{step:5d}/{total:5d}]",
             "loss: N/A (non-last PP stage, refer to last stage for real loss)" if loss is None
             else f"loss: {loss:10.6f}", f"per_step_time: {ms:6d}ms"]
    parts += [f"{name}: NaN" if number is None else f"{name}: {number:10.6f}"
              for name, number in fields.items()]
    found = steps.parse(HEAD + f"{{ {', '.join(parts)} }}".encode())
    assert found is not None
    assert (found.step, found.total, found.kind) == (step, total, "pynative")
    assert found.values["per_step_time"] == Value(NUMBER, ms)
    assert (found.values["loss"].kind == NOT_APPLICABLE) == (loss is None)
    assert set(found.values) == {"loss", "per_step_time", *fields}
    for name, number in fields.items():
        value = found.values[name]
        if number is None:
            assert value == Value(NOT_OBTAINED)
        else:
            assert value.kind == NUMBER
            assert value.number == pytest.approx(float(f"{number:.6f}"), nan_ok=True)


@given(st.integers(1, 50), st.integers(1, 50), st.integers(1, 5000), st.integers(1, 5000),
       FLOATS, FLOATS, st.booleans(), st.none() | FLOATS, st.booleans())
def test_generated_graph_lines(epoch: int, epochs: int, step: int, count: int, loss: float,
                               mean: float, overflow: bool, norm: float | None,
                               sink: bool) -> None:
    losses = f"loss: {loss:5.6f}, " if sink else f"loss:[{loss:5.6f}/{mean:5.6f}], "
    line = (f"{{ Epoch:[{epoch:3d}/{epochs:3d}], step:[{step:5d}/{count:5d}], {losses}"
            f"per_step_time: 12ms, lr: 1e-05, overflow cond: {overflow}, loss_scale: 1.0, "
            f"global_norm: {None if norm is None else f'[{norm}]'}")
    found = steps.parse(HEAD + line.encode())
    assert found is not None
    assert (found.step, found.total) == ((epoch - 1) * count + step, epochs * count)
    assert found.kind == "graph"
    assert found.values["overflow_cond"].number == overflow
    assert found.values["loss"].number == pytest.approx(float(f"{loss:.6f}"), nan_ok=True)
    assert ("loss_mean" in found.values) == (not sink)
    grad_norm = found.values["grad_norm"]
    if norm is None:
        assert grad_norm.kind == NOT_OBTAINED
    else:
        assert grad_norm.number == pytest.approx(norm, nan_ok=True)
