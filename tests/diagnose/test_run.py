"""The whole of a diagnosis: its steps in order, and what must hold whatever the job."""

from __future__ import annotations

import time
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.diagnose import Diagnosis, diagnose
from assistant.job.types import Job, Process
from assistant.rules.changes import Change
from assistant.rules.ruleset import RuleSet
from assistant.rules.types import Position
from tests.diagnose.support import (
    Log,
    absent,
    causes,
    error,
    event,
    hit,
    job,
    lines_of,
    log,
    roles,
    rule,
    rules,
    series,
    worker,
)

#: A small pack with every kind of relation.
PACK = rules(
    rule("user-code.shape", signals={"x": {"exception": "ValueError", "message": "shape"}},
         explains=["hccl.*", "network.lost"]),
    rule("hccl.collective", signals={"x": {"log": "x"}}, explains=["network.lost"]),
    rule("hang.silent", signals={
        "x": {"log": "x"}, "silent": {"state": ["stopped", "running"], "behind": "peers",
                                      "without": "error"}},
         when="x and silent", blame="silent", verdict="hung",
         explains=[{"rules": ["hccl.*"], "ranks": "other"}, "network.*"]),
    rule("network.lost", signals={"x": {"log": "x", "rank_from": "lost"}}, severity="warning"),
    rule("numeric.nan", signals={"x": {"metric": "loss", "is": "nan"}}, each="rank"),
    rule("logging.early", signals={"x": {"log": "x"}}, severity="info"),
    rule("hccl.code-ei0006", signals={"x": {"code": "EI0006"}}, fallback=True,
         usually="consequence"),
    rule("user-code.exception", signals={"x": {"exception": ".*"}}, fallback=True,
         explains=["hccl.*"]),
    rule("data.noise", signals={"x": {"error": "noise"}}, harmless=True),
    rule("framework.unknown", signals={"x": {"error": "any"}}, fallback=True))


@st.composite
def contents(draw: st.DrawFn) -> dict[str, Any]:
    """What stands in the log of a rank."""
    when = draw(st.none() | st.floats(0, 500))
    made: dict[str, Any] = {
        "hits": {f"{name}/x": [hit(9, f"a line of {name}", when, lost=draw(st.integers(0, 3)))]
                 for name in draw(st.sets(st.sampled_from(
                     ["hccl.collective", "hang.silent", "network.lost", "logging.early"])))},
        "events": [event(20, draw(st.sampled_from(["ValueError", "KeyError"])),
                         draw(st.sampled_from(["shape of 3", "of 4"])), time=when,
                         codes=draw(st.sampled_from([(), ("EI0006",)])))
                   for _ in range(draw(st.integers(0, 1)))],
        "errors": [error(40, text, when) for text in draw(st.sets(
            st.sampled_from(["noise", "it failed", "odd"])))],
        "steps": series(50, loss=draw(st.lists(st.sampled_from([1.0, 2.0, float("nan")]),
                                               min_size=1, max_size=3))),
        "state": draw(st.sampled_from(["running", "failed", "killed", "stopped", "finished"]))}
    return made


def a_job(parts: list[dict[str, Any]], new: list[int] | None = None, known: int | None = None,
          ) -> Job:
    """A job of these ranks; `new`: their numbers; `known`: how many of them lines may name."""
    new = new or list(range(len(parts)))
    known = len(parts) if known is None else known
    logs: list[Log | Process] = []
    for rank, values in enumerate(parts):
        told = {key: [replace(h, captures=tuple(
            (name, str(new[int(text)]) if int(text) < known else "99")
            for name, text in h.captures)) for h in found]
            for key, found in values["hits"].items()}
        logs.append(worker(new[rank], **{**values, "hits": told},
                           process={"local_rank": None}))
    return job(*logs)


JOBS = st.lists(contents(), min_size=1, max_size=4)


def told(diagnosis: Diagnosis, new: list[int] | None = None) -> set[tuple[Any, ...]]:
    """Rule, role, explanation and (renamed) ranks of every finding, and the verdict."""
    def number(rank: int) -> int:
        return rank if new is None or rank >= len(new) else new[rank]

    return {(diagnosis.verdict, f.rule.id, f.role, f.explained_by,
             tuple(sorted(map(number, f.ranks))), f.codes, f.count) for f in diagnosis.findings}


@given(JOBS, st.randoms())
def test_the_order_of_rules_changes_nothing(parts: list[dict[str, Any]], random: Random) -> None:
    shuffled = list(PACK.rules)
    random.shuffle(shuffled)
    made = a_job(parts)
    assert diagnose(made, PACK) == diagnose(made, RuleSet(tuple(shuffled), ()))


@given(JOBS)
def test_other_numbers_other_ranks(parts: list[dict[str, Any]]) -> None:
    # The order of numbers stays, since the lowest number settles what nothing else does.
    new = [10 * rank + 3 for rank in range(len(parts))]
    assert told(diagnose(a_job(parts), PACK), new) == told(diagnose(a_job(parts, new), PACK))


