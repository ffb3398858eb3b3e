"""`ranks:` of a signal."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.diagnose.holding import on_stage, quantify
from assistant.diagnose.match import Match
from assistant.job.types import Process
from assistant.rules.build import quantifier
from tests.diagnose.support import absent, log, view, worker

STAGES = [{"stage": 0, "last_stage": False}] * 2 + [{"stage": 1, "last_stage": True}] * 2
VIEW = view(*(worker(rank, process=stage) for rank, stage in enumerate(STAGES)))


def holds(ranks: Any, *subjects: int | str | None) -> bool:
    return quantify([Match(s, "a", None) for s in subjects], quantifier(ranks), VIEW).true


@pytest.mark.parametrize(("ranks", "some", "more"), [
    ("all", (0, 1, 2), (0, 1, 2, 3)), ("most", (0, 1), (0, 1, 2)), (3, (0, 1), (0, 1, 2)),
    ("50%", (0,), (0, 1)), ("first-stage", (2, 3), (2, 1)), ("last-stage", (0, 1), (0, 3)),
    ("early-stages", (2, 3), (1, 2)), ("one", (0, 1), (1, 1)), ("some", (0, 1, 2, 3), (0, 3)),
    (None, (), (2,)),
])
def test_not_enough_and_enough(ranks: Any, some: tuple[int, ...], more: tuple[int, ...]) -> None:
    assert not holds(ranks, *some)
    assert holds(ranks, *more)


@pytest.mark.parametrize("ranks", ["any", "all", "most", "some", "one", 1, "1%"])
def test_nothing_is_never_enough(ranks: Any) -> None:
    assert not holds(ranks)


def test_the_same_rank_counts_once() -> None:
    assert not holds(2, 1, 1, 1)
    assert holds("one", 1, 1, 1)


def test_the_job_as_a_whole_is_no_rank() -> None:
    assert holds("any", None)
    assert not holds("one", None) and not holds(1, None) and not holds("most", None)


def test_ranks_without_a_log_count_among_all() -> None:
    seen = view(*(worker(rank) for rank in range(5)), *(absent(rank) for rank in (5, 6, 7)))
    matches = [Match(rank, "a", None) for rank in (5, 6, 7)]
    assert not quantify(matches, quantifier("most"), seen).true
    assert quantify(matches, quantifier("37%"), seen).true


def test_a_share_is_exact() -> None:
    seen = view(*(worker(rank) for rank in range(100)))
    matches = [Match(rank, "a", None) for rank in range(7)]
    assert quantify(matches, quantifier("7%"), seen).true
    assert not quantify(matches[:6], quantifier("7%"), seen).true


def test_stages_restrict_the_matches_themselves() -> None:
    held = quantify([Match(0, "a", None), Match(3, "a", None)], quantifier("last-stage"), VIEW)
    assert held.subjects == {3}
    assert held.on(3) and not held.on(0)


def test_who_has_no_known_stage_is_on_the_last() -> None:
    fragment = log("pasted.log")
    fragment.process = Process("pasted.log", files=("pasted.log",), stage=0, last_stage=False)
    seen = view(worker(0), fragment)
    assert on_stage(0, "last-stage", seen) and on_stage(None, "last-stage", seen)
    assert not on_stage(0, "first-stage", seen) and not on_stage(0, "early-stages", seen)
    assert on_stage("pasted.log", "first-stage", seen)
    assert on_stage("pasted.log", "early-stages", seen)


def test_what_holds_for_the_job_holds_for_each_rank() -> None:
    held = quantify([Match(None, "a", None)], quantifier(None), VIEW)
    assert held.on(0) and held.on("pasted.log")
