"""Numbers and texts in little memory: ten thousand ranks have some millions of them.

They behave like the tuples and dictionaries that they stand for, and are equal to them.
"""

from __future__ import annotations

import math
import zlib
from array import array
from collections.abc import ItemsView, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any


class Numbers(array):  # type: ignore[type-arg]
    """Numbers of one kind, as an array that equals any sequence of the same numbers.

    Unlike alone, a nan in it equals a nan: both logs say that there was none.
    """

    __slots__ = ()
    __hash__ = None

    def __eq__(self, other: object) -> bool:
        if isinstance(other, array):
            return super().__eq__(other) or (
                self.typecode == other.typecode and self.tobytes() == other.tobytes())
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __ne__(self, other: object) -> bool:
        return not self == other


# Whoever makes a column may give it any numbers; whoever decodes one sees what it becomes.
if TYPE_CHECKING:
    Floats = Sequence[float]
else:
    Floats = Numbers


class Times(Numbers):
    """Times, of which some are not known: None outside, a nan within."""

    __slots__ = ()
    __hash__ = None

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        if isinstance(place, slice):
            return Times("d", found)
        return None if math.isnan(found) else found

    def __iter__(self) -> Iterator[Any]:
        return (None if math.isnan(time) else time for time in super().__iter__())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __ne__(self, other: object) -> bool:
        return not self == other


class Texts(Mapping[int, str]):
    """Line number to text, compressed: of a thousand only a few are ever looked at.

    Raises:
        OverflowError: a number is too large for an array.
        ValueError: a text holds LF, which no line of a log does.
    """

    __slots__ = ("_lines", "_packed")

    def __init__(self, texts: Mapping[int, str]) -> None:
        self._lines = array("q", sorted(texts))
        whole = "\n".join(texts[line] for line in self._lines)
        if whole.count("\n") != len(self._lines) - 1:
            raise ValueError("a text of several lines")
        self._packed = zlib.compress(whole.encode("utf-8", "surrogatepass"), 1)

    def __getitem__(self, line: int) -> str:
        if line not in self._lines:
            raise KeyError(line)
        return self._all()[self._lines.index(line)]

    def __contains__(self, line: object) -> bool:
        return line in self._lines

    def __iter__(self) -> Iterator[int]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)

    def items(self) -> ItemsView[int, str]:
        return dict(zip(self._lines, self._all(), strict=True)).items()

    def __repr__(self) -> str:
        return repr(dict(self.items()))

    def _all(self) -> list[str]:
        return zlib.decompress(self._packed).decode("utf-8", "surrogatepass").split("\n")


def integers(values: Sequence[int]) -> Sequence[int]:
    """As an array; what is too large for one stays a tuple."""
    if isinstance(values, Numbers):
        return values
    try:
        return Numbers("q", values)
    except OverflowError:
        return tuple(values)


def floats(values: Sequence[float]) -> Sequence[float]:
    """As an array."""
    return values if isinstance(values, Numbers) else Numbers("d", values)


def times(values: Sequence[float | None]) -> Sequence[float | None]:
    """As an array."""
    if isinstance(values, Times):
        return values
    return Times("d", [math.nan if time is None else time for time in values])


def texts(values: Mapping[int, str]) -> Mapping[int, str]:
    """Compressed, unless there are none."""
    if isinstance(values, Texts) or not values:
        return values
    try:
        return Texts(values)
    except (OverflowError, ValueError):
        return values
