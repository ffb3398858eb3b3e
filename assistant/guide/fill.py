"""Placeholders in titles and steps: `{name}`, `{name|text}`, `{site.name|text}`, `{{`, `}}`.

`{name:one|many}` chooses a form of a word, and `{? ... ?}` holds what is only said where its
placeholders have values; docs/rules.md has the whole list.

Values come from logs, and a log can hold anything. Inside a command (a code span that is
more than one placeholder) a value is therefore quoted for the shell, so that what a reader
pastes runs the article's command on the log's words and never the log's words as a command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from assistant.guide.printable import printable

_TOKEN = re.compile(
    r"\{\{|\}\}|\{(?P<name>[A-Za-z_][\w.-]*)"
    r"(?:\|(?P<default>[^{}]*)|:(?P<one>[^{}|]*)\|(?P<many>[^{}|]*))?\}")
#: The default of a placeholder within may end in a question mark, too.
_PIECE = re.compile(r"\{\?(?P<text>(?:[^{}]|\{[^{}]*\})*?)\?\}")
#: A value that names several: `0-3`, `1, 5`.
_SEVERAL = re.compile(r"[,，、]|\d-\d")
_CODE = re.compile(r"`[^`]*`")
#: A code span, or a space and what stands on both its sides.
_SPACE = re.compile(r"`[^`]*`|(?<=(.)) (?=(.))")
#: The option of `less` that opens a file at a line.
_JUMP = re.compile(r"\+\{(?P<name>line|top)(?:\|[^{}]*)?\} ")
_SAFE = re.compile(r"[\w@%+=:,./-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Placeholder:
    """One placeholder of a text: its name, what stands in for it, and where (0-based).

    One within `{? ... ?}` and one that chooses a form always have something that stands in.
    """

    name: str
    default: str | None
    offset: int


def placeholders(text: str) -> Iterator[Placeholder]:
    """The placeholders of a text in order, doubled ones included."""
    pieces = [piece.span("text") for piece in _PIECE.finditer(text)]
    for token in _TOKEN.finditer(text):
        if token["name"]:
            stand_in = token["default"] if token["one"] is None else token["one"]
            if stand_in is None and any(start <= token.start() < end for start, end in pieces):
                stand_in = ""
            yield Placeholder(token["name"], stand_in, token.start())


def fill(text: str, values: Mapping[str, str]) -> str:
    """The text with values in place of placeholders.

    A name without a value becomes its default, else `<name>`; `+{line} ` and `+{top} `, which
    say where to open a file, are left out where no line is known, and `{? ... ?}` where a
    placeholder in it has neither value nor default. Braces that make no placeholder stay.
    Words that stand in for a whole code span are no code, and a space that separated a Latin
    value from Chinese text goes where Chinese words stand in for it. Characters that do not
    print are shown as escapes, so that the result is always safe to print on one line.
    """
    text = _PIECE.sub(lambda piece: _said(piece["text"], values), text)
    text = _JUMP.sub(lambda jump: jump[0] if values.get(jump["name"]) else "", text)
    parts: list[str] = []
    position = 0
    for code in _CODE.finditer(text):
        parts += [_fill_prose(text[position:code.start()], values), _fill_code(code[0], values)]
        position = code.end()
    parts.append(_fill_prose(text[position:], values))
    return _SPACE.sub(_without_idle_space, "".join(parts))


def _without_idle_space(found: re.Match[str]) -> str:
    """Nothing in place of a space between two Chinese characters: it stood beside a Latin
    value. Code stays as it is."""
    before, after = found[1], found[2]
    return "" if before and _is_chinese(before) and _is_chinese(after) else found[0]


def _is_chinese(character: str) -> bool:
    """Whether it is a Chinese character or punctuation mark. (A class of so many characters
    takes longer to compile than most starts take to say all they have to.)"""
    return "\u3000" <= character <= "\u9fff" or "\uff00" <= character <= "\uffef"


def _are_words(text: str) -> bool:
    """Whether a text is words, and no name that could stand in a command."""
    return " " in text or any("\u3000" <= character <= "\u9fff" for character in text)


def _said(piece: str, values: Mapping[str, str]) -> str:
    """The inside of `{? ... ?}`, empty where something in it is not known."""
    known = all(values.get(found.name) or found.default is not None
                for found in placeholders(piece))
    return piece if known else ""


def _fill_prose(text: str, values: Mapping[str, str]) -> str:
    return _TOKEN.sub(lambda token: _value(token, values) or _literal(token), text)


def _fill_code(code: str, values: Mapping[str, str]) -> str:
    """A code span filled in; values within a command are quoted as its own quotes require."""
    whole = _TOKEN.fullmatch(code[1:-1])
    if whole and _value(whole, values) is None and _are_words(whole["default"] or ""):
        return _literal(whole)
    quote = ""
    parts: list[str] = []
    position = 0
    for token in _TOKEN.finditer(code):
        before = code[position:token.start()]
        quote = _open_quote(before, quote)
        value = _value(token, values)
        if value is None or token["one"] is not None:
            parts += [before, value or _literal(token)]
        else:
            value = value.replace("`", "?")  # would end the span; `?` matches any character
            parts += [before, value if whole else _quoted(value, quote)]
        position = token.end()
    return "".join([*parts, code[position:]])


def _value(token: re.Match[str], values: Mapping[str, str]) -> str | None:
    """What fills a placeholder, in printable characters; None where nothing does."""
    value = values.get(token["name"] or "")
    if token["one"] is not None:
        return token["many"] if value and _SEVERAL.search(value) else token["one"]
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

