"""Several files of one rank: the log as msrun calls it counts, its copies only are named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.evidence.types import Evidence, FileEvidence
from assistant.job import build
from assistant.report.remarks import remarks
from assistant.report.words import Words
from tests.job.support import process, worker


def cut(evidence: FileEvidence, name: str) -> FileEvidence:
    """A copy that lacks the end of the log."""
    return replace(evidence, name=name, lines=evidence.lines - 2, tail=evidence.tail[:-2])


@pytest.mark.parametrize("name", [
    "msrun_log/worker_1 - Copy.log", "msrun_log/a_worker_1.log", "msrun_log/old/worker_1.log",
    "a/worker_1.log.1"])
def test_a_cut_copy_is_not_judged(name: str) -> None:
    true = worker(1, 2).steps(3).event().done()
    first, second = worker(0, 2).steps(3).done(), cut(true, name)
    job = build(Evidence((second, first, true)))
    assert [file.name for file in job.files if file.echo] == [name]
    assert process(job, 1).files[0] == true.name
    assert len(job.nodes) == 1
    assert remarks(job, Words("en")) == (f"copies of {true.name}, not judged: {name}",)


def test_an_altered_copy_is_not_judged_though_it_is_longer() -> None:
    true = worker(0, 1).steps(3)
    altered = worker(0, 1).steps(3).event().steps(9, 5).done()
    copy = replace(altered, name="msrun_log/edited_worker_0.log")
    job = build(Evidence((copy, true.done())))
    assert [file.name for file in job.files if file.echo] == [copy.name]
    assert process(job, 0).state != "failed"


def test_each_pair_is_named() -> None:
    logs = [worker(rank, 2).steps(3).done() for rank in (0, 1)]
    copies = [replace(log, name=f"backup/{log.name}") for log in logs]
    told = remarks(build(Evidence((*logs, *copies))), Words("en"))
    assert told == tuple(f"copies of {log.name}, not judged: backup/{log.name}" for log in logs)


def test_two_processes_that_claim_one_rank_are_no_copies() -> None:
    one, other = worker(0, 2, "a/"), worker(0, 2, "b/", pid=7)
    job = build(Evidence((one.done(), other.done())))
    assert not any(file.echo for file in job.files)
    assert remarks(job, Words("en")) == (
        "more than one log claims rank 0: a/worker_0.log, b/worker_0.log",)
