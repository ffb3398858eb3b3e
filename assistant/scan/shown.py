"""Bytes of a line -> the text that evidence quotes."""

from __future__ import annotations

from assistant.evidence.types import TEXT_LIMIT

#: What is kept before the match when the start of a long line must go.
_BEFORE = 160
_CUT = "…"


def shown(line: bytes, span: tuple[int, int] | None = None) -> str:
    """The line as text, at most TEXT_LIMIT characters.

    Wrong UTF-8 becomes U+FFFD, NUL becomes U+2400. Where a line is too long, its start is
    shown; or, if the match (`span`, in bytes) stands beyond that, the surroundings of the
    match. A cut is marked with an ellipsis.
    """
    if len(line) <= TEXT_LIMIT:
        return _decode(line)
    start = 0
    if span is not None and span[1] > TEXT_LIMIT - len(_CUT):
        start = max(0, span[0] - _BEFORE)
        while start < len(line) and line[start] & 0xC0 == 0x80:  # not within a character
            start += 1
    # A character has at most four bytes.
    text = _CUT * (start > 0) + _decode(line[start:start + 4 * TEXT_LIMIT])
    return text if len(text) <= TEXT_LIMIT else text[:TEXT_LIMIT - len(_CUT)] + _CUT


def _decode(raw: bytes) -> str:
    return raw.decode("utf-8", "replace").replace("\0", "\u2400")
