"""From a tree to the text that finds candidate lines: whatever matches the expression
matches this too, and a little more may.

It is written to be quick: parts at either end that need not be there are left out (an
engine that reports every end of a match would report each byte of a final `.*`), and long
counted repetitions lose their upper bound. No part of it can cross a line end, so it can be
run over a whole block in multi-line mode. A change of what is written here must raise
hyperscan_engine.TRANSLATION.
"""

from __future__ import annotations

from functools import cache

from assistant.patterns.nodes import (
    EMPTY,
    LINE_BYTES,
    Anchor,
    Byte,
    Choice,
    Node,
    Repeat,
    Sequence,
    nullable,
    weight,
)
from assistant.patterns.syntax import parse
from assistant.patterns.trouble import BadExpression

#: Positions that one counted repetition may take before its bounds are loosened.
MAX_WEIGHT = 64
#: Positions that a whole expression may take: beyond, compiling it takes seconds.
MAX_TOTAL = 4000
_ANY = Repeat(Byte(LINE_BYTES), 0, None)


def find_expression(expression: str) -> str | None:
    """What finds the candidate lines of an expression; None: only line by line can.

    That is so for what cannot be read, may match an empty line, or is too large.
    """
    node = find_node(expression)
    return None if node is None else write(node)


def find_node(expression: str) -> Node | None:
    """As `find_expression`, as a tree."""
    try:
        node = parse(expression).node
    except BadExpression:
        return None
    return None if nullable(node) or too_large(node) else _finder(node)


def too_large(node: Node) -> bool:
    """Whether it would burden the search for all others."""
    return weight(_loosen(node)) > MAX_TOTAL


def finder(node: Node) -> str:
    """ASCII text, in the syntax common to Hyperscan and RE2 (multi-line, case-sensitive)."""
    return write(_finder(node))


def _finder(node: Node) -> Node:
    return _trim(_trim(_loosen(node), -1, "$"), 0, "^")


def _loosen(node: Node) -> Node:
    match node:
        case Sequence(parts):
            return Sequence(tuple(map(_loosen, parts)))
        case Choice(parts):
            return Choice(tuple(map(_loosen, parts)))
        case Repeat(part, low, high):
            part = _loosen(part)
            if isinstance(part, Anchor):
                return part if low else EMPTY
            limit = max(1, MAX_WEIGHT // max(1, weight(part)))
            if max(low, high or 0) > limit:
                return Repeat(part, min(low, limit), None)
            return Repeat(part, low, high)
        case _:
            return node


def _trim(node: Node, end: int, anchor: str) -> Node:
    """Leave out what need not be there at one end: 0 the first, -1 the last part."""
    match node:
        case Repeat(_, 0, _):
            return EMPTY
        case Repeat(part, 1, _):
            return _trim(part, end, anchor)
        case Repeat(part, low, _):
            return Repeat(part, low, low)
        case Choice(parts):
            trimmed = tuple(_trim(part, end, anchor) for part in parts)
            return EMPTY if EMPTY in trimmed else Choice(trimmed)
        case Sequence(parts):
            rest = list(parts)
            while rest:
                if rest[end] == Anchor(anchor) and len(rest) > 1:
                    if rest[1 if end == 0 else -2] != _ANY:
                        break
                    del rest[end]
                last = _trim(rest[end], end, anchor)
                if last != EMPTY:
                    rest[end] = last
                    break
                del rest[end]
            return rest[0] if len(rest) == 1 else Sequence(tuple(rest))
        case _:
            return node


def write(node: Node) -> str:
    """A tree as ASCII text, in the syntax common to Hyperscan and RE2."""
    match node:
        case Byte(mask):
            return _write_set(mask)
        case Anchor(text):
            return text
        case Sequence(parts):
            return "".join(map(write, parts))
        case Choice(parts):
            return f"(?:{'|'.join(map(write, parts))})"
        case Repeat(part, low, high):
            text = write(part) if isinstance(part, Byte) else f"(?:{write(part)})"
            if nullable(part):
                low = 0
            signs = {(0, None): "*", (1, None): "+", (0, 1): "?", (1, 1): ""}
            upper = "" if high is None else str(high)
            count = f"{{{low}}}" if low == high else f"{{{low},{upper}}}"
            return text + signs.get((low, high), count)


@cache
def _write_set(mask: int) -> str:
    if mask == LINE_BYTES:
        return "."
    values = [value for value in range(256) if mask >> value & 1]
    if len(values) == 1:
        return _write_byte(values[0])
    runs: list[list[int]] = []
    for value in values:
        if runs and value == runs[-1][1] + 1:
            runs[-1][1] = value
        else:
            runs.append([value, value])
    return "[" + "".join(
        _write_byte(low) + (f"-{_write_byte(high)}" if high > low else "")
        for low, high in runs) + "]"


def _write_byte(value: int) -> str:
    char = chr(value)
    return char if char.isascii() and char.isalnum() else f"\\x{value:02x}"
