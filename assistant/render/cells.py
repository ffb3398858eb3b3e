"""Text measured and laid out in terminal cells: a Chinese character takes two.

Characters whose width Unicode calls ambiguous (`·`, `…`, curly quotes) count as one; the
program's own words avoid them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple
from unicodedata import category, east_asian_width

#: Punctuation that may not begin a line, and that which may not end one.
_NOT_FIRST = frozenset("、，。．；：！？）》」』】〉〕〗”’％—～")
_NOT_LAST = frozenset("（《「『【〈〔〖“‘")
_ELLIPSIS = "..."
#: Marks in paths, options and dotted names behind which they are best parted.
_BREAKS = frozenset("/\\.,:;=&?-_")
#: An unbroken run of ASCII, or any one other character.
_PIECE = re.compile(r"[\x21-\x7e]+|\S")
_CODE = re.compile(r"`([^`]+)`")


class Run(NamedTuple):
    """A stretch of one line; `code` where it is a command or a name to type."""

    text: str
    code: bool = False


class _Unit(NamedTuple):
    """What is kept on one line: a word, a Chinese character with its punctuation, a command."""

    runs: list[Run]
    blank: bool  # a blank stands before it
    fresh: bool = False  # it begins a line

    @property
    def width(self) -> int:
        return sum(width(run.text) for run in self.runs)


def width(text: str) -> int:
    """Cells that printable text takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(map(_cells, text))


def cut(text: str, limit: int) -> str:
    """The text, its end replaced by `...` where it takes more than `limit` cells."""
    if width(text) <= limit:
        return text
    return _head(text, limit - len(_ELLIPSIS)) + _ELLIPSIS[:max(limit, 0)]


def cut_start(text: str, limit: int) -> str:
    """The text, its start replaced by `...` where it takes more than `limit` cells: of a path
    the end says most."""
    if width(text) <= limit:
        return text
    return _ELLIPSIS[:max(limit, 0)] + _head(text[::-1], limit - len(_ELLIPSIS))[::-1]


def pad(text: str, cells: int) -> str:
    """The text with blanks behind it up to `cells`."""
    return text + " " * (cells - width(text))


def wrap(text: str, limit: int, *, lines: int | None = None) -> list[str]:
    """The text in lines of at most `limit` cells; what exceeds `lines` of them is cut off."""
    found = ["".join(run.text for run in line) for line in _fill(_units(_pieces(text)), limit)]
    if lines is not None and len(found) > lines:
        found[lines - 1:] = [_head(found[lines - 1], limit - len(_ELLIPSIS)) + _ELLIPSIS]
    return found


def wrap_step(text: str, limit: int, *, marks: bool = True) -> list[list[Run]]:
    """A step in lines of at most `limit` cells, its code spans told apart.

    A command stays on one line where it fits one; where it does not, it begins a line and
    is broken the shell's way, so that it can be copied. With `marks` code keeps its backticks.
    """
    tick = "`" if marks else ""
    pieces: list[_Piece] = []
    position = 0
    for code in _CODE.finditer(text):
        before = text[position:code.start()]
        pieces += _pieces(before)
        # Room is left for one mark of punctuation, which may be two cells wide.
        parts = _shell_lines(f"{tick}{code[1]}{tick}", limit - 2)
        blank = before[-1:].isspace()
        pieces += [_Piece(part, True, blank or i > 0, len(parts) > 1)
                   for i, part in enumerate(parts)]
        position = code.end()
    pieces += _pieces(text[position:])
    return list(_fill(_units(pieces), limit))


class _Piece(NamedTuple):
    text: str
    code: bool
    blank: bool  # a blank stands before it
    fresh: bool = False  # it begins a line


def _pieces(text: str) -> Iterator[_Piece]:
    for match in _PIECE.finditer(text):
        start = match.start()
        yield _Piece(match[0], False, start > 0 and text[start - 1].isspace())


def _units(pieces: Iterable[_Piece]) -> list[_Unit]:
    """Pieces that may not be parted put together."""
    units: list[_Unit] = []
    for piece in pieces:
        if units and not piece.blank and _inseparable(units[-1].runs[-1].text, piece.text):
            units[-1].runs.append(Run(piece.text, piece.code))
        else:
            units.append(_Unit([Run(piece.text, piece.code)], piece.blank, piece.fresh))
    return units


