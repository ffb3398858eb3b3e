"""`log:` and `landmark:` signals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from assistant.diagnose.match import Match
from assistant.diagnose.signals.log import landmark, matches
from assistant.diagnose.view import View
from assistant.rules.types import LogSignal
from tests.diagnose.support import absent, hit, log, rule, view, worker

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
