from __future__ import annotations

from assistant.job import marks
from assistant.rules.types import PHASES, Landmark
from tests.job.support import Log


def test_hits_are_united_and_sorted_from_a_line_on() -> None:
    log = Log("worker_0.log", 7)
    for number in range(60):
        log.mark("world-size", world=number)
    evidence = log.done()
    assert marks.numbers(evidence, "world-size", "world") == tuple(range(60))
    assert marks.numbers(evidence, "world-size", "world", 58) == (57, 58, 59)


def test_captures_as_text_and_number() -> None:
    log = Log("console.log").mark("console-worker", rank="None", file="a_1.log")
    hit = marks.first(log.done(), "console-worker")
    assert hit is not None
    assert marks.text(hit, "rank") == "None"
    assert marks.number(hit, "rank") is None
    assert marks.text(hit, "nothing") is None


def test_seen_and_last_look_at_the_last_run() -> None:
    evidence = Log("a.log").mark("banner", mode="GRAPH").plain().mark("building").done()
    assert marks.seen(evidence, "banner")
    assert not marks.seen(evidence, "banner", 2)
    assert marks.last(evidence, "banner", 2) is None
    assert marks.seen(evidence, "building", 3)


def test_phases_are_ordered() -> None:
    assert [marks.phase_index(phase) for phase in (None, *PHASES)] == list(range(-1, len(PHASES)))
    assert marks.later_phase("joined", "training") == "training"
    assert marks.later_phase("joined", None) == "joined"


def test_packs_add_phases() -> None:
    phases = marks.phases_of([Landmark("own", ("x",), "building"), Landmark("mute", ("y",))])
    assert phases["own"] == "building"
    assert "mute" not in phases
    assert phases["banner"] == "started"
