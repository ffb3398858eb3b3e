"""Text of unknown origin made safe to show: nothing in it moves the cursor or hides words."""

from __future__ import annotations

import re

#: Sequences that only colour text: dropped, since they say nothing.
_COLOUR = re.compile(r"\x1b\[[0-9;:]*m")
#: Letters and marks that Unicode calls printable although nothing is seen of them.
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u3164\uffa0")


def printable(text: str) -> str:
    """The text on one line, with escapes such as `\\x1b` for what does not print.

    Covers control characters, escape sequences, bidirectional and zero-width characters
    and lone surrogates; blanks of every kind and line ends become plain blanks.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(c) for c in _COLOUR.sub("", text))


def escape(character: str) -> str:
    """A character as Python would write it: `\\x1b`, `\\u202e`, `\\U000e0041`."""
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _shown(character: str) -> str:
    if character.isprintable() and character not in _INVISIBLE:
        return character
    if character in "\t\n\r\v\f" or (character > "\x9f" and character.isspace()):
        return " "
    return escape(character)
