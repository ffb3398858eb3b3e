"""A line of a log -> an expression for all lines of its kind, and a title that quotes it.

Numbers, paths, addresses, identifiers and times become classes; a variable that follows a word
(`port 8118`) is captured by that word, so that the title can say it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from assistant.logtext import template
from assistant.rules.given import ALWAYS, GROUPING

#: Longest part of a line that is made an expression, in characters.
LIMIT = 200
#: How many variables are captured.
CAPTURES = 3
#: Longest title, in characters.
TITLE = 100
_SPECIAL = re.compile(r"[\\.^$|?*+()\[\]{}]")
_WORD_BEFORE = re.compile(r"([A-Za-z][A-Za-z_]{1,20})[^A-Za-z0-9]{0,3}$")
_NAME = {"path": "path", "ip": "address", "id": "id"}
#: Names that a finding fills itself.
_TAKEN = frozenset((*ALWAYS, *GROUPING, "step", "value", "state", "phase")) - {"path"}
#: Words that name nothing, before a number.
_PLAIN = frozenset(("the", "is", "at", "on", "in", "of", "to", "and", "or", "for", "was", "with",
                    "after", "before", "from", "by", "than", "not", "are", "be", "got"))


@dataclass(frozen=True, slots=True)
class Generalised:
    """What a text became.

    Attributes:
        expression: RE2 syntax; what differs from case to case is a class.
        title: the text, `{name}` in place of what is captured, `...` of what is not.
        captures: name to the text that the expression captures in the line itself.
    """

    expression: str
    title: str
    captures: dict[str, str]


def generalise(text: str) -> Generalised:
    """The expression and the title for a message without its record head."""
    text = " ".join(_cut(text.strip()).split("\n"))
    parts = list(_parts(text))
    names: list[str] = []
    title: list[str] = []
    for literal, kind, _ in parts:
        title.append(literal.replace("{", "(").replace("}", ")"))
        free = kind and len(names) - names.count("") < CAPTURES
        names.append(_name(kind, "".join(title), names) if free else "")
        title.append(f"{{{names[-1]}}}" if names[-1] else "..." if kind else "")
    shown = _title("".join(title))
    # A capture that the title was too short for is none.
    names = [name if f"{{{name}}}" in shown else "" for name in names]
    expression = "".join(
        _SPECIAL.sub(r"\\\g<0>", literal) + _group(name, _class(kind, value) if kind else "")
        for (literal, kind, value), name in zip(parts, names, strict=True))
    # What could not be read may be any bytes.
    expression = re.sub("\N{REPLACEMENT CHARACTER}+", ".+", expression)
    return Generalised(re.sub(r"[ \t]{2,}", r"\\s+", expression), shown, {
        name: value for (_, _, value), name in zip(parts, names, strict=True) if name})


def _group(name: str, inner: str) -> str:
    return f"(?P<{name}>{inner})" if name else inner


def _parts(text: str) -> Iterator[tuple[str, str, str]]:
    """(text that stays, kind of the variable behind it, its text); the kind may be empty."""
    end = 0
    for start, stop, kind in template.variables(text):
        yield text[end:start], kind, text[start:stop]
        end = stop
    yield text[end:], "", ""


def _cut(text: str) -> str:
    """The beginning of a long text, cut at a blank."""
    return text if len(text) <= LIMIT else text[:LIMIT].rpartition(" ")[0] or text[:LIMIT]


def _title(text: str) -> str:
    """One line that is not too long and never cut within a placeholder."""
    text = " ".join(text.split())
    if len(text) <= TITLE:
        return text
    words = text[:TITLE].rpartition(" ")[0] or text[:TITLE]
    return words[:words.rindex("{")] if words.count("{") > words.count("}") else words


def _name(kind: str, before: str, taken: Collection[str]) -> str:
    """The name for a captured variable: the word before it, "" if there is none that is free."""
    word = _WORD_BEFORE.search(before)
    name = word[1].lower().strip("_") if word and word[1].lower() not in _PLAIN else ""
    for candidate in ((_NAME["path"],) if kind == "path" else (name, _NAME.get(kind, ""))):
        if candidate and candidate not in taken and candidate not in _TAKEN:
            return candidate
    return ""


def _class(kind: str, value: str) -> str:
    """What stands for a variable in the expression."""
    if kind == "n":
        if value.isdecimal():
            return r"\d+"
        return r"[-+]?[\d.]+" if value.lstrip("+-").replace(".", "").isdecimal() else r"[-+\d.eE]+"
    if kind == "ip":
        if value.startswith("["):
            return r"\[[0-9a-fA-F:]+\](?::\d+)?"
        return r"[\d.]+" + (r"[:/]\d+" if re.search(r"[:/]", value) else "")
    return {"hex": "0x[0-9a-fA-F]+" if value.startswith("0x") else "[0-9a-f]+",
            "id": "[0-9a-fA-F-]+", "time": r"[\w:., -]+", "path": r"\S+"}[kind]