@given(JOBS, st.permutations(range(4)))
def test_ranks_may_be_numbered_in_any_way(parts: list[dict[str, Any]], order: list[int]) -> None:
    new = [rank for rank in order if rank < len(parts)]
    before, after = diagnose(a_job(parts), PACK), diagnose(a_job(parts, new), PACK)
    assert told(before, new) == told(after)


@given(JOBS)
def test_every_quotation_stands_in_the_input(parts: list[dict[str, Any]]) -> None:
    made = a_job(parts)
    known = {f.name: lines_of(f.evidence) for f in made.files}
    diagnosis = diagnose(made, PACK)
    quoted = [quote for f in diagnosis.findings for quote in f.evidence]
    for quote in [*quoted, *(u.evidence for u in diagnosis.unexplained)]:
        assert quote.text in known[quote.file][quote.line]


@given(JOBS)
def test_roles_are_sound(parts: list[dict[str, Any]]) -> None:
    diagnosis = diagnose(a_job(parts), PACK)
    by_rule = roles(diagnosis)
    for finding in diagnosis.findings:
        assert 0 < finding.confidence <= 1 and finding.count >= 1
        assert finding.role in ("cause", "consequence", "note")
        assert (finding.role == "note") == (finding.rule.severity == "info")
        assert (finding.role == "consequence") == (finding.explained_by is not None)
        if finding.explained_by is not None:
            assert by_rule[finding.explained_by] == "cause" and (
                finding.explained_by != finding.rule.id)
    order = [("cause", "consequence", "note").index(f.role) for f in diagnosis.findings]
    assert order == sorted(order)
    blamed = [f for f in diagnosis.findings if f.role == "cause"]
    assert bool(blamed) == (diagnosis.verdict in ("failed", "hung", "degraded"))
    assert "data.noise" not in by_rule


@given(JOBS)
def test_a_healthy_rank_more_changes_no_cause(parts: list[dict[str, Any]]) -> None:
    """Of what is judged rank by rank; how many are behind may well change."""
    pack = RuleSet(tuple(r for r in PACK.rules if r.id != "hang.silent"), ())
    steps = max(len(p["steps"].steps) for p in parts)
    healthy = {"hits": {}, "steps": series(50, loss=[1.0] * steps), "state": parts[0]["state"]}
    before = diagnose(a_job(parts), pack)
    after = diagnose(a_job([*parts, healthy], known=len(parts)), pack)
    assert causes(before) == causes(after) and before.unexplained == after.unexplained


@given(JOBS, st.integers(0, 3))
def test_a_benign_line_more_changes_nothing(parts: list[dict[str, Any]], rank: int) -> None:
    rank %= len(parts)
    more = [dict(p) for p in parts]
    more[rank]["hits"] = {**more[rank]["hits"], "landmark/banner": [hit(1, lost=0)],
                          "data.other/x": [hit(2, lost=1)]}
    assert told(diagnose(a_job(parts), PACK)) == told(diagnose(a_job(more), PACK))


def test_a_silenced_rule_is_a_note_and_blames_nobody() -> None:
    made = job(worker(0, hits={"hccl.collective/x": [hit(9)]}, steps=series(loss=[1.0])))
    silence = Change("silenced", "site", Position("site.yaml", 1, 1), until="2027-01-01",
                     reason="known")
    quiet = replace(PACK, changes={"hccl.collective": (silence,)})
    loud, silent = diagnose(made, PACK), diagnose(made, quiet)
    assert (loud.verdict, roles(loud)) == ("failed", {"hccl.collective": "cause"})
    assert (silent.verdict, roles(silent)) == ("healthy", {"hccl.collective": "note"})
    assert silent.findings[0].silenced == silence


def test_rules_for_other_versions_are_not_asked() -> None:
    made = job(worker(0, hits={"hccl.one/x": [hit(9)]}), facts={"mindspore": "2.3.0"})
    assert not diagnose(made, rules(rule(applies_to={"mindspore": ">=2.4"}))).findings
    assert diagnose(made, rules(rule(applies_to={"mindspore": "<2.4"}))).findings


def test_values_of_a_finding() -> None:
    part = worker(9, "b", hits={"hccl.one/x": [hit(3, "three", port=81, rank_said=1)]},
                  process={"device": 5, "local_rank": 1})
    made = job(part, worker(12, "b", hits={"hccl.one/x": [hit(3, port=99, ip="192.0.2.1")]}),
               facts={"world_size": 16})
    [finding] = diagnose(made, rules(rule())).findings
    assert finding.values == {
        "port": "81", "ip": "192.0.2.1", "rank_said": "1", "rank": "9", "pid": "109",
        "rank_file": "b/worker_9.log",
        "local_rank": "1", "device": "5", "file": "b/worker_9.log", "line": "3",
        "top": "1", "world_size": "16", "node": "node b"}
    assert finding.nodes == ("b",) and finding.ranks == (9, 12)


def test_the_values_of_a_finding_speak_of_the_rank_that_is_quoted_first() -> None:
    made = job(worker(1, "a", hits={"hccl.one/x": [hit(3, time=9.0, pid=31)]}),
               worker(10, "b", hits={"hccl.one/x": [hit(5, time=7.0, pid=32)]}))
    [finding] = diagnose(made, rules(rule())).findings
    values = finding.values
    assert finding.ranks == (1, 10)
    assert (values["rank"], values["file"], values["line"], values["pid"], values["node"]) == (
        "10", "b/worker_10.log", "5", "110", "node b")  # its own, not that of a child process


