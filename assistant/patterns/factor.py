"""What a line must hold for an expression to match it: less than the expression, and quicker
to find.

`python\\S*\\[\\d+\\]: segfault at ` cannot match without `: segfault at `. A search for many
expressions at once is quick where it looks for long texts that are seldom there; the parts
before and between them (`python`, `\\S*`) only make it stop at lines that are none. Whoever
finds the text asks the whole expression afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator

from assistant.patterns.classes import UPPER
from assistant.patterns.nodes import Anchor, Byte, Choice, Node, Repeat, Sequence

#: Shortest text, in bytes, that may stand for an expression; one so long need not be made
#: longer at the price of more forms.
SHORTEST, LONG = 4, 12
#: Most forms of a text, and of a character in it.
MOST, _FEW = 16, 3

#: The shortest row of classes that is sought in all forms of a pair in it, how many these may
#: be, and how many bytes a class in it holds at most.
_SHORTEST_ROW, _MOST_PAIRS, _SMALL = 5, 40, 40

#: Texts as the sets of bytes at each place.
_Forms = frozenset[tuple[int, ...]]


def pieces(node: Node, common: bytes = b"") -> Iterator[tuple[Node, bool]]:
    """What to look for instead of a node: whatever it matches holds a match of one of them.

    Args:
        common: text as it stands in ordinary lines: what occurs in it is no sign of anything
            and never chosen.

    Yields:
        A node, and whether it is a whole case of the node given and not only a part of it.
    """
    match node:
        case Choice(parts):
            for part in parts:
                yield from pieces(part, common)
        case Sequence((part,)):
            yield from pieces(part, common)
        case _:
            best = _best(node, common)
            if best is None:
                spread = _spread(node)
                yield from ((text, False) for text in spread)
                if not spread:
                    yield node, True
                return
            whole = tuple(_flat(node)) if isinstance(node, Sequence) else None
            for text in best[1]:
                yield text, text.parts == whole


def _best(node: Node, common: bytes) -> tuple[int, tuple[Sequence, ...]] | None:
    """The longest text that must be there with its length; of a choice, one a case."""
    match node:
        case Sequence():
            found = [*_texts(node, common),
                     *(best for part in _flat(node) if (best := _best(part, common)) is not None)]
            # Of equal ones the last: it is known soonest that there is none.
            return max(reversed(found), key=lambda best: best[0], default=None)
        case Choice(parts):
            cases = [_best(part, common) for part in parts]
            known = [case for case in cases if case is not None]
            if len(known) < len(cases):
                return None
            texts = dict.fromkeys(text for _, found in known for text in found)
            return min(length for length, _ in known), tuple(texts)
        case Repeat(part, low, _) if low > 0:
            return _best(part, common)
        case _:
            return None


def _texts(sequence: Sequence, common: bytes) -> Iterator[tuple[int, tuple[Sequence, ...]]]:
    """The texts in a row of parts that are worth looking for, each in all its forms."""
    forms: _Forms = frozenset({()})
    for part in (*_flat(sequence), None):
        more = None if part is None else _forms(part)
        joined = None if more is None else _joined(forms, more)
        if joined is not None and (len(joined) == len(forms) or _length(forms) < LONG):
            forms = joined
            continue
        if _length(forms) >= SHORTEST and not any(_stands_in(form, common) for form in forms):
            yield _length(forms), tuple(Sequence(tuple(map(Byte, form)))
                                        for form in sorted(forms))
        forms = more or frozenset({()})


def _spread(node: Node) -> list[Sequence]:
    """A row of classes (`E[0-9A-Z][0-9]{4}`) in all forms that two neighbours in it can take:
    pairs of fixed characters are quick to find, a class that begins everywhere is not."""
    best: tuple[int, int, tuple[int, ...]] | None = None
    for row in _rows(node):
        if len(row) >= _SHORTEST_ROW:
            for place in range(len(row) - 1):
                count = row[place].bit_count() * row[place + 1].bit_count()
                # A pair of digits stands in every stamp and number.
                if (count <= _MOST_PAIRS and not row[place] & ~UPPER
                        and (best is None or count < best[0])):
                    best = count, place, row
    if best is None:
        return []
    _, place, row = best
    bits = [[1 << byte for byte in range(256) if mask >> byte & 1]
            for mask in row[place:place + 2]]
    return [Sequence(tuple(map(Byte, (*row[:place], first, second, *row[place + 2:]))))
            for first in bits[0] for second in bits[1]]


def _rows(node: Node) -> Iterator[tuple[int, ...]]:
    """The rows of small classes of bytes that must be there."""
    row: list[int] = []
    parts = _flat(node) if isinstance(node, Sequence) else iter((node,))
    for part in (*parts, None):
        match part:
            case Byte(mask) if mask.bit_count() <= _SMALL:
                row.append(mask)
            case Repeat(Byte(mask), low, high) if low == high and mask.bit_count() <= _SMALL:
                row += [mask] * low
            case Anchor():
                pass
            case _:
                yield tuple(row)
                row = []


def _forms(node: Node) -> _Forms | None:
    """All that a node can match, if it is a few texts; an anchor is passed over."""
    match node:
        case Byte(mask):
            if mask.bit_count() == 1 or _both_cases(mask):
                return frozenset({(mask,)})
            if mask.bit_count() <= _FEW:
                return frozenset((1 << byte,) for byte in range(256) if mask >> byte & 1)
            return None
        case Anchor():
            return frozenset({()})
        case Sequence(parts):
            forms: _Forms | None = frozenset({()})
            for part in parts:
                more = _forms(part)
                forms = None if forms is None or more is None else _joined(forms, more)
            return forms
        case Choice(parts):
            cases = [_forms(part) for part in parts]
            union = frozenset(form for case in cases if case is not None for form in case)
            return None if None in cases or len(union) > MOST else union
        case Repeat(part, 0, 1):
            inner = _forms(part)
            return None if inner is None else inner | {()}
        case _:
            return None


def _joined(forms: _Forms, more: _Forms) -> _Forms | None:
    """Each of one followed by each of the other; None if they are too many."""
    if len(forms) * len(more) > MOST:
        return None
    return frozenset(form + end for form in forms for end in more)


def _length(forms: _Forms) -> int:
    return min(map(len, forms))


def _both_cases(mask: int) -> bool:
    """Whether the set is one letter in either case."""
    return mask.bit_count() == 2 and chr(mask.bit_length() - 1).isalpha() and (
        mask == 1 << mask.bit_length() - 1 | 1 << mask.bit_length() - 33)


def _stands_in(form: tuple[int, ...], common: bytes) -> bool:
    text = bytes(mask.bit_length() - 1 for mask in form)
    if any(mask.bit_count() > 1 for mask in form):
        return text.lower() in common.lower()
    return text in common


def _flat(sequence: Sequence) -> Iterator[Node]:
    for part in sequence.parts:
        if isinstance(part, Sequence):
            yield from _flat(part)
        else:
            yield part
