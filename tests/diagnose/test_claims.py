"""What is spoken for, and what is left."""

from __future__ import annotations

from assistant.diagnose.claims import Claims
from assistant.diagnose.drafts import drafts
from assistant.diagnose.evaluate import Evaluator
from assistant.diagnose.view import View
from assistant.rules.types import Rule
from tests.diagnose.support import error, event, hit, log, rule, view, worker

X = "hccl.one/x"


def claims(seen: View, *asked: Rule) -> Claims:
    made = Claims()
    for one in asked:
        made.add(drafts(one, Evaluator(seen).holdings(one), seen))
    return made


def left(seen: View, *asked: Rule) -> list[tuple[str, int]]:
    return [(u.template, u.count) for u in claims(seen, *asked).unexplained(seen)]


def test_alike_lines_of_all_files_are_one_entry() -> None:
    seen = view(worker(0, errors=[error(3, count=5)]), worker(1, errors=[error(9, count=2)]),
                worker(2, errors=[error(9, "another")]))
    assert left(seen) == [("it failed", 7), ("another", 1)]
    [first, _] = claims(seen).unexplained(seen)
    assert (first.evidence.file, first.evidence.line, first.files) == ("a/worker_0.log", 3, 2)


def test_a_claimed_line_is_explained() -> None:
    seen = view(worker(0, hits={X: [hit(3, "it failed")]}, errors=[error(3)]))
    assert left(seen, rule()) == []
    assert left(seen) == [("it failed", 1)]


def test_further_lines_that_the_same_pattern_matched_are_explained_too() -> None:
    seen = view(worker(0, hits={X: [hit(1)]}, errors=[error(3, count=10, matched=[(X, 8)])]))
    assert left(seen, rule()) == [("it failed", 2)]
    assert left(seen) == [("it failed", 10)]
    free = claims(seen, rule()).free(seen)
    assert not Evaluator(seen).holdings(rule(signals={"x": {"error": "any"}}), free)["x"].true


def test_events_that_nothing_claims() -> None:
    seen = view(worker(0, events=[event(3, message="step 3")]),
                worker(1, events=[event(3, message="step 4")]),
                worker(2, events=[event(3, "KeyError", "k")], hits={X: [hit(4, event=3)]}),
                log("copy", events=[event(3)], echo=True))
    assert left(seen, rule()) == [("ValueError: step <n>", 2)]
    assert len(left(seen)) == 2


def test_the_event_of_a_claimed_line_is_claimed() -> None:
    seen = view(worker(0, events=[event(3)], hits={X: [hit(4, event=3)]}))
    free = claims(seen, rule()).free(seen)
    fallback = rule(signals={"x": {"exception": ".*"}})
    assert not Evaluator(seen).holdings(fallback, free)["x"].true
    assert Evaluator(seen).holdings(fallback, Claims().free(seen))["x"].true


def test_lines_of_an_earlier_run_are_nobodys() -> None:
    seen = view(worker(0, errors=[error(3)], run_start=10))
    assert left(seen) == []
