from __future__ import annotations

import pytest

from assistant.evidence.series import ABSENT, NOT_APPLICABLE, NUMBER, Column, Series
from assistant.job.stages import prints_loss
from tests.job.support import Log, job_of, process, worker


def stages_of(*logs: Log) -> list[tuple[int | None, bool | None]]:
    job = job_of(*logs)
    return [(p.stage, p.last_stage) for p in job.ranks()]


def test_from_the_configuration() -> None:
    logs = [worker(rank) for rank in range(4)]
    for log in logs:
        log.config["parallelism.pipeline_parallel"] = "2"
    assert stages_of(*logs) == [(0, False), (0, False), (1, True), (1, True)]


@pytest.mark.parametrize("mark", ["parallelism", "device-mesh"])
def test_from_the_lines_that_state_it(mark: str) -> None:
    logs = [worker(rank).mark(mark, pp=4) for rank in range(4)]
    assert stages_of(*logs) == [(0, False), (1, False), (2, False), (3, True)]


def test_from_who_prints_a_loss() -> None:
    logs = [worker(rank).steps(3) for rank in range(4)]
    for log in logs[:2]:
        log.loss_kind = NOT_APPLICABLE
    assert stages_of(*logs) == [(0, False), (0, False), (1, True), (1, True)]
    assert job_of(*logs).facts["pipeline_parallel"] == 2


def test_losses_out_of_order_give_no_stages() -> None:
    logs = [worker(rank).steps(3) for rank in range(4)]
    for log in logs[2:]:
        log.loss_kind = NOT_APPLICABLE
    assert stages_of(*logs) == [(None, True), (None, True), (None, False), (None, False)]


def test_a_number_that_does_not_divide_the_world() -> None:
    logs = [worker(rank).mark("device-mesh", pp=3) for rank in range(4)]
    assert stages_of(*logs) == [(None, None)] * 4


def test_a_lone_log_knows_its_end_of_the_pipeline() -> None:
    log = worker(0).steps(2)
    log.loss_kind = NOT_APPLICABLE
    assert process(job_of(log), 0).last_stage is False


def test_prints_loss() -> None:
    def series(kind: int | None) -> Series:
        columns = {} if kind is None else {"loss": Column((0.0,), bytes([kind]))}
        return Series((1,), (1,), (None,), columns, {}, 10, 1)

    assert prints_loss(Series()) is None
    assert prints_loss(series(NUMBER)) is True
    assert prints_loss(series(NOT_APPLICABLE)) is False
    assert prints_loss(series(ABSENT)) is None
    assert prints_loss(series(None)) is False