def test_reading_begins_where_the_event_does_or_some_lines_above() -> None:
    made = job(worker(0, events=[event(40)], hits={"hccl.one/x": [hit(90)]}))
    found = diagnose(made, rules(rule(), rule("user-code.raised", signals={
        "x": {"exception": "ValueError"}}))).findings
    assert {(f.rule.id, f.values["line"], f.values["top"]) for f in found} == {
        ("user-code.raised", "42", "40"), ("hccl.one", "90", "80")}


def test_a_named_rank_that_nobody_knows_is_named_all_the_same() -> None:
    made = job(log("scheduler.log", "scheduler", hits={"hccl.one/x": [hit(3, who=40)]}))
    [finding] = diagnose(made, rules(rule(signals={
        "x": {"log": "x", "rank_from": "who"}}))).findings
    assert finding.ranks == (40,) and finding.values["rank"] == "40" and finding.nodes == ()


def test_missing_logs_lower_the_confidence() -> None:
    part = worker(0, hits={"hccl.one/x": [hit(3)]})
    whole = diagnose(job(part, worker(1)), rules(rule())).findings[0]
    third = diagnose(job(part, worker(1), absent(2)), rules(rule())).findings[0]
    last_resort = diagnose(job(part), rules(rule(fallback=True))).findings[0]
    assert (whole.confidence, third.confidence, last_resort.confidence) == (0.9, 0.81, 0.72)
    console = log("c", "console", hits={"hccl.one/x": [hit(3)]})
    assert diagnose(job(console, absent(0)), rules(rule())).findings[0].confidence == 0.9


def test_one_line_that_names_many_ranks_counts_once() -> None:
    made = job(log("s", "scheduler", hits={"hccl.one/x": [hit(3, who="1,2,3"), hit(4, who="4")]},
                   counts={"hccl.one/x": 7}))
    [finding] = diagnose(made, rules(rule(signals={
        "x": {"log": "x", "rank_from": "who"}}))).findings
    assert finding.ranks == (1, 2, 3, 4) and finding.count == 7


def test_what_a_better_rule_has_claimed_no_fallback_sees() -> None:
    made = job(worker(0, events=[event(3, message="shape 3"), event(30, "KeyError", "k")]))
    found = {f.rule.id: f.evidence[0].line for f in diagnose(made, PACK).findings}
    assert found == {"user-code.shape": 5, "user-code.exception": 32}


@settings(deadline=None)
@given(st.just(None))
def test_an_empty_job(_: None) -> None:
    diagnosis = diagnose(job(), PACK)
    assert (diagnosis.verdict, diagnosis.findings, diagnosis.unexplained) == (
        "inconclusive", (), ())


def test_ten_thousand_ranks_take_seconds() -> None:
    world, per_node = 10_000, 8
    steps = series(50, loss=[3.0 - i / 20 for i in range(40)],
                   per_step_time=[300.0 + i % 7 for i in range(40)])
    parts: list[Log | Process] = []
    for rank in range(world):
        node = f"n{rank // per_node:04d}"
        culprit = rank == 4321
        keys = {f"{name}/x": [hit(9, time=100.0, lost=rank), hit(10, time=101.0, lost=rank)]
                for name in ("hccl.collective", "hang.silent", "network.lost", "hccl.before")}
        parts.append(worker(
            rank, node, state="failed", steps=steps, hits={} if culprit else keys,
            events=[event(20, message="shape of 3", time=90.0)] if culprit else [
                event(20, "RuntimeError", f"rank {rank} lost", codes=["EI0006"], time=110.0)],
            errors=[error(40, f"error {n}", 110.0) for n in range(3)]))
    more = [rule(f"hccl.code-{n:06d}", signals={"x": {"code": str(n)}}, fallback=True,
                 usually="either") for n in range(500)]
    more += [rule(f"hccl.lines-{n}", signals={"x": {"log": "x"}, "y": {"log": "y"}},
                  when="x and not y") for n in range(100)]
    more += [rule(f"performance.m-{n}", severity="warning", signals={"x": {
        "metric": "per_step_time", **test}}) for n, test in enumerate((
            {"slower_than": "peers", "for": 5}, {"slower_than": "past", "for": 10},
            {"unlike": "peers", "by": 60, "for": 5}, {"spike": {"deviations": 8}},
            {"is": "nan"}, {"is": "flat", "for": 20}))]
    more.append(rule("hccl.before", signals={
        "x": {"log": "x", "before": "y", "within": "30s"}, "y": {"exception": "RuntimeError"}}))
    made = job(*parts)
    begin = time.process_time()
    diagnosis = diagnose(made, rules(*PACK.rules, *more))
    spent = time.process_time() - begin
    assert causes(diagnosis)[0] == ("user-code.shape", (4321,))
    assert max(len(f.ranks) for f in diagnosis.findings) == world - 1
    assert spent < 30, f"{spent:.1f} s"


