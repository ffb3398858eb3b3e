"""What an engine offers to the scan, whichever way it finds lines."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property

from assistant.patterns.confirm import Confirmer


class Engine(ABC):
    """Compiled expressions, known by their index in the sequence they were built from.

    `lines` finds lines in bulk and may find too many; `match` and `span` are exact.
    The difference between engines is speed only.

    Attributes:
        name: `hyperscan` or `re2`.
        notice: one line for the user when a slower way had to be taken, else None.
    """

    name: str

    def __init__(self, expressions: Sequence[str], notice: str | None = None) -> None:
        self.notice = notice
        self._confirmer = Confirmer(expressions)

    @property
    def expressions(self) -> tuple[str, ...]:
        """The expressions as they were given."""
        return self._confirmer.expressions

    @property
    @abstractmethod
    def members(self) -> tuple[tuple[int, ...], ...]:
        """Of each group of expressions that are sought alike, their indexes."""

    @cached_property
    def groups(self) -> tuple[int, ...]:
        """Of each expression its group, -1 where it is in none."""
        found = dict.fromkeys(range(len(self.expressions)), -1)
        for group, members in enumerate(self.members):
            found.update(dict.fromkeys(members, group))
        return tuple(found.values())

    @abstractmethod
    def lines(self, block: bytes) -> list[tuple[int, int]]:
        """Lines on which an expression may match: (offset of the line's start, group).

        Sorted, without doubles. Lines end at LF; CR parts a line into segments, each of
        which is sought by itself. A superset of the true matches. Safe to call from
        several threads at once.
        """

    def candidates(self, block: bytes) -> list[tuple[int, int]]:
        """As `lines`, for single expressions: (offset of the line's start, index)."""
        members = self.members
        return sorted((start, index) for start, group in self.lines(block)
                      for index in members[group])

    def match(self, index: int, line: bytes) -> dict[str, str] | None:
        """Named groups that took part in the first match, None if the line does not match.

        `line` is one segment, without LF or CR. Groups are decoded as UTF-8, what is not
        valid replaced by U+FFFD.
        """
        return self._confirmer.match(index, line)

    def span(self, index: int, line: bytes) -> tuple[int, int] | None:
        """Start and end of the first match in the line, None if it does not match."""
        return self._confirmer.span(index, line)
