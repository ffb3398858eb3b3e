"""Step lines as columns of plain numbers, of which the rows that stay are chosen."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from assistant.evidence.series import NUMBER, Column, Series


@dataclass(frozen=True)
class Cells:
    """One metric: `values[i]` is a number where `kinds[i]` is NUMBER."""

    values: Sequence[float]
    kinds: bytes

    @cached_property
    def finite(self) -> Sequence[int]:
        """Places of finite numbers."""
        if self.kinds.count(NUMBER) == len(self.kinds) and math.isfinite(sum(self.values)):
            return range(len(self.kinds))
        return [place for place, (kind, number) in enumerate(
            zip(self.kinds, self.values, strict=True)) if kind == NUMBER and math.isfinite(number)]

    def abnormal(self, most: int) -> Iterable[int]:
        """Of each kind of abnormality (absent and unknown values are some) the first places."""
        if len(self.finite) == len(self.kinds):
            return
        found: dict[str, list[int]] = {}
        normal = set(self.finite)
        for place, (kind, number) in enumerate(zip(self.kinds, self.values, strict=True)):
            if place not in normal:
                found.setdefault(what(kind, number), []).append(place)
        for places in found.values():
            yield from places[:most]

    def largest(self, count: int) -> Iterable[int]:
        """Places of the largest finite numbers, of equal ones the first."""
        places, values = self.finite, self.values
        if len(places) <= count:
            return places
        limit = sorted([values[place] for place in places])[-count]
        above = [place for place in places if values[place] > limit]
        equal = (place for place in places if values[place] == limit)
        return [*above, *islice(equal, count - len(above))]

    def peaks(self, stretches: Sequence[int], most: int) -> Iterable[int]:
        """Places of the largest finite number of each of the first stretches, of equal ones
        the first; `stretches` gives that of each place."""
        values = self.values
        best: dict[int, tuple[float, int]] = {}
        for place in self.finite:
            number, stretch = values[place], stretches[place]
            if stretch not in best or number > best[stretch][0]:
                best[stretch] = number, place
        return [best[stretch][1] for stretch in sorted(best)[:most]]


@dataclass(frozen=True)
class Table:
    """Rows by line. Attributes: steps, lines: of each row. cells: by metric."""

    steps: Sequence[int]
    lines: Sequence[int]
    cells: dict[str, Cells]


def of_series(series: Series) -> Table:
    """The rows of a series."""
    return Table(list(series.steps), list(series.lines), {
        name: Cells(list(column.values), column.kinds)
        for name, column in series.columns.items() if any(column.kinds)})


def picked(column: Column, places: Sequence[int]) -> Column:
    """Some rows of a column."""
    values, kinds = column.values, column.kinds
    return Column([values[place] for place in places], bytes([kinds[place] for place in places]))


def what(kind: int, number: float) -> str:
    """What a cell holds: `number`, or the name of its abnormality."""
    if kind != NUMBER:
        return f"kind {kind}"
    return "number" if math.isfinite(number) else repr(number)