def _inseparable(left: str, right: str) -> bool:
    """Whether no line may end between two texts that touch."""
    if right[0] in _NOT_FIRST or left[-1] in _NOT_LAST:
        return True
    return not (_wide(left[-1]) or _wide(right[0]))


def _fill(units: Iterable[_Unit], limit: int) -> Iterator[list[Run]]:
    """Units packed into lines, each as full as it can be."""
    line: list[Run] = []
    used = 0
    for unit in units:
        gap = 1 if unit.blank and line else 0
        if line and (unit.fresh or used + gap + unit.width > limit):
            yield line
            line, used, gap = [], 0, 0
        if gap:
            line, used = _with(line, Run(" ")), used + gap
        *whole, last = _parts(unit.runs, limit)
        yield from whole  # of a word longer than a line; it began one
        for run in last:
            line, used = _with(line, run), used + width(run.text)
    if line:
        yield line


def _parts(runs: Sequence[Run], limit: int) -> Iterator[list[Run]]:
    """A unit in parts that each fit a line, broken behind a mark if there is one far enough
    on; no part is but punctuation."""
    text = "".join(run.text for run in runs)
    styles = [run.code for run in runs for _ in run.text]
    # Behind the last letter or digit stand marks only.
    told = max((at for at, character in enumerate(text) if character.isalnum()), default=-1)
    left, start = width(text), 0
    while left > limit:
        most = start + max(1, len(_head(text[start:start + 4 * limit], limit)))
        if start <= told < most:
            most = max(start + 1, told)
        marks = [at for at in range(start + (most - start + 1) // 2, most + 1)
                 if text[at - 1] in _BREAKS and at <= told]
        end = marks[-1] if marks else most
        yield _joined(text[start:end], styles[start:end])
        left -= width(text[start:end])
        start = end
    yield _joined(text[start:], styles[start:])


def _joined(text: str, styles: Iterable[bool]) -> list[Run]:
    pairs = zip(text, styles, strict=True)
    return [Run("".join(character for character, _ in group), code)
            for code, group in groupby(pairs, key=lambda pair: pair[1])]


def _with(line: list[Run], run: Run) -> list[Run]:
    """The line with a run added, joined to a neighbour of its kind."""
    if not run.text:
        return line
    if line and line[-1].code == run.code:
        return [*line[:-1], Run(line[-1].text + run.text, run.code)]
    return [*line, run]


def _shell_lines(command: str, limit: int) -> list[str]:
    """A command in lines that fit; every line but the last ends with a backslash.

    A quoted text that is wider than a line is parted at its blanks for want of a better place.
    """
    if width(command) <= limit:
        return [command]
    lines = [""]
    words = (part for word in _shell_words(command)
             for part in ([word] if width(word) <= limit - 2 else word.split(" ")))
    for word in words:
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and width(longer) > limit - 2:
            lines[-1] += " \\"
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _shell_words(command: str) -> Iterator[str]:
    """The parts of a command between blanks at which a line may end: none inside quotes, where
    the blanks that indent the next line would become part of the text."""
    quotes = [""]  # the quote that is open, in the command and in each `$(` around this place
    word = ""
    escaped = False
    for character in command:
        if character == " " and not quotes[-1] and not escaped:
            yield word
            word = ""
            continue
        if escaped:
            escaped = False
        elif character == "\\" and quotes[-1] != "'":
            escaped = True
        elif character in "'\"" and quotes[-1] in ("", character):
            quotes[-1] = "" if quotes[-1] else character
        elif character == "(" and (not quotes[-1] or (quotes[-1] == '"' and word[-1:] == "$")):
            quotes.append("")
        elif character == ")" and not quotes[-1] and len(quotes) > 1:
            quotes.pop()
        word += character
    yield word


def _head(text: str, limit: int) -> str:
    """The longest beginning of the text that takes at most `limit` cells."""
    used = 0
    for index, character in enumerate(text):
        used += _cells(character)
        if used > limit:
            return text[:index]
    return text


def _cells(character: str) -> int:
    if character < "\u0300":
        return 1
    if category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if _wide(character) else 1


def _wide(character: str) -> bool:
    return east_asian_width(character) in "WF"
