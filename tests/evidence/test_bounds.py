from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assistant.evidence import bounds

#: (line, name), each line once.
ITEMS = st.dictionaries(st.integers(1, 60), st.sampled_from("abcdef"), max_size=40).map(
    lambda found: sorted(found.items()))
Item = tuple[int, str]


def line(item: Item) -> int:
    return item[0]


def name(item: Item) -> str:
    return item[1]


def test_first_and_last() -> None:
    items = [(3, "a"), (1, "b"), (2, "c")]
    assert bounds.first(items, line, 2) == [(1, "b"), (2, "c")]
    assert bounds.last(items, line, 2) == [(2, "c"), (3, "a")]


def test_of_each() -> None:
    items = [(1, "a"), (2, "b"), (3, "a"), (4, "c")]
    assert bounds.first_of_each(items, line, name, 2) == [(1, "a"), (2, "b")]
    assert bounds.last_of_each(items, line, name, 2) == [(3, "a"), (4, "c")]


def test_union_holds_each_line_once() -> None:
    assert bounds.union([[(3, "a"), (1, "b")], [(1, "b")]], line) == ((1, "b"), (3, "a"))


def select(items: list[Item]) -> list[Item]:
    """All selections together, as events and hits use them."""
    return list(bounds.union((
        bounds.first(items, line, 3), bounds.last(items, line, 2),
        bounds.first_of_each(items, line, name, 3),
        bounds.last_of_each(items, line, name, 3)), line))


@given(ITEMS, st.data())
def test_whatever_is_kept_beside_the_selection_makes_no_difference(
        items: list[Item], data: st.DataObject) -> None:
    kept = select(items)
    beside = [item for item in items if data.draw(st.booleans())]
    assert select(sorted({*kept, *beside}, reverse=True)) == kept
