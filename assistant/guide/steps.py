"""The ordered list of "What to do", and paragraphs, as plain lines.

Only the Markdown that articles use is understood: ordered items, indented continuations,
nested items, fenced code, emphasis and links. It is read by hand because a full Markdown
parser takes longer to import than a small job takes to check; the tests hold it against one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from unicodedata import east_asian_width

_ITEM = re.compile(r"[ ]{0,3}\d{1,9}[.)](?:[ \t]+|$)")
_NESTED = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_CODE = re.compile(r"(`+)(.+?)\1(?!`)")
_LINK = re.compile(r"\[([^\]\n]+)\]\(<?([^)>\s]+)>?\)")
_STRONG = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")


@dataclass(frozen=True, slots=True)
class Step:
    """One step in one line, commands in backticks; `line` is where it begins in its file."""

    text: str
    line: int


def read_steps(text: str, first_line: int = 1) -> tuple[tuple[Step, ...], list[int]]:
    """The items of the ordered list in `text`, and the lines that belong to none of them.

    `first_line` is the number, in the file, of the first line of `text`.
    """
    items: list[tuple[int, list[str]]] = []
    stray: list[int] = []
    fence = ""
    after_blank = False
    for number, line in enumerate(text.splitlines(), first_line):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence):
                fence = ""
            elif line.strip() and items:
                items[-1][1].append(f"`{line.strip()}`")
        elif not line.strip():
            after_blank = True
            continue
        elif mark and items:
            fence = mark[1]
        elif start := _ITEM.match(line):
            items.append((number, [line[start.end():]]))
        elif items and (line[0] in " \t" or not after_blank):
            nested = _NESTED.match(line)
            items[-1][1].append(line[nested.end():] if nested else line)
        else:
            stray.append(number)
        after_blank = False
    steps = (Step(plain(_join(lines)), number) for number, lines in items)
    return tuple(step for step in steps if step.text), stray


def paragraphs(text: str) -> str:
    """Plain paragraphs, separated by one empty line; items and fenced lines stand alone."""
    blocks: list[list[str]] = [[]]
    fence = ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
            blocks.append([])
        elif not line.strip():
            blocks.append([])
        elif fence:
            blocks += [[f"`{line.strip()}`"], []]
        else:
            if _NESTED.match(line):
                blocks.append([])
            blocks[-1].append(line)
    return "\n\n".join(plain(_join(lines)) for lines in blocks if lines)


def plain(text: str) -> str:
    """Markdown of one paragraph without emphasis and links; code spans stay as they are."""
    parts: list[str] = []
    position = 0
    for code in _CODE.finditer(text):
        parts += [_unmarked(text[position:code.start()]), code[0]]
        position = code.end()
    return "".join([*parts, _unmarked(text[position:])])


def _unmarked(text: str) -> str:
    return _STRONG.sub(r"\2", _LINK.sub(r"\1 (\2)", text))


def _join(lines: list[str]) -> str:
    """Source lines of one paragraph as one line: no blank between two Chinese characters."""
    joined = ""
    for line in lines:
        piece = " ".join(line.split())
        if joined and piece and not (_wide(joined[-1]) and _wide(piece[0])):
            joined += " "
        joined += piece
    return joined


def _wide(character: str) -> bool:
    return east_asian_width(character) in "WF"
