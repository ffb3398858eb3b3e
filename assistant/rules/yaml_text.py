"""Where a character of a YAML text value stands in the file: quotes, escapes, folded lines."""

from __future__ import annotations

import re
from dataclasses import dataclass

#: What ends a line to YAML 1.1 (section 5.4): more than to an editor.
BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
#: Hexadecimal digits that follow an escape of a double-quoted text.
_HEX = {"x": 2, "u": 4, "U": 8}


def lines_of(text: str) -> list[str]:
    """The lines of a file as its parser counts them, without their ends."""
    return BREAK.split(text)


def place_of(text: str, index: int) -> tuple[int, int]:
    """Line and column, both 1-based, of the character at an index."""
    *_, last = before = lines_of(text[:index])
    return len(before), len(last) + 1


def index_at(text: str, line: int, column: int) -> int:
    """Index of the character at a line and column, both 1-based; the inverse of `place_of`."""
    start = 0
    for _ in range(line - 1):
        found = BREAK.search(text, start)
        start = found.end() if found else len(text)
    return min(start + column - 1, len(text))


@dataclass(frozen=True, slots=True)
class Span:
    """A value in the text of its file.

    Attributes:
        start, end: indices of the first character and behind the last one.
        line, column: of the first character, 1-based.
        style: `'`, `"`, `|`, `>` or empty for plain text (and for lists and mappings).
    """

    start: int
    end: int
    line: int
    column: int
    style: str = ""


def index_of(text: str, span: Span, offset: int) -> int:
    """Index in `text` of character `offset` of the value at `span`.

    An offset behind the end gives the last place of the value; a folded block (`>`) is
    too loose a form to point into, its start is given.
    """
    raw = text[span.start:span.end]
    if span.style in ("|", ">"):
        places = _block(raw) if span.style == "|" else []
    else:
        places = _flow(raw, span.style)
    if not places:
        return span.start
    return span.start + (places[offset] if offset < len(places) else places[-1] + 1)


def _flow(raw: str, style: str) -> list[int]:
    """Index of each character of a plain or quoted text in its raw form."""
    places: list[int] = []
    blanks = 0  # trailing blanks that a line end would swallow
    at, end = (1, len(raw) - 1) if style else (0, len(raw))
    while at < end:
        char = raw[at]
        broken = BREAK.match(raw, at)
        if broken:
            if blanks:
                del places[-blanks:]
            blanks = 0
            at, more = _skip_breaks(raw, broken.end(), end)
            places += [broken.start()] * max(1, more)
            continue
        blanks = blanks + 1 if char in " \t" else 0
        if style == "'" and raw[at:at + 2] == "''":
            places.append(at)
            at += 2
        elif style == '"' and char == "\\" and at + 1 < end:
            at = _escape(raw, at, places)
        else:
            places.append(at)
            at += 1
    return places


def _skip_breaks(raw: str, at: int, end: int) -> tuple[int, int]:
    """Behind the blank lines and the indentation at `at`: (index, number of further breaks)."""
    more = 0
    while at < end:
        broken = BREAK.match(raw, at)
        if broken:
            more += 1
            at = broken.end()
        elif raw[at] in " \t":
            at += 1
        else:
            break
    return at, more


def _escape(raw: str, at: int, places: list[int]) -> int:
    """Notes the character of the escape at `at`; the index behind it."""
    broken = BREAK.match(raw, at + 1)
    if broken:  # an escaped line end joins two lines without a blank
        return _skip_breaks(raw, broken.end(), len(raw))[0]
    places.append(at)
    return at + 2 + _HEX.get(raw[at + 1], 0)


def _block(raw: str) -> list[int]:
    """Index of each character of a literal block (`|`) in its raw form."""
    header = BREAK.search(raw)
    if header is None:
        return []
    lines: list[tuple[int, int]] = []
    at = header.end()
    for broken in [*BREAK.finditer(raw, at), None]:
        end = broken.start() if broken else len(raw)
        lines.append((at, end))
        if broken:
            at = broken.end()
    given = re.search(r"[1-9]", raw[:header.start()].split("#")[0])
    depths = [end - start - len(raw[start:end].lstrip(" "))
              for start, end in lines if raw[start:end].strip(" ")]
    # An indentation that is stated counts from the parent, which is not known here.
    depth = depths[0] if depths and not given else min(depths, default=0)
    places: list[int] = []
    for start, end in lines:
        places += range(min(start + depth, end), end + 1)
    return places
