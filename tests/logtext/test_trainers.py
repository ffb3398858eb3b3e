"""Step lines of other trainers."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.evidence.series import NOT_OBTAINED, NUMBER
from assistant.logtext import steps, trainers
from assistant.logtext.values import StepLine, Value
from assistant.scan.steplines import StepCollector

HF = b"{'loss': 2.3125, 'grad_norm': 1.25, 'learning_rate': 5e-05, 'epoch': 0.01}"
MEGATRON = (b" [2026-11-30 08:03:58] iteration       10/     100 | consumed samples:      160 | "
            b"elapsed time per iteration (ms): 5133.3 | throughput per GPU (TFLOP/s/GPU): 120.5 | "
            b"learning rate: 1.000E-06 | global batch size:    16 | lm loss: 1.081E+01 | loss "
            b"scale: 1.0 | grad norm: 25.125 | number of skipped iterations:   0 | number of nan "
            b"iterations:   0 |")


def read(line: bytes) -> StepLine:
    found = steps.parse(line)
    assert found is not None and found.kind == "trainer"
    return found


def test_the_dictionary_of_the_trainer() -> None:
    found = read(HF)
    assert (found.step, found.total) == (None, None)
    assert {name: value.number for name, value in found.values.items()} == {
        "loss": 2.3125, "grad_norm": 1.25, "lr": 5e-05, "epoch": 0.01}


@pytest.mark.parametrize(("line", "values"), [
    (b"{'loss': nan, 'epoch': 1.0}", {"loss": (NUMBER, math.nan), "epoch": (NUMBER, 1.0)}),
    (b"{'loss': '2.5', 'grad_norm': '0.5'}", {"loss": (NUMBER, 2.5), "grad_norm": (NUMBER, 0.5)}),
    (b"INFO:x:{'loss': 1.0, 'grad_norm': None}",
     {"loss": (NUMBER, 1.0), "grad_norm": (NOT_OBTAINED, 0.0)}),
])
def test_values_of_the_dictionary(line: bytes, values: dict[str, tuple[int, float]]) -> None:
    found = {name: (value.kind, value.number) for name, value in read(line).values.items()}
    assert str(found) == str(values)  # nan is not equal to itself


def test_the_step_of_the_progress_bar_before_it() -> None:
    found = read(b" 10%|#         | 10/100 [00:12<01:48,  1.20s/it]" + HF)
    assert (found.step, found.total) == (10, 100)


@pytest.mark.parametrize("line", [
    b"{'loss': 2.3, 'grad_no", b"{'loss': [1, 2]}", b"{'eval_loss': 2.3, 'epoch': 1.0}",
    b"{'train_runtime': 12.3, 'train_loss': 2.3}", b"iteration 3 of 10 | x", b"iteration 3/ 10 |",
])
def test_no_step_line(line: bytes) -> None:
    assert steps.parse(line) is None


def test_megatron() -> None:
    found = read(MEGATRON)
    assert (found.step, found.total) == (10, 100)
    assert {name: value.number for name, value in found.values.items()} == {
        "consumed_samples": 160, "per_step_time": 5133.3, "throughput": 120.5, "lr": 1e-06,
        "global_batch_size": 16, "loss": 10.81, "loss_scale": 1.0, "grad_norm": 25.125,
        "number_of_skipped_iterations": 0, "number_of_nan_iterations": 0}
    cut = read(MEGATRON[:MEGATRON.index(b"25.125")])
    assert cut.values["loss_scale"] == Value(NUMBER, 1.0) and "grad_norm" not in cut.values


def test_lines_without_a_step_are_counted() -> None:
    collector = StepCollector()
    for number in range(1, 4):
        assert collector.take(number, HF, None)
    assert list(collector.build().steps) == [1, 2, 3]


def test_a_monitor_without_any_step_belongs_to_the_step_under_way() -> None:
    collector = StepCollector()
    for step in (1, 2):
        assert collector.take(2 * step, b"{ micro_step: 1, local_loss: 9.5 }", None)
        assert collector.take(2 * step + 1, b"{ step:[ %d/ 10], loss: 9.1 }" % step, None)
    series = collector.build()
    assert list(series.steps) == [1, 2]
    assert list(series.columns["local_loss"].values) == [9.5, 9.5]


FIELD = st.from_regex(rb"[A-Za-z'{}|:,./ 0-9\[\]-]{0,60}", fullmatch=True)


@given(st.one_of(st.binary(max_size=200), st.lists(FIELD, max_size=4).map(
    lambda parts: b"{'loss': " + b", '".join(parts) + b"}"), st.lists(FIELD, max_size=4).map(
    lambda parts: b"iteration 3/ 9 |" + b"|".join(parts) + b"|")))
def test_any_line_is_read_or_refused(line: bytes) -> None:
    found = trainers.parse(line)
    assert found is None or (found.values and found.kind == "trainer")


@given(st.integers(1, 10**9), st.floats(allow_nan=False, allow_infinity=False, width=32),
       st.floats(0, 1))
def test_what_was_printed_is_read(step: int, loss: float, lr: float) -> None:
    found = read(f"{{'loss': {loss}, 'learning_rate': {lr}}}".encode())
    assert (found.values["loss"].number, found.values["lr"].number) == (loss, lr)
    text = f"iteration {step:8d}/ {step + 1} | learning rate: {lr:E} | lm loss: {loss!r} |"
    again = read(text.encode())
    assert (again.step, again.total) == (step, step + 1)
    assert again.values["loss"].number == loss
    assert again.values["lr"].number == pytest.approx(lr, rel=1e-5)


@pytest.mark.parametrize("line", [
    b"{'loss': " + b"{'loss': " * 20_000, b"{'loss': 1" + b", 'a': 1" * 20_000,
    b"iteration 1/ 2 |" * 20_000, b"iteration 1/ 2 |" + b" a: 1 |" * 20_000,
    b"iteration 1/ 2 |" + b" a b" * 40_000, b"| 1/2 [" * 20_000 + b"{'loss': 1}",
])
def test_time_grows_with_length_only(line: bytes) -> None:
    import time

    began = time.perf_counter()
    trainers.parse(line)
    assert time.perf_counter() - began < 2.0


@pytest.mark.parametrize(("line", "step", "total", "values"), [
    (b"epoch: 1 step: 18, loss is 869.5", None, None, {"loss": 869.5}),
    (b"epoch: 3 step: 1, loss is nan", None, None, {"loss": math.nan}),
    (b"[2026-11-30 08:03:58] mindcv.utils.callbacks INFO - Epoch: [2/90], batch: [100/1251], "
     b"loss: 6.5, lr: 0.125, time: 20.5", 1351, 112590, {"loss": 6.5, "lr": 0.125, "time": 20.5}),
    (b"2024-12-25 09:58:42,787 [INFO] Epoch 1/200, Step 100/3995, imgsize (640, 640), loss: "
     b"11.75, lbox: 3.5, lcls: 5.5, dfl: 2.5, cur_lr: 0.125", 100, 799000,
     {"loss": 11.75, "lbox": 3.5, "lcls": 5.5, "dfl": 2.5, "lr": 0.125}),
    (b"epoch: [1/400] step: [10/62], loss: 1.25, lr: 0.5, per step time: 402.5 ms, fps per card: "
     b"39.75 img/s", 10, 24800, {"loss": 1.25, "lr": 0.5, "per_step_time": 402.5,
                                 "fps_per_card": 39.75}),
])
def test_lines_that_name_the_epoch(line: bytes, step: int | None, total: int | None,
                                   values: dict[str, float]) -> None:
    found = read(line)
    assert (found.step, found.total) == (step, total)
    assert {name: value.number for name, value in found.values.items()} == pytest.approx(
        values, nan_ok=True)


@pytest.mark.parametrize("line", [
    b"2024-12-25 09:58:42,800 [INFO] Epoch 1/200, Step 100/3995, step time: 5736.71 ms",
    b"epoch: 1 step: 18",
    b"Train epoch time: 60059.685 ms, per step time: 30029.843 ms",
    b"{ Epoch:[  1/  2], step:[    1/   19], lr: 0.0 }",
])
def test_lines_of_an_epoch_without_a_loss(line: bytes) -> None:
    assert trainers.parse(line) is None
