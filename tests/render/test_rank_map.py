from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assistant.render.rank_map import culprits, group
from assistant.report.types import RankRow
from assistant.rules.types import PHASES, STATES
from tests.render.samples import finding


def row(rank: int, state: str = "failed", step: int | None = 4, node: str = "a",
        stage: int | None = None, phase: str | None = "training") -> RankRow:
    return RankRow(rank, node, f"worker_{rank}.log", stage, state, step, f"2026-11-30T0{rank % 9}",
                   phase)


def test_alike_ranks_are_one_group_and_the_culprit_comes_first() -> None:
    groups = group([row(0, "killed"), row(1, "killed"), row(2), row(3, "killed", 3)], {2: 0})
    assert [(g.ranks, g.cause, g.state, g.steps) for g in groups] == [
        ((2,), 0, "failed", (4, 4)), ((0, 1), None, "killed", (4, 4)),
        ((3,), None, "killed", (3, 3))]


def test_the_first_cause_comes_before_the_second() -> None:
    groups = group([row(0), row(1, "crashed"), row(2, "finished")], {0: 0, 1: 1})
    assert [g.ranks for g in groups] == [(0,), (1,), (2,)]


def test_a_cause_about_all_ranks_marks_none() -> None:
    assert [g.cause for g in group([row(0), row(1)], {0: 0, 1: 0})] == [None]


def test_many_different_steps_are_merged() -> None:
    groups = group([row(rank, "running", rank) for rank in range(100)], {})
    assert [(g.ranks, g.steps) for g in groups] == [(tuple(range(100)), (0, 99))]


def test_whole_nodes_are_told_only_where_there_are_several() -> None:
    rows = [row(rank, "stopped" if rank in (2, 3) else "failed", node=f"n{rank // 2}")
            for rank in range(6)]
    groups = group(rows, {2: 0, 3: 0})
    assert [(g.nodes, g.whole_nodes) for g in groups] == [(("n1",), True), (("n0", "n2"), True)]
    assert not group([row(0), row(1)], {})[0].whole_nodes
    assert not group([row(0), row(1, node="b"), row(2, "killed", node="b")], {})[0].whole_nodes


def test_phase_is_told_only_without_a_step() -> None:
    groups = group([row(0, step=None, phase="joined"), row(1, step=3)], {})
    assert [(g.phase, g.steps) for g in groups] == [("joined", None), (None, (3, 3))]


def test_culprits_are_those_of_the_first_cause_that_names_them() -> None:
    causes = [finding("a.b", "t", ranks=(2, 3)), finding("a.c", "t", ranks=(3, 4))]
    assert culprits(causes) == {2: 0, 3: 0, 4: 1}


ROWS = st.lists(st.tuples(st.sampled_from(STATES), st.none() | st.integers(0, 3),
                          st.sampled_from("abc"), st.sampled_from(PHASES)), max_size=60)


@given(ROWS, st.dictionaries(st.integers(0, 59), st.integers(0, 3)))
def test_every_rank_is_in_exactly_one_group(values: list[tuple[str, int | None, str, str]],
                                            blamed: dict[int, int]) -> None:
    rows = [row(rank, state, step, node, phase=phase)
            for rank, (state, step, node, phase) in enumerate(values)]
    groups = group(rows, blamed)
    ranks = [rank for g in groups for rank in g.ranks]
    assert sorted(ranks) == list(range(len(rows)))
    for g in groups:
        assert {rows[rank].state for rank in g.ranks} == {g.state}
