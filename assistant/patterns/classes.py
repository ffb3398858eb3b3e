"""Sets of bytes by name: what the classes of RE2 mean on bytes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

ALL = (1 << 256) - 1


def mask(values: Iterable[int]) -> int:
    """The set of these bytes as bits."""
    bits = 0
    for value in values:
        bits |= 1 << value
    return bits


def span(low: int, high: int) -> int:
    """The set of the bytes from `low` to `high`, both included."""
    return ((1 << (high - low + 1)) - 1) << low


DIGIT = span(0x30, 0x39)
UPPER = span(0x41, 0x5A)
LOWER = span(0x61, 0x7A)
WORD = DIGIT | UPPER | LOWER | mask(b"_")
#: RE2's `\s` has no vertical tab; `[[:space:]]` has.
SPACE = mask(b"\t\n\f\r ")


@cache
def perl(letter: str) -> int | None:
    r"""The set of `\d`, `\s`, `\w` or of their opposites, by the letter; None for others."""
    named = {"d": DIGIT, "s": SPACE, "w": WORD}.get(letter.lower())
    if named is None:
        return None
    return named if letter.islower() else ALL & ~named


@cache
def posix(name: str) -> int | None:
    """The set of `[:name:]` or `[:^name:]`; None if there is no such class."""
    graph = span(0x21, 0x7E)
    alnum = DIGIT | UPPER | LOWER
    sets = {
        "alnum": alnum, "alpha": UPPER | LOWER, "ascii": span(0, 0x7F),
        "blank": mask(b" \t"), "cntrl": span(0, 0x1F) | mask([0x7F]), "digit": DIGIT,
        "graph": graph, "lower": LOWER, "print": graph | mask(b" "),
        "punct": graph & ~alnum, "space": SPACE | mask(b"\v"), "upper": UPPER,
        "word": WORD, "xdigit": DIGIT | mask(b"abcdefABCDEF"),
    }
    named = sets.get(name.removeprefix("^"))
    if named is None:
        return None
    return ALL & ~named if name.startswith("^") else named


def fold(bits: int) -> int:
    """The set together with the other case of its ASCII letters."""
    return bits | (bits & UPPER) << 0x20 | (bits & LOWER) >> 0x20


def fold_wide(bits: int) -> int:
    """As `fold`, and the other case of Latin-1 letters, as RE2 reads bytes above 0x7F."""
    high_upper, high_lower = span(0xC0, 0xDE), span(0xE0, 0xFE)
    return fold(bits) | (bits & high_upper) << 0x20 | (bits & high_lower) >> 0x20
