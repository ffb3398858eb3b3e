"""Bounded selections that can be merged.

Evidence stays small because only some of the hits, events and rows of a file are kept. Each
selection S here has one property, on which all merging rests:

    S(E) <= X <= E   implies   S(X) = S(E)      (<=: is a subset of)

Whatever else is kept beside the selected elements, selecting again gives the same. So the
selection of two selections' union is the selection of the whole, in any order and grouping.
The union of several such selections has the property too.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from heapq import nlargest, nsmallest
from typing import TypeVar

T = TypeVar("T")


def first(items: Iterable[T], line: Callable[[T], int], limit: int) -> list[T]:
    """The `limit` items that stand first, by line."""
    return nsmallest(limit, items, key=line)


def last(items: Iterable[T], line: Callable[[T], int], limit: int) -> list[T]:
    """The `limit` items that stand last, by line."""
    return nlargest(limit, items, key=line)[::-1]


def first_of_each(items: Iterable[T], line: Callable[[T], int],
                  identity: Callable[[T], Hashable], limit: int) -> list[T]:
    """Of items that are alike the first one, and of these the `limit` first, by line."""
    found: dict[Hashable, T] = {}
    for item in sorted(items, key=line):
        if len(found) == limit:
            break
        found.setdefault(identity(item), item)
    return list(found.values())


def last_of_each(items: Iterable[T], line: Callable[[T], int],
                 identity: Callable[[T], Hashable], limit: int) -> list[T]:
    """Of items that are alike the last one, and of these the `limit` last, by line."""
    return first_of_each(items, lambda item: -line(item), identity, limit)[::-1]


def union(groups: Iterable[Iterable[T]], line: Callable[[T], int]) -> tuple[T, ...]:
    """All items of the groups, each line once, by line."""
    found = {line(item): item for group in groups for item in group}
    return tuple(found[key] for key in sorted(found))
