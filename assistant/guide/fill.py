"""Placeholders in titles and steps: `{name}`, `{name|text}`, `{site.name|text}`, `{{`, `}}`.

Values come from logs, and a log can hold anything. Inside a command (a code span that is
more than one placeholder) a value is therefore quoted for the shell, so that what a reader
pastes runs the article's command on the log's words and never the log's words as a command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from assistant.guide.printable import printable

_TOKEN = re.compile(r"\{\{|\}\}|\{(?P<name>[A-Za-z_][\w.-]*)(?:\|(?P<default>[^{}]*))?\}")
_CODE = re.compile(r"`[^`]*`")
#: The option of `less` that opens a file at a line.
_JUMP = re.compile(r"\+\{(?P<name>line|top)(?:\|[^{}]*)?\} ")
_SAFE = re.compile(r"[\w@%+=:,./-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Placeholder:
    """One placeholder of a text: its name, what stands in for it, and where (0-based)."""

    name: str
    default: str | None
    offset: int


def placeholders(text: str) -> Iterator[Placeholder]:
    """The placeholders of a text in order, doubled ones included."""
    for token in _TOKEN.finditer(text):
        if token["name"]:
            yield Placeholder(token["name"], token["default"], token.start())


def fill(text: str, values: Mapping[str, str]) -> str:
    """The text with values in place of placeholders.

    A name without a value becomes its default, else `<name>`; `+{line} ` and `+{top} `, which
    say where to open a file, are left out where no line is known. Braces that make no
    placeholder stay. Characters that do not print are shown as escapes, so that the
    result is always safe to print on one line.
    """
    text = _JUMP.sub(lambda jump: jump[0] if values.get(jump["name"]) else "", text)
    parts: list[str] = []
    position = 0
    for code in _CODE.finditer(text):
        parts += [_fill_prose(text[position:code.start()], values), _fill_code(code[0], values)]
        position = code.end()
    return "".join([*parts, _fill_prose(text[position:], values)])


def _fill_prose(text: str, values: Mapping[str, str]) -> str:
    return _TOKEN.sub(lambda token: _value(token, values) or _literal(token), text)


def _fill_code(code: str, values: Mapping[str, str]) -> str:
    """A code span filled in; values within a command are quoted as its own quotes require."""
    whole = _TOKEN.fullmatch(code[1:-1])
    quote = ""
    parts: list[str] = []
    position = 0
    for token in _TOKEN.finditer(code):
        before = code[position:token.start()]
        quote = _open_quote(before, quote)
        value = _value(token, values)
        if value is None:
            parts += [before, _literal(token)]
        else:
            value = value.replace("`", "?")  # would end the span; `?` matches any character
            parts += [before, value if whole else _quoted(value, quote)]
        position = token.end()
    return "".join([*parts, code[position:]])


def _value(token: re.Match[str], values: Mapping[str, str]) -> str | None:
    """The value for a placeholder in printable characters, None where there is none."""
    value = values.get(token["name"] or "")
    return printable(value) if value else None


def _literal(token: re.Match[str]) -> str:
    """What stands for a token that no value fills."""
    if not token["name"]:
        return token[0][0]
    return f"<{token['name']}>" if token["default"] is None else str(token["default"])


def _open_quote(text: str, quote: str) -> str:
    """The shell quote that is open after `text`, given the one open before it."""
    skip = False
    for character in text:
        if skip:
            skip = False
        elif character == "\\" and quote != "'":
            skip = True
        elif character in "'\"" and quote in ("", character):
            quote = "" if quote else character
    return quote


def _quoted(value: str, quote: str) -> str:
    """A value as shell text, to stand outside quotes or inside the given ones."""
    if quote == "'":
        return value.replace("'", "'\\''")
    if quote == '"':
        # An exclamation mark recalls an earlier command even inside double quotes.
        return re.sub(r'([\\"$])', r"\\\1", value).replace("!", "\"'!'\"")
    return value if _SAFE.fullmatch(value) else "'" + value.replace("'", "'\\''") + "'"

