"""What must not change a diagnosis: the order of files, a healthy rank more, a line that says
nothing, and what the ranks are called."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant import scan
from assistant.evidence.types import Evidence
from assistant.pipeline import Knowledge
from assistant.report.types import Report
from assistant.sources import find
from assistant.sources.types import LogSource

LAB = Path(__file__).parent.parent / "cases" / "lab"
LINE = "2026-11-30 08:29:{:02},357 - mindformers[mindformers/core/a.py:3] - INFO - {}\n"
ERROR = ('Traceback (most recent call last):\n  File "/home/user/job/train.py", line 9, in f\n'
         "    f()\nRuntimeError: the batch is empty\n")
CASES = ["exc-rank2", "hang-rank1", "straggler-rank3", "nanloss", "two-exc-rank3", "ok-pp2"]


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return Knowledge()


@pytest.fixture(scope="module")
def evidences(knowledge: Knowledge) -> Mapping[str, Evidence]:
    return {case: scan.scan_all(find([str(LAB / case)]), knowledge.rules, jobs=1,
                                cache_dir=knowledge.cache_dir) for case in CASES}


def told(knowledge: Knowledge, evidence: Evidence) -> Report:
    return knowledge.report(knowledge.diagnose(evidence), evidence, "en")


def checked(knowledge: Knowledge, logs: Mapping[str, str]) -> Report:
    sources = [LogSource(name, len(text), None, None, partial(io.BytesIO, text.encode()))
               for name, text in logs.items()]
    return told(knowledge, scan.scan_all(sources, knowledge.rules, jobs=1,
                                         cache_dir=knowledge.cache_dir))


def causes(report: Report) -> list[tuple[str, tuple[int, ...]]]:
    return [(finding.rule, finding.ranks) for finding in report.findings
            if finding.role == "cause" and finding.severity != "info"]


def job(failing: int, ranks: Sequence[int]) -> dict[str, str]:
    """Workers that train; one of them raises."""
    logs = {}
    for rank in ranks:
        steps = "".join(LINE.format(20 + step, f"{{ step:[{step:5}/   20], loss: {9 - step / 10}, "
                                    "per_step_time: 900ms, grad_norm: 1.0 }")
                        for step in range(1, 6))
        logs[f"worker_{rank}.log"] = (
            LINE.format(13, "start") + steps + (ERROR if rank == failing else ""))
    return logs


@settings(max_examples=12)
@given(data=st.data(), case=st.sampled_from(CASES))
def test_the_order_of_files_changes_nothing(knowledge: Knowledge, evidences: Mapping[str, Evidence],
                                            data: st.DataObject, case: str) -> None:
    evidence = evidences[case]
    order = data.draw(st.permutations(evidence.files))
    assert told(knowledge, replace(evidence, files=tuple(order))) == told(knowledge, evidence)


@settings(max_examples=12)
@given(st.permutations(range(6)))
def test_other_names_of_ranks_rename_the_findings(knowledge: Knowledge, names: list[int]) -> None:
    before = causes(checked(knowledge, job(2, range(6))))
    renamed = {f"worker_{names[rank]}.log": text for rank, text in
               enumerate(job(2, range(6)).values())}
    assert before == [("user-code.python-exception", (2,))]
    assert causes(checked(knowledge, renamed)) == [
        ("user-code.python-exception", (names[2],))]


@settings(max_examples=8)
@given(st.integers(2, 7), st.integers(0, 3))
def test_a_healthy_rank_more_changes_no_cause(knowledge: Knowledge, size: int,
                                              failing: int) -> None:
    failing = min(failing, size - 1)
    before = causes(checked(knowledge, job(failing, range(size))))
    assert before
    assert causes(checked(knowledge, job(failing, range(size + 1)))) == before


@settings(max_examples=15)
@given(st.integers(0, 5), st.sampled_from(["configuration read", "Epoch begins", "saving took 3 s",
                                           "seed 1234"]))
def test_a_line_that_says_nothing_changes_no_cause(knowledge: Knowledge, place: int,
                                                   says: str) -> None:
    logs = job(1, range(3))
    before = checked(knowledge, logs)
    lines = logs["worker_1.log"].splitlines(keepends=True)
    lines.insert(place, LINE.format(14, says))
    after = checked(knowledge, {**logs, "worker_1.log": "".join(lines)})
    assert causes(after) == causes(before)
    assert after.verdict == before.verdict
