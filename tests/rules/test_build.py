"""From plain values to dataclasses."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.rules.build import build_relations, build_signal, quantifier, seconds
from assistant.rules.reading import Content, read_content
from assistant.rules.types import (
    STATES,
    CodeSignal,
    ErrorSignal,
    EventSignal,
    FactSignal,
    FileSignal,
    Landmark,
    LandmarkSignal,
    LogSignal,
    MetricSignal,
    Name,
    Position,
    Quantifier,
    ReachedSignal,
    Relation,
    Spike,
    StateSignal,
)

GOOD = Path(__file__).parent / "good"


@pytest.fixture(scope="module")
def content() -> Content:
    path = GOOD / "every-key.yaml"
    return read_content(path.read_bytes(), path.name, "the pack")


def test_nothing_is_wrong_with_it(content: Content) -> None:
    assert content.problems == ()
    assert [written.rule.id for written in content.rules] == [
        "network.every-key", "hccl.collective", "numeric.spike", "crash.dump"]


def test_a_rule_with_every_key(content: Content) -> None:
    rule = content.rules[0].rule
    assert rule.title["zh"] == "rank {rank} 的端口 {port} 被占用"
    assert (rule.category, rule.severity, rule.article) == ("network", "error", "port-taken")
    assert (rule.each, rule.blame, rule.verdict, rule.confidence) == (
        "rank", ("bind",), "failed", 0.7)
    assert rule.explains == (Relation(("hccl.collective",)), Relation(("numeric.*",), "other"))
    assert rule.unless == ("crash.dump",)
    assert rule.group_by == ("port",)
    assert rule.applies_to == {"mindspore": ">=2.4,<3", "cann": "!=8.0"}
    assert rule.references == ("Example manual, 2.4",)
    assert (rule.owner, rule.source) == ("somebody@example.com", "the pack")
    assert rule.position == Position("every-key.yaml", 3, 9)
    assert rule.signals == {
        "bind": LogSignal(
            patterns=(r"Failed to call bind, url: [\d.]+:(?P<port>\d+)",
                      r"port (?P<port>\d+) is taken on rank (?P<who>\d+)"),
            roles=("scheduler", "worker"), levels=("ERROR",), components=("DISTRIBUTED", "ME"),
            inside=("cluster", "cann"), outside=("traceback",), at_least=2,
            quantifier=Quantifier("share", 0.5), after="start", within=90.0, rank_from="who"),
        "start": LandmarkSignal("scheduler-begin", Quantifier("one")),
    }
    taken, free = rule.tests
    assert taken.expect == {"ranks": [], "nodes": [], "captures": {"port": 8118},
                            "role": "cause", "line": "scheduler.log:1", "codes": ["EI0006"],
                            "verdict": "failed"}
    assert taken.position.line == 38
    assert free.expect is None
    assert free.logs == {"scheduler.log": "Finish to Initialize MetaServerNode."}


def test_signals_of_every_kind(content: Content) -> None:
    _, hccl, numeric, crash = (written.rule for written in content.rules)
    assert hccl.signals["block"] == EventSignal(
        "cann", title="EI", message=r"wait (?P<peer>\d+)", text="timeout", codes=("EI*",),
        waits_for="peer")
    assert hccl.signals["raised"] == EventSignal(
        "traceback", title="(?:RuntimeError)|(?:TimeoutError)", message="notify",
        frame="all_reduce", where="library", codes=("EI0002", "5070*"))
    assert hccl.signals["port"] == LogSignal(
        (r"(?P<port>\d+) in use",), before="block", within=30.0, pid_from="port",
        device_from="port", waits_for_device="port")
    assert hccl.signals["any"] == CodeSignal(
        ("EI*", "EJ0001"), ("worker", "cann"), Quantifier("most"))
    assert hccl.explains == (Relation(("hccl.*",)),)
    assert numeric.signals["loss"] == MetricSignal(
        ("loss", "lm_loss"), spike=Spike(6, 10, 2), skip_first=3,
        quantifier=Quantifier("last-stage"))
    assert numeric.signals["lr"] == MetricSignal(("lr",), test="zero", steps=5)
    assert numeric.signals["slow"] == MetricSignal(
        ("per_step_time",), slower_than="peers", by=2.0, quantifier=Quantifier("count", 1.0))
    assert numeric.signals["odd"] == MetricSignal(("grad_norm",), unlike="peers")
    assert numeric.signals["high"] == MetricSignal(("loss",), above=100)
    assert numeric.signals["low"] == MetricSignal(("loss",), below=0.5)
    assert (crash.fallback, crash.harmless) == (True, True)
    assert crash.signals["gone"] == StateSignal(
        ("stopped", "crashed"), behind="peers", without="error", exit_codes=(-11, -6),
        named_by="console", quantifier=Quantifier("some"))
    assert crash.signals["some"] == StateSignal(STATES, exit_codes=(-9,))
    assert crash.signals["far"] == ReachedSignal("training", True, Quantifier("all"))
    assert crash.signals["old"] == FileSignal("stale", ("worker",))
    assert crash.signals["few"] == FactSignal("world_size", above=1, below=9)
    assert crash.signals["other"] == FactSignal("registered", differs_from="expected")
    assert crash.signals["mode"] == FactSignal("mode", is_="graph")
    assert crash.signals["line"] == ErrorSignal(
        None, ("ME",), ("ERROR", "CRITICAL"), ("EI0006",), ("other",), Quantifier("count", 2.0))
    assert crash.signals["text"] == ErrorSignal(r"port (?P<port>\d+) lost")


def test_a_catalogue_of_codes() -> None:
    path = GOOD / "codes.yaml"
    content = read_content(path.read_bytes(), path.name, "the pack")
    assert content.problems == ()
    first, second = (written.rule for written in content.rules)
    assert (first.id, first.category, first.severity) == ("network.code-ex0001", "network", "error")
    assert first.signals == {"code": CodeSignal(("EX0001",))}
    assert first.when == Name("code")
    assert first.fallback
    assert (first.usually, first.meaning["en"]) == ("cause", "It failed.")
    assert first.causes == {"en": ("Nobody knows",), "zh": ("未知",)}
    assert first.steps["zh"] == ("阅读 `less +{line} {file}`",)
    assert [test.expect for test in first.tests] == [{"codes": ["EX0001"]}, None, None]
    assert first.name == "EXAMPLE_ERROR"
    assert first.explains == (Relation(("network.every-key",)),)
    assert first.position == Position("codes.yaml", 9, 11)
    assert second.id == "device.code-507000"
    assert second.confidence < first.confidence


def test_a_broken_row_is_left_out_of_its_catalogue() -> None:
    text = (GOOD / "codes.yaml").read_text("utf-8").replace("usually: cause", "usually: reason")
    content = read_content(text.encode(), "codes.yaml")
    assert [problem.position.line for problem in content.problems] == [13]
    assert [written.rule.id for written in content.rules] == ["device.code-507000"]


def test_landmarks() -> None:
    path = GOOD / "landmarks.yaml"
    content = read_content(path.read_bytes(), path.name)
    assert [written.landmark for written in content.landmarks] == [
        Landmark("scheduler-begin", ("Begin to Initialize MetaServerNode",), None,
                 ("scheduler",)),
        Landmark("cluster-formed", ("Cluster is successfully initialized",), "joined",
                 ("scheduler", "worker"))]


@pytest.mark.parametrize(("text", "expected"), [
    ("500ms", 0.5), ("30s", 30.0), ("1.5m", 90.0), ("2h", 7200.0), (5, 5.0), (None, None)])
def test_durations(text: object, expected: float | None) -> None:
    assert seconds(text) == expected


def test_other_forms() -> None:
    assert quantifier(None) == Quantifier("any")
    assert quantifier("12.5%") == Quantifier("share", 0.125)
    assert build_relations("a.b") == (Relation(("a.b",)),)
    assert build_relations({"rules": "a.*", "ranks": "same"}) == (Relation(("a.*",), "same"),)
    assert build_relations(None) == ()
    with pytest.raises(KeyError):
        build_signal({"in": "worker"})
    with pytest.raises(ValueError):
        seconds("soon")
