"""Matches and their subjects."""

from __future__ import annotations

from assistant.diagnose.match import in_order, numbers, subject_of
from assistant.job.types import Process


def test_subjects() -> None:
    assert subject_of(Process("rank 3", 3)) == 3
    assert subject_of(Process("pasted.log")) == "pasted.log"
    assert in_order(["b", 10, None, 2, "a"]) == [2, 10, "a", "b"]


def test_numbers() -> None:
    assert numbers("[1,3,5,7,]") == (1, 3, 5, 7)
    assert numbers("rank 12") == (12,)
    assert numbers("none") == ()
