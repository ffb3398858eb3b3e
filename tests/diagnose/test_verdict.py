"""The verdict on the whole job."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from assistant.diagnose.drafts import Draft
from assistant.diagnose.verdict import meaning, verdict
from tests.diagnose.support import absent, job, log, rule, series, worker

STEPS = series(loss=[2.0, 1.0])


def drafts(*kinds: str | dict[str, Any]) -> list[Draft]:
    values = [{"severity": kind} if isinstance(kind, str) else kind for kind in kinds]
    return [Draft(rule(f"hccl.r{i}", **v), (), (), (), None) for i, v in enumerate(values)]


HUNG: dict[str, Any] = {"severity": "error", "verdict": "hung"}


@pytest.mark.parametrize(("causes", "consequences", "answer"), [
    (["error"], [], "failed"), (["warning"], [], "degraded"), ([HUNG], ["error"], "hung"),
    (["error", HUNG], [], "failed"), ([HUNG, "error"], [], "hung"),
    (["warning"], ["error"], "failed"), (["warning"], [HUNG], "hung"),
    (["warning"], ["warning"], "degraded"),
    ([{"severity": "error", "verdict": "degraded"}], [], "degraded"),
    ([{"severity": "warning", "verdict": "none"}], [], "healthy"),
])
def test_of_a_job_under_way(causes: list[Any], consequences: list[Any], answer: str) -> None:
    assert verdict(drafts(*causes), drafts(*consequences), job(worker(0, steps=STEPS))) == answer


def test_a_job_that_ended_well_is_at_most_degraded() -> None:
    ended = job(worker(0, steps=STEPS, state="finished"), worker(1, state="finished"))
    assert verdict(drafts("error"), [], ended) == "degraded"
    assert verdict([], [], ended) == "healthy"
    missing = job(worker(0, steps=STEPS, state="finished"), absent(1))
    assert verdict(drafts("error"), [], missing) == "failed"


@pytest.mark.parametrize("state", ["failed", "crashed", "killed", "stopped"])
def test_healthy_only_where_nobody_came_to_a_bad_end(state: str) -> None:
    seen = job(worker(0, steps=STEPS), worker(1, steps=STEPS, state=state))
    assert verdict([], [], seen) == "inconclusive"


def test_nothing_seen_is_inconclusive() -> None:
    assert verdict([], [], job()) == "inconclusive"
    assert verdict([], [], job(log("notes.txt"))) == "inconclusive"
    assert verdict([], [], job(worker(0))) == "inconclusive"


def test_meaning() -> None:
    assert [meaning(rule(severity=s)) for s in ("error", "warning", "info")] == [
        "failed", "degraded", "none"]
    assert meaning(rule(severity="info", verdict="hung")) == "hung"


def test_a_healthy_part_of_a_cut_input_is_inconclusive() -> None:
    whole = worker(0, process={"last_step": 3})
    assert verdict([], [], job(whole)) == "healthy"
    file = whole.file
    lost = dataclasses.replace(file, evidence=dataclasses.replace(
        file.evidence, notes=("read-error: the stream ended early",)))
    made = dataclasses.replace(job(whole), files=(lost,))
    assert verdict([], [], made) == "inconclusive"
