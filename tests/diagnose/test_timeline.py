"""The same answers as pair by pair."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from assistant.diagnose.match import Match
from assistant.diagnose.timeline import Timeline
from assistant.diagnose.view import View
from assistant.job.types import Clock
from tests.diagnose.pairs import distance, order
from tests.diagnose.support import job, match, view, worker

CLOCKS = {"a": Clock(0.0, 0.0), "b": Clock(2.0, 1.0), "c": Clock(-1.0, 3.0), "d": Clock()}
VIEW = view(*(worker(i, node) for i, node in enumerate("abcd")), clocks=CLOCKS)

MATCHES = st.builds(
    lambda node, name, line, at, quoted: match(
        f"{node}/{name}", line, at, node) if quoted else Match(None, node, None, time=at),
    st.sampled_from("abcd"), st.sampled_from("xy"), st.integers(1, 6),
    st.none() | st.integers(0, 20).map(float), st.sampled_from([True, True, True, False]))


@given(st.lists(MATCHES, max_size=8), MATCHES, st.none() | st.integers(0, 9).map(float))
def test_like_pair_by_pair(others: list[Match], one: Match, within: float | None) -> None:
    line = Timeline(others, VIEW)
    for wanted, answer in ((-1, line.any_after(one, within)), (1, line.any_before(one, within))):
        assert answer == any(
            order(VIEW, one, other) == wanted and (within is None or (
                (gap := distance(VIEW, one, other)) is not None and gap <= within))
            for other in others)


def test_many_matches_on_many_nodes_take_no_time() -> None:
    nodes = [f"n{i:04d}" for i in range(1000)]
    ordered = View(job(clocks={node: Clock(0.0, 0.5) for node in nodes}))
    found = [match(f"{node}/{name}", line, line + i / 1000, node)
             for i, node in enumerate(nodes) for name in "xy" for line in range(1, 11)]
    begin = time.process_time()
    line = Timeline(found, ordered)
    assert sum(line.any_after(one, 2.0) for one in found) > 10_000
    assert time.process_time() - begin < 10
