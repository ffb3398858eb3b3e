"""Which card a command means."""

from __future__ import annotations

import pytest

from assistant.guide.fill import fill
from assistant.report.chips import said_which
from assistant.report.words import Words

HEALTH = "Look: `npu-smi info -t health -i {device|N}`. Success: OK."


def told(values: dict[str, str], lang: str = "en", *steps: str) -> list[str]:
    return [fill(step, values) for step in said_which(steps or (HEALTH,), values, Words(lang))]


def test_a_card_that_the_logs_name_needs_no_words() -> None:
    assert told({"device": "5", "rank": "13"}) == [
        "Look: `npu-smi info -t health -i 5`. Success: OK."]


@pytest.mark.parametrize(("values", "words"), [
    ({}, "N: the card's number by `npu-smi info -m`"),
    ({"rank": "13"}, "of the card of rank 13; without `ASCEND_RT_VISIBLE_DEVICES`"),
    ({"rank": "13", "local_rank": "5"}, "of the card of rank 13, 5 unless")])
def test_how_to_find_a_card_that_they_do_not_name(values: dict[str, str], words: str) -> None:
    (step,) = told(values)
    assert step.startswith("Look: `npu-smi info -t health -i N`. Success: OK. N: the ")
    assert words in step
    (step,) = told(values, "zh")
    assert "Success: OK.N 为" in step


def test_it_is_said_once() -> None:
    steps = told({}, "en", "`less x`", HEALTH, HEALTH)
    assert [step.count("-m`") for step in steps] == [0, 1, 0]


@pytest.mark.parametrize("step", [
    "`for i in $(seq 0 7); do hccn_tool -i $i -link -g; done`",
    "`npu-smi set -t reset -i NPU -c CHIP` (NPU and CHIP by `npu-smi info -m`)", "`top -i {x|N}`"])
def test_commands_that_name_their_card_themselves(step: str) -> None:
    assert told({}, "en", step) == [fill(step, {})]
