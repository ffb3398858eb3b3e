"""`log:` and `landmark:` signals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from assistant.diagnose.match import Match
from assistant.diagnose.signals.log import landmark, matches, waits
from assistant.diagnose.view import View
from assistant.evidence.types import Hit
from assistant.rules.types import LogSignal
from tests.diagnose.support import absent, hit, job, log, rule, view, worker

K = "hccl.one/x"


def found(seen: View, **values: Any) -> list[Match]:
    signal = rule(signals={"x": {"log": "x", **values}}).signals["x"]
    assert isinstance(signal, LogSignal)
    return list(matches(signal, K, seen))


def subjects(seen: View, **values: Any) -> list[int | str | None]:
    return [m.subject for m in found(seen, **values)]


def test_a_match_a_line() -> None:
    [one, two] = found(view(worker(3, hits={K: [hit(4, "four", 9.0, port=81), hit(7)]})))
    assert one.subject == 3 and one.values == {"port": "81"} and one.time == 9.0
    assert one.citation is not None
    assert (one.citation.file, one.citation.line, one.citation.text) == (
        "a/worker_3.log", 4, "four")
    assert two.time is None and two.values == {}


def test_at_least_counts_the_lines_of_one_file() -> None:
    seen = view(worker(0, hits={K: [hit(1), hit(2)]}),
                worker(1, hits={K: [hit(1), hit(2)]}, counts={K: 9}))
    assert subjects(seen, at_least=2) == [0, 0, 1, 1]
    assert subjects(seen, at_least=3) == [1, 1]
    assert [m.count for m in found(seen)] == [1, 1, 8, 1]


def test_the_rank_that_a_capture_names() -> None:
    seen = view(worker(0, hits={K: [hit(1, who="[2, 5]"), hit(2, who="nobody"), hit(3)]}))
    assert subjects(seen, rank_from="who") == [2, 5, None, None]
    assert subjects(seen) == [0, 0, 0]


def test_a_name_that_means_nobody_keeps_a_fragment() -> None:
    fragment = log("pasted.log", hits={K: [hit(2, who="nobody")]})
    assert subjects(view(fragment), rank_from="who") == [None]


def test_processes_and_devices_that_captures_name() -> None:
    console = log("console.log", "console", "b", hits={K: [hit(1, pid_named=107, card=1)]})
    seen = view(console, worker(7, "a"), worker(1, "b"), absent(8))
    assert subjects(seen, pid_from="pid_named") == [7]
    assert subjects(seen, device_from="card") == [1]
    two = view(console, worker(7, "a"), worker(8, "c", process={"pid": 107}))
    assert subjects(two, pid_from="pid_named") == [None]


def test_the_rank_of_a_prefix_comes_before_the_files() -> None:
    seen = view(worker(0, hits={K: [hit(1, rank=4)]}), log("all.log", hits={
        K: [hit(1, rank=2), hit(2, pid=100), hit(3)]}))
    assert subjects(seen) == [4, 2, 0, None]


def test_the_pid_of_a_prefix_is_a_value_unless_captured() -> None:
    captured = replace(hit(1, pid=55), captures=(("pid", "66"),))
    seen = view(worker(0, hits={K: [hit(1, pid=55)]}), worker(1, hits={K: [captured]}))
    assert [m.values["pid"] for m in found(seen)] == ["55", "66"]


def test_landmarks() -> None:
    seen = view(worker(0, hits={"landmark/world-size": [hit(5, world=8)]}), worker(1))
    [one] = landmark("world-size", seen)
    assert (one.subject, one.values) == (0, {"world": "8"})
    assert not list(landmark("banner", seen))


def test_a_device_counts_on_the_host_that_a_capture_names() -> None:
    told = {K: [hit(1, at="192.0.2.2", card=0), hit(2, at="192.0.2.9", card=0)]}
    made = job(worker(0, "a", hits=told), worker(1, "b", process={"local_rank": 0}),
               worker(2, "b", process={"local_rank": 1}))
    nodes = tuple(replace(node, ip=f"192.0.2.{n}") for n, node in enumerate(made.nodes, 1))
    seen = View(replace(made, nodes=nodes))
    # whose address nobody has is nobody, and not the rank that reports it
    assert subjects(seen, host_from="at", device_from="card") == [1, None]
    assert subjects(seen, host_from="at") == [1, 2, None]


def test_a_host_is_known_by_name_unless_two_have_it() -> None:
    made = job(worker(0, "a"), worker(1, "b"), worker(2, "c"))
    nodes = tuple(replace(node, name=name)
                  for node, name in zip(made.nodes, ("one", "same", "same"), strict=True))
    seen = View(replace(made, nodes=nodes))
    assert (seen.node_at("one"), seen.node_at("same"), seen.node_at("")) == ("a", None, None)


def test_numbers_that_stand_for_ranks() -> None:
    ports = [hit(1, port=8118), hit(2, port=8375), hit(3, port=8117), hit(4, port=99999)]
    seen = view(worker(0, hits={K: ports}), worker(1))
    assert subjects(seen, rank_from="port", rank_base=8118, rank_stride=256) == [0, 1]


def test_only_the_earliest_lines_of_the_job() -> None:
    seen = view(worker(0, hits={K: [hit(1, time=5.0), hit(2, time=9.0), hit(3)]}),
                worker(1, hits={K: [hit(1, time=5.05)]}), worker(2, hits={K: [hit(1, time=5.2)]}))
    assert subjects(seen, earliest="100ms") == [0, 1]
    assert subjects(seen, earliest=1) == [0, 1, 2]
    untold = view(worker(0, hits={K: [hit(1)]}), worker(1, hits={K: [hit(1)]}))
    assert subjects(untold, earliest=1) == [0, 1]


def test_ranks_that_are_missing_from_all_lists_of_a_file() -> None:
    lists = {K: [hit(1, there="[0000000000000000],[0000000000000003]"), hit(2, there="[4]")]}
    plog = log("plog-1_2", "cann", hits=lists)
    assert subjects(view(plog, facts={"world_size": 6}), missing_from="there") == [1, 2, 5]
    assert subjects(view(plog, worker(0), worker(2)), missing_from="there") == [2]
    assert subjects(view(plog), missing_from="there") == []
    complete = log("plog-1_2", "cann", hits={K: [hit(1, there="0, 1")]})
    assert subjects(view(complete, facts={"world_size": 2}), missing_from="there") == []
    # lines that were not kept may hold the others, and an empty list is a cut one
    cut = log("plog-1_2", "cann", hits=lists, counts={K: 99})
    empty = log("plog-1_2", "cann", hits={K: [hit(1, there="none")]})
    for seen in (view(cut, facts={"world_size": 6}), view(empty, facts={"world_size": 6})):
        assert subjects(seen, missing_from="there") == []


def test_numbers_within_a_group_are_positions() -> None:
    groups = {"landmark/group-created": [
        hit(1, group="tp-1", ranks="4, 5, 6, 7", end="}"), hit(2, group="cut", ranks="4, 5")]}
    lines = {K: [hit(5, who=2, group="tp-1"), hit(6, who=1, group="cut"),
                 hit(7, who=9, group="tp-1")]}
    seen = view(worker(0, hits={**groups, **lines}))
    assert subjects(seen, rank_from="who", group_from="group") == [6, None, None]
    assert subjects(seen, missing_from="who", group_from="group") == [4, 5, 7]


def test_whom_a_rank_of_a_group_waits_for() -> None:
    groups = {"landmark/group-created": [hit(1, group="tp-1", ranks="4, 5", end="}")]}
    seen = view(worker(5, hits={**groups, K: [hit(5, who=0, group="tp-1")]}))
    waiting = {"log": "x", "waits_for": "who", "group_from": "group"}
    signal = rule(signals={"x": waiting}).signals["x"]
    assert isinstance(signal, LogSignal)
    [one] = matches(signal, K, seen)
    assert list(waits(signal, one, seen)) == [(5, 4)]


def test_what_is_unlike_most_others() -> None:
    def at(op: str, group: str = "g", index: int = 7) -> dict[str, list[Hit]]:
        return {K: [hit(1, op=op, group=group, index=index)]}

    seen = view(worker(0, hits=at("AllReduce")), worker(1, hits=at("AllGather")),
                worker(2, hits=at("AllReduce")), worker(3, hits=at("Send", "h")),
                worker(4, hits=at("Broadcast", index=8)), worker(5, hits={K: [hit(1)]}))
    assert subjects(seen, differs="op", same=["group", "index"]) == [1]
    assert subjects(seen, differs="op", same="group") == [1, 4]
    tie = view(worker(0, hits=at("AllReduce")), worker(1, hits=at("AllGather")))
    assert subjects(tie, differs="op", same=["group"]) == [0, 1]
    assert subjects(view(worker(0, hits=at("a")), worker(1, hits=at("a"))), differs="op") == []
