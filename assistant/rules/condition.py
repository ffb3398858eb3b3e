"""The text of `when:` -> a condition over the names of signals.

    condition = both ("or" both)*        both = one ("and" one)*
    one       = "not" one | "(" condition ")" | NAME

`not` binds closer than `and`, `and` closer than `or`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from assistant.rules.types import And, Condition, Name, Not, Or

#: The form of a signal's name.
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
WORDS = ("and", "or", "not")
#: How deep parentheses and `not` may be nested, and how long a condition may be.
MAX_DEPTH = 30
MAX_LENGTH = 4000

_TOKEN = re.compile(r"\s*(?:(?P<name>[A-Za-z][A-Za-z0-9_-]*)|(?P<mark>[()])|(?P<wrong>\S))")
_INSTEAD = {"&": "and", "|": "or", "!": "not", ",": "and", "+": "and", "~": "not"}


class ConditionError(ValueError):
    """A condition that cannot be read.

    Attributes:
        offset: index of the character at which it goes wrong.
        message, cure: as for a Problem.
    """

    def __init__(self, offset: int, message: str, cure: str) -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message
        self.cure = cure


class _Token(NamedTuple):
    text: str
    offset: int


def parse(text: str) -> Condition:
    """The condition that `text` spells. Raises ConditionError."""
    if NAME.fullmatch(text) and text.lower() not in WORDS:
        return Name(text)  # most conditions, and read at every start
    if len(text) > MAX_LENGTH:
        raise ConditionError(0, f"the condition is longer than {MAX_LENGTH} characters",
                             "split the rule")
    reader = _Reader(list(_tokens(text)), len(text.rstrip()))
    if not reader.tokens:
        raise ConditionError(0, "the condition is empty", "name the signals that must hold")
    condition = reader.either(0)
    rest = reader.next()
    if rest is not None:
        if rest.text == ")":
            raise ConditionError(rest.offset, "this parenthesis closes nothing", "remove it")
        raise ConditionError(rest.offset, f"`and` or `or` is missing before `{rest.text}`",
                             f"write `and {rest.text}` or `or {rest.text}`")
    return condition


def references(text: str) -> list[tuple[str, int]]:
    """The signals' names in a condition, each with its offset. Raises ConditionError."""
    return [(token.text, token.offset) for token in _tokens(text)
            if token.text not in WORDS and token.text not in "()"]


def _tokens(text: str) -> Iterator[_Token]:
    for found in _TOKEN.finditer(text):
        offset = found.start(found.lastgroup or 0)
        wrong = found["wrong"]
        if wrong is not None:
            word = _INSTEAD.get(wrong)
            raise ConditionError(offset, f"`{wrong}` does not belong in a condition",
                                 f"write `{word}`" if word else
                                 "use names of signals, and, or, not and parentheses")
        word = found["name"] or found["mark"]
        if word not in WORDS and word.lower() in WORDS:
            raise ConditionError(offset, f"`{word}` is written in small letters",
                                 f"write `{word.lower()}`")
        yield _Token(word, offset)


class _Reader:
    """Recursive descent over the tokens."""

    def __init__(self, tokens: list[_Token], end: int) -> None:
        self.tokens = tokens
        self.end = end
        self._at = 0

    def next(self) -> _Token | None:
        return self.tokens[self._at] if self._at < len(self.tokens) else None

    def _accept(self, word: str) -> bool:
        token = self.next()
        if token is None or token.text != word:
            return False
        self._at += 1
        return True

    def either(self, depth: int) -> Condition:
        operands = [self._both(depth)]
        while self._accept("or"):
            operands.append(self._both(depth))
        return operands[0] if len(operands) == 1 else Or(tuple(operands))

    def _both(self, depth: int) -> Condition:
        operands = [self._one(depth)]
        while self._accept("and"):
            operands.append(self._one(depth))
        return operands[0] if len(operands) == 1 else And(tuple(operands))

    def _one(self, depth: int) -> Condition:
        token = self.next()
        if token is None:
            raise ConditionError(self.end, "the condition ends where a signal's name should follow",
                                 "add the name, or remove the last word")
        if depth > MAX_DEPTH:
            raise ConditionError(token.offset, f"nested deeper than {MAX_DEPTH} levels",
                                 "split the rule")
        if self._accept("not"):
            return Not(self._one(depth + 1))
        if self._accept("("):
            inner = self.either(depth + 1)
            if not self._accept(")"):
                raise ConditionError(token.offset, "this parenthesis is not closed", "add `)`")
            return inner
        if token.text in WORDS or token.text == ")":
            raise ConditionError(token.offset,
                                 f"a signal's name should stand here, not `{token.text}`",
                                 "name a signal on both sides of `and` and `or`")
        self._at += 1
        return Name(token.text)


def names(condition: Condition) -> tuple[str, ...]:
    """The names of the signals in a condition, in order, each once."""
    if isinstance(condition, Name):
        return (condition.name,)
    inner = ([condition.operand] if isinstance(condition, Not) else condition.operands)
    return tuple(dict.fromkeys(name for operand in inner for name in names(operand)))
