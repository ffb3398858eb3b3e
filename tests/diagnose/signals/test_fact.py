"""`fact:` and `file:` signals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from assistant.diagnose.match import Match
from assistant.diagnose.signals import fact
from assistant.diagnose.view import View
from assistant.evidence.types import Skipped
from assistant.rules.types import ConfigSignal, FactSignal, FileSignal
from tests.diagnose.support import absent, hit, job, log, rule, view, worker

FACTS: dict[str, str | int | float] = {
    "world_size": 8, "ranks_seen": 6, "mode": "graph", "mindspore": "2.6.0", "last_step": 10,
    "total_steps": 10}


def found(seen: View, **values: Any) -> list[Match]:
    signal = rule(signals={"x": values}).signals["x"]
    if isinstance(signal, FactSignal):
        return list(fact.matches(signal, seen))
    if isinstance(signal, ConfigSignal):
        return list(fact.config_matches(signal, seen))
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


@pytest.mark.parametrize(("values", "holds"), [
    ({"config": "parallel.pp", "is": 2}, True),
    ({"config": "parallel.pp", "is": "2"}, True),
    ({"config": ["other", "parallel.pp"], "above": 1}, True),
    ({"config": "parallel.pp", "above": 2}, False),
    ({"config": "parallel.pp", "below": 3}, True),
    ({"config": "use_flash", "is": True}, True),
    ({"config": "use_flash", "is": False}, False),
    ({"config": "use_flash", "above": 0}, False),
    ({"config": "lr", "below": 0.1}, True),
    ({"config": "size", "differs_from": "world_size"}, True),
    ({"config": "absent", "is": 2}, False),
])
def test_the_configuration(values: dict[str, Any], holds: bool) -> None:
    printed = {"parallel.pp": "2", "use_flash": "true", "lr": "1.5e-05", "size": "16"}
    seen = view(worker(0), worker(1, evidence={"config": printed, "config_line": 9}), facts=FACTS)
    assert bool(found(seen, **values)) == holds
    stale = view(worker(0, stale=True, evidence={"config": printed, "config_line": 9}))
    assert not found(stale, **values)


def test_what_the_configuration_gives() -> None:
    seen = view(worker(0, evidence={"config": {"size": "16"}, "config_line": 9}), facts=FACTS)
    [one] = found(seen, config="size", differs_from="world_size")
    assert one.values == {"key": "size", "value": "16", "world_size": "8"}


def test_the_line_that_states_a_fact_is_quoted() -> None:
    mark = {"landmark/node-registered": [hit(4, "registered node number: 3, expected 4")]}
    made = job(log("scheduler.log", "scheduler", hits=mark), facts={"registered": 3})
    seen = View(replace(made, stated={"registered": ("scheduler.log", 4)}))
    [one] = found(seen, fact="registered", above=0)
    assert one.citation is not None and "expected 4" in one.citation.text
