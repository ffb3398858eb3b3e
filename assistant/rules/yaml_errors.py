"""What a YAML parser says about a broken file -> a problem with its place and its cure."""

from __future__ import annotations

import re

from assistant.rules.types import Position, Problem
from assistant.rules.yaml_text import lines_of, place_of

#: (expression found in the parser's message, code, our message, cure), the first that fits.
_KNOWN = (
    (r"found duplicate anchor", "alias", "an anchor of this name exists already",
     "write the values out instead of repeating them by anchors"),
    (r"found undefined alias", "alias", "`*` begins an alias, and there is no anchor of this name",
     "put the text in quotes if the star is part of it"),
    (r"could not determine a constructor|undefined tag handle|expected URI|tag", "tag",
     "`!` begins a tag, and tags are not allowed", "put the text in quotes"),
    (r"unknown escape character|expected escape sequence", "bad-escape",
     "in double quotes a backslash begins an escape, and this one does not exist",
     "use single quotes: 'text with \\d'"),
    (r"found character '[@`]'", "yaml-syntax", "a text cannot begin with this character",
     "put the text in quotes"),
    (r"found character '%'", "yaml-syntax", "a text cannot begin with `%`",
     "put the text in quotes"),
    (r"mapping values are not allowed", "bad-indentation",
     "a key with its colon cannot stand here",
     "indent it like its neighbours; put a text that holds `: ` in quotes"),
    (r"expected <block end>", "bad-indentation", "this does not line up with anything above",
     "indent it like its neighbours (two spaces a level)"),
    (r"could not find expected ':'", "yaml-syntax", "a colon is missing after this key",
     "write `key: value`; quote a text that runs over several lines"),
    (r"expected ',' or '[\]}]'", "unclosed-bracket", "a bracket is not closed, or a comma is "
     "missing", "close it; put a text that holds `: ` or a bracket of its own in quotes"),
    (r"but found '<stream end>'", "unclosed-bracket", "the file ends within brackets",
     "close them, or put the text in quotes if the bracket is part of it"),
    (r"expected the node content|expected <document start>|expected <stream end>",
     "yaml-syntax", "this is not YAML", "put a text with special characters in quotes"),
    (r"special characters are not allowed|#x[0-9a-f]{4}", "not-text",
     "the file holds a control character", "remove it; in double quotes write \\xNN"),
)


#: A value that opens with a bracket, and goes on behind it.
_BRACE_FIRST = re.compile(r"\s*(?:- )?[\w-]+:\s+(?:\{[^{}]*\}|\[[^\[\]]*\])\s*[^\s#]")


def explain(error: Exception, text: str, file: str) -> Problem:
    """The problem behind a parser's error; for one without a place, line 1."""
    mark = getattr(error, "problem_mark", None)
    start = getattr(error, "context_mark", None)
    index = getattr(error, "position", None)
    said = " ".join(str(part) for part in (getattr(error, "problem", None),
                                           getattr(error, "reason", None)) if part)
    if isinstance(error, RecursionError):
        return Problem(Position(file, 1, 1), "too-deep", "error",
                       "values are nested too deep", "a rule needs no more than six levels")
    full = full_width(text, mark.line + 1 if mark is not None else len(text), file)
    if full is not None:
        return full
    if mark is not None:
        position = Position(file, mark.line + 1, mark.column + 1)
    elif isinstance(index, int) and 0 <= index <= len(text):
        position = Position(file, *place_of(text, index))
    else:
        position = Position(file, 1, 1)
    tab = _tab(text, position.line)
    if tab is not None:
        return Problem(Position(file, position.line, tab + 1), "tab", "error",
                       "a tab stands in the indentation", "indent with spaces")
    context = str(getattr(error, "context", "") or "")
    if "quoted scalar" in context and "end of stream" in said and start is not None:
        return Problem(Position(file, start.line + 1, start.column + 1), "unclosed-quote",
                       "error", "this quote is never closed",
                       "close it; inside single quotes write a quote twice ('')")
    if start is not None and (("flow" in context and "expected ','" in said)
                              or "could not find expected ':'" in said):
        position = Position(file, start.line + 1, start.column + 1)
    if "expected <block end>" in said and _BRACE_FIRST.match(lines_of(text)[position.line - 1]):
        return Problem(position, "yaml-syntax", "error",
                       "a text that begins with `{` or `[` needs quotes",
                       'put all of it in quotes: "{rank} ..."')
    for expression, code, message, cure in _KNOWN:
        if re.search(expression, said):
            return Problem(position, code, "error", message, cure)
    detail = said or type(error).__name__
    return Problem(position, "yaml-syntax", "error", f"this is not YAML: {detail}",
                   "put a text with special characters in quotes")


#: Full-width punctuation, as an input method for Chinese writes it, and what YAML wants.
STRAIGHT = {"：": ":", "，": ",", "｛": "{", "｝": "}", "［": "[", "］": "]", "“": '"',
               "”": '"', "‘": "'", "’": "'", "＃": "#", "－": "-", "　": " "}
_KEY = re.compile(r"\s*(?:- )?[\w-]+\s*(：)")
_QUOTED = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^']|'')*'""")


def full_width(text: str, line: int, file: str) -> Problem | None:
    """The full-width punctuation behind an error that a parser noticed on a line: in a key
    there or on one of the two lines above, or anywhere there outside of quotes."""
    lines = lines_of(text)
    line = min(line, len(lines))
    for number in range(line, max(0, line - 3), -1):
        key = _KEY.match(lines[number - 1])
        if key is not None:
            return _full_width(Position(file, number, key.start(1) + 1), key[1])
    plain = _QUOTED.sub(lambda found: " " * len(found[0]), lines[line - 1])
    for column, character in enumerate(plain.split(" #")[0], 1):
        if character in STRAIGHT:
            return _full_width(Position(file, line, column), character)
    return None


def _full_width(position: Position, character: str) -> Problem:
    return Problem(position, "full-width", "error",
                   f"`{character}` is full-width punctuation, which means nothing to YAML",
                   f"write `{STRAIGHT[character]}`, as the keyboard in English gives it; in a "
                   "text put all of it in quotes")


def typographic(text: str) -> bool:
    """Whether a plain text stands in typographic quotes, which are then part of it."""
    return len(text) > 1 and (text[0], text[-1]) in (("“", "”"), ("‘", "’"), ("“", "“"),
                                                     ("”", "”"), ("’", "’"))


def _tab(text: str, line: int) -> int | None:
    """Index of a tab in the indentation of a line, None if there is none."""
    lines = lines_of(text)
    if not 1 <= line <= len(lines):
        return None
    found = re.match(r"[ ]*\t", lines[line - 1])
    return found.end() - 1 if found else None
