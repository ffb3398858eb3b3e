"""An expression as a tree over bytes, and what can be said of it without running it.

Only what decides whether a line matches is kept: groups are not captured, lazy and greedy
repetition are the same thing, and no part can match a line end.
"""

from __future__ import annotations

from dataclasses import dataclass

#: The bytes that a line can hold, as a set of bits: all but LF and CR, which end segments.
LINE_BYTES = ((1 << 256) - 1) & ~(1 << 0x0A) & ~(1 << 0x0D)


@dataclass(frozen=True, slots=True)
class Byte:
    """One byte of a set; bit n of `mask` stands for byte n."""

    mask: int


@dataclass(frozen=True, slots=True)
class Anchor:
    r"""A place between bytes: `^`, `$`, `\b` or `\B`."""

    text: str


@dataclass(frozen=True, slots=True)
class Sequence:
    """One part after the other; without parts it matches nothing at all, successfully."""

    parts: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several parts."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A part `low` to `high` times; `high` None: without limit."""

    part: Node
    low: int
    high: int | None


Node = Byte | Anchor | Sequence | Choice | Repeat
EMPTY = Sequence()


def nullable(node: Node) -> bool:
    """Whether it can match without consuming a byte (so on an empty line, perhaps on all)."""
    match node:
        case Byte():
            return False
        case Anchor():
            return True
        case Sequence(parts):
            return all(nullable(part) for part in parts)
        case Choice(parts):
            return any(nullable(part) for part in parts)
        case Repeat(part, low, _):
            return low == 0 or nullable(part)


def anchored(node: Node) -> bool:
    """Whether an anchor is somewhere in it."""
    match node:
        case Byte():
            return False
        case Anchor():
            return True
        case Sequence(parts) | Choice(parts):
            return any(anchored(part) for part in parts)
        case Repeat(part, _, _):
            return anchored(part)


def weight(node: Node) -> int:
    """How many positions an automaton for it needs, repetitions written out."""
    match node:
        case Byte():
            return 1
        case Anchor():
            return 0
        case Sequence(parts) | Choice(parts):
            return sum(weight(part) for part in parts)
        case Repeat(part, low, high):
            return weight(part) * max(low, high or 1)
