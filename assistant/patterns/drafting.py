"""Expressions -> the plan of their search, and what is to be compiled for it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from assistant.patterns.factor import pieces
from assistant.patterns.plan import Plan
from assistant.patterns.translate import find_node, write


@dataclass(frozen=True, slots=True)
class Draft:
    """A plan with what is to be compiled for it.

    Attributes:
        texts: what the first search looks for, in the order of Plan.settled.
        again: what the second search looks for, by group.
    """

    plan: Plan
    texts: tuple[str, ...]
    again: dict[int, str]


def draft(expressions: Sequence[str], common: bytes = b"", frequent: Collection[int] = (),
          refused: Collection[str] = (), whole: Collection[str] = ()) -> Draft:
    """Plan the search for expressions.

    Args:
        common: text of ordinary lines, see factor.pieces.
        frequent: expressions that stand on so many lines that asking all of them again is
            dear: a text that says that one may be there settles the matter.
        refused: expressions of a search that the engine does not take.
        whole: those of which it does not take a part alone (one that can never match).
    """
    groups: dict[str, list[int]] = {}
    alone: list[int] = []
    nodes = {}
    for index, expression in enumerate(expressions):
        node = find_node(expression)
        text = None if node is None else write(node)
        if node is None or text is None or text in refused:
            alone.append(index)
        else:
            groups.setdefault(text, []).append(index)
            nodes[text] = node
    settled: dict[str, list[int]] = {}
    doubtful: set[str] = set()
    again: dict[int, str] = {}
    for group, (sought, members) in enumerate(groups.items()):
        trusted = any(index in frequent for index in members)
        parts = ([(nodes[sought], True)] if sought in whole
                 else pieces(nodes[sought], b"" if trusted else common))
        for node, complete in parts:
            text = write(node)
            known = settled.setdefault(text, [])
            if complete or trusted:
                known.append(group)
            else:
                doubtful.add(text)
                again[group] = sought
    all_members = (*map(tuple, groups.values()), *((index,) for index in alone))
    plan = Plan(all_members, tuple(range(len(groups), len(all_members))),
                tuple(map(tuple, settled.values())), tuple(text in doubtful for text in settled))
    return Draft(plan, tuple(settled), again)
