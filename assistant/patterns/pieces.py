"""An expression cut into the parts that must follow one another, for whoever wants to know
which of them a line lacks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from assistant.patterns.nodes import Node
from assistant.patterns.syntax import FLAGS, NAMED, Reader
from assistant.patterns.trouble import BadExpression

#: An escaped mark of punctuation, which stands for itself.
_ESCAPED = re.compile(r"\\([^0-9A-Za-z])")
_SPECIAL = frozenset("\\.[]()*+?{}^$|")


@dataclass(frozen=True, slots=True)
class Piece:
    """One part. Attributes: text: as it is spelled, groups without their names; literal: the
    characters that it stands for, empty where it is no plain text."""

    text: str
    literal: str = ""


def alternatives(expression: str) -> list[list[Piece]]:
    """The parts of each top-level alternative, in order; none if it cannot be read.

    Words of plain text are parts of their own, with the blank behind them. Flags such as
    `(?i)` are put before every part that they hold for.
    """
    try:
        found = _Cutter(expression).cut()
    except BadExpression:
        return []
    return [inner for pieces in found for inner in _unwrapped(pieces)]


def _unwrapped(pieces: list[Piece]) -> list[list[Piece]]:
    """What a single group around everything holds."""
    if len(pieces) == 1 and pieces[0].text.startswith("(?:") and pieces[0].text.endswith(")"):
        return alternatives(pieces[0].text[3:-1]) or [pieces]
    return [_words(pieces)]


def _words(pieces: list[Piece]) -> list[Piece]:
    """Characters put together to words, each with the blanks behind it."""
    found: list[Piece] = []
    for piece in pieces:
        last = found[-1] if found else None
        if (last is not None and last.literal and piece.literal
                and (not last.literal.endswith(" ") or piece.literal == " ")):
            found[-1] = Piece(last.text + piece.text, last.literal + piece.literal)
        else:
            found.append(piece)
    return found


@dataclass(slots=True)
class _Cutter(Reader):
    """Reads an expression as it is read for matching, and notes where its parts begin."""

    named: list[tuple[int, int]] = field(default_factory=list)

    def cut(self) -> list[list[Piece]]:
        alternatives: list[list[Piece]] = [[]]
        fold, flags = False, ""
        while self.at < len(self.text):
            if self.peek() == "|":
                self.at += 1
                alternatives.append([])
            elif (given := FLAGS.match(self.text, self.at)) and given[3] == ")":
                fold, flags = self.flags(given, fold), flags + given[0]
            else:
                start = self.at
                self.repetition(fold, 0)
                alternatives[-1].append(self._piece(start, flags))
                if self.peek() == ")":
                    self.fail("there is a ) without (")
        return alternatives

    def group(self, fold: bool, depth: int) -> Node:
        if named := NAMED.match(self.text, self.at):
            self.named.append(named.span())
        return Reader.group(self, fold, depth)

    def _piece(self, start: int, flags: str) -> Piece:
        text, done = "", start
        for begin, end in self.named:
            if begin >= start:
                text, done = f"{text}{self.text[done:begin]}(?:", end
        text += self.text[done:self.at]
        plain = _ESCAPED.fullmatch(text)
        literal = plain[1] if plain else text if len(text) == 1 and text not in _SPECIAL else ""
        return Piece(f"(?:{flags}{text})" if flags else text, literal)
