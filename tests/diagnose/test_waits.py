"""Who waits for whom."""

from __future__ import annotations

from assistant.diagnose.evaluate import Evaluator
from assistant.diagnose.waits import chain_ends
from assistant.rules.types import Rule
from tests.diagnose.support import event, hit, rule, view, worker

WAITING = rule(signals={"x": {"log": "x", "waits_for": "peer"}})


def ends(pairs: dict[int, str], asked: Rule = WAITING) -> frozenset[int]:
    """Ends of the chains, where rank `key` waits for the ranks that the value names."""
    seen = view(*(worker(rank, hits={"hccl.one/x": [hit(3, peer=peer)]} if peer else {})
                  for rank, peer in pairs.items()))
    return chain_ends([asked, rule("hccl.two")], Evaluator(seen))


def test_the_end_of_a_chain() -> None:
    assert ends({0: "1", 1: "2", 2: "3", 3: ""}) == {3}


def test_several_chains_and_lists() -> None:
    assert ends({0: "[1, 2]", 1: "5", 2: ""}) == {2, 5}


def test_a_ring_has_no_end() -> None:
    assert ends({0: "1", 1: "2", 2: "0"}) == frozenset()


def test_who_waits_for_itself_waits_for_nobody() -> None:
    assert ends({0: "0", 1: ""}) == frozenset()
    assert ends({0: "0, 1", 1: ""}) == {1}


def test_a_line_may_tell_of_a_rank_or_of_a_device() -> None:
    asked = rule(signals={"x": {"log": "x", "waits_for": "peer", "waits_for_device": "card"}})
    seen = view(worker(0, hits={"hccl.one/x": [hit(3, card=1), hit(4, peer=2)]}),
                worker(1, process={"device": 1}))
    assert chain_ends([asked], Evaluator(seen)) == {1, 2}


def test_a_device_stands_for_its_rank() -> None:
    asked = rule(signals={"x": {"log": "x", "waits_for_device": "peer"}})
    assert ends({0: "1", 1: "9"}, asked) == {1}


def test_events_tell_it_too() -> None:
    asked = rule(signals={"x": {"exception": "TimeoutError", "waits_for": "peer",
                                "message": r"rank (?P<peer>\d+)"}})
    seen = view(worker(0, events=[event(3, "TimeoutError", "no word of rank 1")]), worker(1))
    assert chain_ends([asked], Evaluator(seen)) == {1}


def test_a_state_named_by_the_chain() -> None:
    seen = view(worker(0, hits={"hccl.one/x": [hit(3, peer="1")]}), worker(1))
    named = rule(signals={"s": {"state": "any", "named_by": "wait-chain"}}, when="s")
    held = Evaluator(seen, frozenset({1})).holdings(named)["s"]
    assert held.subjects == {1}
    assert not Evaluator(seen).holdings(named)["s"].true
