"""`fact:` and `file:` signals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from assistant.diagnose.match import Match
from assistant.diagnose.signals import fact
from assistant.diagnose.view import View
from assistant.evidence.types import Skipped
from assistant.rules.types import FactSignal, FileSignal
from tests.diagnose.support import absent, job, log, rule, view, worker

FACTS: dict[str, str | int | float] = {
    "world_size": 8, "ranks_seen": 6, "mode": "graph", "mindspore": "2.6.0", "last_step": 10,
    "total_steps": 10}


def found(seen: View, **values: Any) -> list[Match]:
    signal = rule(signals={"x": values}).signals["x"]
    if isinstance(signal, FactSignal):
        return list(fact.matches(signal, seen))
    assert isinstance(signal, FileSignal)
    return list(fact.file_matches(signal, seen))


@pytest.mark.parametrize(("values", "holds"), [
    ({"fact": "mode", "is": "graph"}, True), ({"fact": "mode", "is": "pynative"}, False),
    ({"fact": "world_size", "is": 8}, True), ({"fact": "world_size", "is": 8.0}, True),
    ({"fact": "world_size", "is": "8"}, True), ({"fact": "world_size", "above": 7}, True),
    ({"fact": "world_size", "above": 8}, False), ({"fact": "world_size", "below": 9}, True),
    ({"fact": "world_size", "above": 2, "below": 8}, False),
    ({"fact": "mindspore", "above": 1}, False), ({"fact": "nodes", "above": 0}, False),
    ({"fact": "world_size", "differs_from": "ranks_seen"}, True),
    ({"fact": "last_step", "differs_from": "total_steps"}, False),
    ({"fact": "world_size", "differs_from": "registered"}, False),
])
def test_facts(values: dict[str, Any], holds: bool) -> None:
    matches = found(view(facts=FACTS), **values)
    assert bool(matches) is holds
    assert all(m.subject is None and m.citation is None for m in matches)


def test_values() -> None:
    [match] = found(view(facts=FACTS), fact="world_size", differs_from="ranks_seen")
    assert match.values == {"world_size": "8", "value": "8", "ranks_seen": "6"}


def test_missing_ranks() -> None:
    seen = view(worker(0), absent(1, "b"), absent(2, "b"))
    assert [(m.subject, m.node) for m in found(seen, file="missing")] == [(1, "b"), (2, "b")]


def test_what_could_not_be_read() -> None:
    made = job(worker(0))
    seen = View(replace(made, evidence=replace(
        made.evidence, skipped=(Skipped("core.bin", "binary"),))))
    assert [m.values for m in found(seen, file="unreadable")] == [
        {"path": "core.bin", "why": "binary"}]


@pytest.mark.parametrize(("condition", "values"), [
    ("stale", {"stale": True}), ("several-runs", {"runs": 2}),
    ("empty", {"evidence": {"size": 0, "head": ()}}),
    ("truncated", {"evidence": {"notes": ("nul-bytes", "shrank")}}),
    ("truncated", {"evidence": {"notes": ("read-error: [Errno 5]",)}}),
])
def test_conditions_of_files(condition: str, values: dict[str, Any]) -> None:
    seen = view(worker(0), worker(1, **values), log("s", "scheduler", **values))
    assert {m.values["path"] for m in found(seen, file=condition)} == {"a/worker_1.log", "s"}
    [one] = found(seen, file=condition, **{"in": "worker"})
    assert one.subject == 1


def test_two_logs_of_one_rank() -> None:
    seen = view(worker(0), log("b/worker_0.log", "worker", rank=0), worker(1),
                log("copy", "worker", rank=1, echo=True), log("old", "worker", rank=1, stale=True))
    assert {m.values["path"] for m in found(seen, file="duplicate")} == {
        "a/worker_0.log", "b/worker_0.log"}
