"""What is wrong with an expression, where, and what to write instead."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why an expression cannot be used.

    Attributes:
        offset: 0-based index of the first character concerned in the expression.
        message: what is wrong.
        cure: what to write instead; empty where only the author can know.
    """

    offset: int
    message: str
    cure: str = ""


class BadExpression(ValueError):
    """An expression that cannot be used; `trouble` says why."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(f"{trouble.message} (at character {trouble.offset + 1})")
        self.trouble = trouble
