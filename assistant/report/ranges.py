"""Sets of ranks as a person writes them: `0-2, 5`."""

from __future__ import annotations

from collections.abc import Iterable


def spans(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Runs of consecutive numbers as (first, last), sorted, whatever the order given."""
    found: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if found and number == found[-1][1] + 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


def ranges(numbers: Iterable[int]) -> str:
    """`[0, 1, 2, 5]` as `0-2, 5`; the empty text for no number."""
    return ", ".join(_span(first, last) for first, last in spans(numbers))


def short_ranges(numbers: Iterable[int], width: int) -> str:
    """As `ranges`, but cut to `width` characters: `0-2, 5, ... (40)`, the count in brackets."""
    members = set(numbers)
    whole = ranges(members)
    if len(whole) <= width:
        return whole
    end = f"... ({len(members):,})"
    kept = ""
    for first, last in spans(members):
        longer = f"{kept}{_span(first, last)}, "
        if kept and len(longer) + len(end) > width:
            break
        kept = longer
    return kept + end


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"
