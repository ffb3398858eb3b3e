"""Step lines that are alike from their first byte to their last, read in bulk.

Where layout.py has the layout of a step line's fields, here the head of the record belongs
to it too: all but the stamp and the numbers is fixed. So one expression tells, at the place
where a line begins, that it is such a line, when it was written and what it says.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assistant.evidence.series import NUMBER
from assistant.logtext import prefix, stamps
from assistant.logtext.layout import NUMBER_EXPRESSION, Layout
from assistant.logtext.steps import Value

#: What float() takes of it, steps.parse_all takes as well, and it is found in half the time.
_NUMBER = rb"([-+.\d]{1,40}(?:e[+-]\d{1,4})?)"
_STAMP = re.compile(stamps.STAMP)
_STAMP_GROUPS = _STAMP.groups


@dataclass(frozen=True, slots=True)
class Run:
    """Lines of one layout that follow one another, as columns.

    Attributes:
        heads: of each line the texts of its stamp, its step, its total, and of its numbers.
        names: of the numbers. columns: of each name the numbers of all lines.
        words: values that are the same on all lines.
    """

    heads: Sequence[tuple[bytes, ...]]
    names: tuple[str, ...]
    columns: Sequence[Sequence[float]]
    words: Mapping[str, Value]

    def __len__(self) -> int:
        return len(self.heads)

    def part(self, first: int, end: int | None = None) -> Run:
        """Some of the lines."""
        return Run(self.heads[first:end], self.names,
                   [column[first:end] for column in self.columns], self.words)

    def behind(self, earlier: Run) -> Run | None:
        """An earlier run's lines and these; None where they are not laid out alike."""
        if (self.names, self.words) != (earlier.names, earlier.words):
            return None
        columns = [[*before, *column]
                   for before, column in zip(earlier.columns, self.columns, strict=True)]
        return Run([*earlier.heads, *self.heads], self.names, columns, self.words)

    @property
    def steps(self) -> list[int]:
        """The step of each line."""
        return [int(line[_STAMP_GROUPS]) for line in self.heads]

    def step(self, place: int) -> int:
        """The step of one line."""
        return int(self.heads[place][_STAMP_GROUPS])

    def total(self, place: int) -> int:
        """The total of steps on one line."""
        return int(self.heads[place][_STAMP_GROUPS + 1])

    def time(self, place: int) -> float | None:
        """The time of one line."""
        day, clock, fraction, rest, *_ = self.heads[place]
        return stamps.seconds(day, clock, fraction, rest)

    def column(self, name: str) -> Sequence[float]:
        """The numbers of one name."""
        return self.columns[self.names.index(name)]

    def values(self, place: int) -> dict[str, tuple[int, float]]:
        """All values of one line."""
        found: dict[str, tuple[int, float]] = {
            name: Value(NUMBER, column[place])
            for name, column in zip(self.names, self.columns, strict=True)}
        found.update(self.words)
        return found


class LineLayout:
    """The layout of one whole line."""

    def __init__(self, expression: bytes, names: tuple[str, ...],
                 words: Mapping[str, Value]) -> None:
        self._match = re.compile(expression).match
        self._names = names
        self._words = words

    def read(self, data: bytes, starts: Sequence[int]) -> Run:
        """The lines that begin at these places, up to the first one of another layout."""
        match = self._match
        heads = []
        for start in starts:
            found = match(data, start)
            if found is None:
                break
            heads.append(found.groups())
        columns = list(zip(*heads, strict=True))[_STAMP_GROUPS + 2:]
        try:
            numbers = [list(map(float, column)) for column in columns]
        except ValueError:  # what is in the place of a number is none
            first = next(place for place, head in enumerate(heads) if not _are_numbers(
                head[_STAMP_GROUPS + 2:]))
            return self.read(data, starts[:first])
        return Run(heads, self._names, numbers or [[] for _ in self._names], self._words)


def _are_numbers(texts: Sequence[bytes]) -> bool:
    try:
        list(map(float, texts))
    except ValueError:
        return False
    return True


def line_layout(line: bytes, layout: Layout) -> LineLayout | None:
    """The layout of a whole line of which `layout` has the fields; None if there is more to
    it than one stamp and the fields."""
    head, place = prefix.parse(line), layout.span(line)
    if head is None or head.time is None or place is None or place[1] != len(line):
        return None
    stamp = _STAMP.search(line, 0, place[0])
    if stamp is None or stamps.seconds(*stamp.groups()) != head.time:
        return None
    made = LineLayout(
        re.escape(line[:stamp.start()]) + stamps.STAMP + re.escape(line[stamp.end():place[0]])
        + layout.expression.replace(NUMBER_EXPRESSION, _NUMBER) + rb"(?=\n|\Z)",
        layout.names, layout.words)
    # The expression answers for itself.
    run = made.read(line, (0,))
    alike = len(run) == 1 and (run.steps[0], run.total(0), run.values(0)) == layout.parse(line)
    return made if alike else None
