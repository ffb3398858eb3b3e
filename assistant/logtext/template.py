"""The shape of a line: what is left when everything that differs from case to case goes.

Lines that differ only in numbers, addresses, paths, times or identifiers have one shape, so
that a thousand of them are one entry: `Failed to open <path>: errno <n>`. Error codes are no
such variable; they stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from assistant.logtext import codes, prefix, wrappers

#: Longest text that is looked at, and longest shape, in characters.
MAX_TEXT = 1000
MAX_SHAPE = 240

_VARIABLE = re.compile(
    r"(?P<keep>\bE[0-9A-Z]\d{4}\b|\bERR\d{5}\b)"
    r"|(?P<time>\b\d{4}-\d\d-\d\d[-T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9}){0,2}"
    r"|\b[A-Z][a-z]{2} [A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d(?: \d{4})?)"
    r"|(?P<id>\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b)"
    r"|(?P<ip>\b\d{1,3}(?:\.\d{1,3}){3}(?:[:/]\d{1,5})?\b|\[(?:[0-9a-fA-F]{0,4}:){2,7}"
    r"[0-9a-fA-F]{0,4}\](?::\d{1,5})?)"
    r"|(?P<path>(?<![\w/.<])(?:~|\.{1,2})?(?:/[\w.+@%=-]{1,120}){2,20}/?(?::\d{1,12})?)"
    r"|(?P<hex>\b0x[0-9a-fA-F]{1,40}\b"
    r"|\b(?=[a-f]{0,31}\d)(?=\d{0,31}[a-f])[0-9a-f]{8,64}\b)"
    r"|(?P<n>(?<![A-Za-z0-9.])[-+]?\d{1,40}(?:\.\d{1,40})?(?:[eE][-+]?\d{1,4})?(?![.]?\d)|\d{1,40})",
)
_LIST = re.compile(r"<(n|hex|ip|path|id|time)>(?:(?: ?[,|] ?| )<\1>)+")
_SPACE = re.compile(r"\s+")


def shape(text: str) -> str:
    """The shape of a line or of a message; record head and launcher prefixes are left out."""
    raw = text[:MAX_TEXT].encode("utf-8", "replace")
    head = prefix.parse(raw)
    start = head.start if head is not None else wrappers.find(raw).end
    text = raw[start:].decode("utf-8", "replace")
    parts: list[str] = []
    at = 0
    for begin, end, kind in variables(text):
        parts += [text[at:begin], f"<{kind}>"]
        at = end
    text = _LIST.sub(r"<\1>", "".join([*parts, text[at:]]))
    text = _SPACE.sub(" ", text).strip()
    return text if len(text) <= MAX_SHAPE else text[:MAX_SHAPE - 1] + "…"


def variables(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, kind) of what differs from case to case in a text: numbers (`n`), addresses
    (`ip`), paths, times, identifiers (`id`, `hex`). Error codes are none of these."""
    known = frozenset(codes.find(text))
    for match in _VARIABLE.finditer(text):
        if match.lastgroup and match.lastgroup != "keep" and match[0] not in known:
            yield match.start(), match.end(), match.lastgroup
