"""An expression made laxer in one place at a time, to find lines that nearly match it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from assistant.patterns import check
from assistant.patterns.pieces import Piece, alternatives

#: Parts that one expression is cut into at most; more are put together.
_MOST_PARTS = 14
#: Characters of plain text that must be left, and the share of all of them: less matches by
#: chance.
_LEAST_TEXT, _LEAST_SHARE = 6, 0.4
#: Parts that no line lacks.
_ANYTHING = (".*", ".*?", ".+", ".+?", " ")


@dataclass(frozen=True, slots=True)
class Relaxed:
    """A laxer expression.

    Attributes:
        expression: RE2 syntax, without named groups.
        lacks: the part that was left out, as it is spelled; empty: only the case may differ.
        rest: whether everything but that part must be there (else only what stands on one
            side of it).
        weight: characters of plain text that it still asks for.
    """

    expression: str
    lacks: str
    rest: bool
    weight: int


def relaxed(expression: str) -> list[Relaxed]:
    """All usable relaxations of an expression, those that ask for most first."""
    found = {}
    if not expression.startswith("(?i)"):
        found[f"(?i){expression}"] = Relaxed(_nameless(expression), "", True, 1 << 20)
    for pieces in alternatives(expression):
        for one in _of_parts(_few(pieces)):
            found.setdefault(one.expression, one)
    usable = [one for one in found.values() if one.expression and check(one.expression) is None]
    return sorted(usable, key=lambda one: (not one.rest, -one.weight))


def _nameless(expression: str) -> str:
    """The expression in any case, its groups without names."""
    return "(?i)" + "|".join("".join(piece.text for piece in pieces)
                             for pieces in alternatives(expression))


def _of_parts(parts: list[Piece]) -> Iterator[Relaxed]:
    whole = sum(len(part.literal.strip()) for part in parts)
    least = max(_LEAST_TEXT, _LEAST_SHARE * whole)

    def made(kept: list[Piece], expression: str, lacks: str, rest: bool) -> Iterator[Relaxed]:
        weight = sum(len(part.literal.strip()) for part in kept)
        if weight >= least:
            yield Relaxed(expression, lacks, rest, weight)

    for place, part in enumerate(parts):
        left, right = parts[:place], parts[place + 1:]
        if part.text in _ANYTHING:
            continue
        yield from made([*left, *right], (".*" if left and right else "").join(
            ["".join(one.text for one in left), "".join(one.text for one in right)]),
            part.text, True)
        yield from made(left, "".join(one.text for one in left), part.text, False)
        yield from made(right, "".join(one.text for one in right), part.text, False)


def _few(parts: list[Piece]) -> list[Piece]:
    """Parts put together, neighbours of plain text first, until they are few."""
    while len(parts) > _MOST_PARTS:
        place = min(range(len(parts) - 1), key=lambda i: (
            not (parts[i].literal and parts[i + 1].literal),
            len(parts[i].text) + len(parts[i + 1].text)))
        one, other = parts[place], parts[place + 1]
        both = one.literal + other.literal
        parts = [*parts[:place], Piece(one.text + other.text, both), *parts[place + 2:]]
    return parts
