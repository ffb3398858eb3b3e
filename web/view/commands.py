"""Text with code spans in backticks, as steps are, in pieces for a template."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SPAN = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, slots=True)
class Piece:
    """Some text: `text`, `code` (a name) or `command` (something to run: it has words)."""

    kind: str
    text: str


def pieces(text: str) -> list[Piece]:
    """The pieces of a line, in order."""
    found: list[Piece] = []
    at = 0
    for match in _SPAN.finditer(text):
        found.append(Piece("text", text[at:match.start()]))
        code = match.group(1)
        found.append(Piece("command" if " " in code.strip() else "code", code))
        at = match.end()
    found.append(Piece("text", text[at:]))
    return [piece for piece in found if piece.text]
