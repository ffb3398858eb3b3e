"""The words of a quoted line for which its rule was found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from assistant.rules.signals import CodeSignal
from assistant.rules.types import ErrorSignal, EventSignal, LogSignal, MetricSignal, Rule

#: `ValueError: message`, also with a module in front.
_EXCEPTION = re.compile(r"^\s*(?:[\w.]+\.)?\w+(?:Error|Exception|Interrupt|Warning|Exit)\b:?")
_CODE = re.compile(r"\b[A-Z]{2}\d{4}\b")
#: A mark on nearly all of a line marks nothing.
_MOST = 0.75


def marked(text: str, rule: Rule | None) -> list[tuple[str, bool]]:
    """The text in pieces; True for those to be marked."""
    spans = _merged(_spans(text, rule)) if rule is not None else []
    pieces: list[tuple[str, bool]] = []
    at = 0
    for start, end in spans:
        pieces += [(text[at:start], False), (text[start:end], True)]
        at = end
    return [piece for piece in [*pieces, (text[at:], False)] if piece[0]]


def _spans(text: str, rule: Rule) -> Iterator[tuple[int, int]]:
    found = False
    for signal in rule.signals.values():
        for pattern in _patterns(signal):
            span = _search(pattern, text)
            if span is not None and 0 < span[1] - span[0] < _MOST * len(text.strip()):
                found = True
                yield span
    if not found:
        for known in (_EXCEPTION, _CODE):
            if match := known.search(text):
                yield match.span()


def _patterns(signal: object) -> Iterator[str]:
    if isinstance(signal, LogSignal):
        yield from signal.patterns
    elif isinstance(signal, EventSignal):
        yield from (p for p in (signal.title, signal.message, signal.text) if p not in (None, ".*"))
    elif isinstance(signal, MetricSignal):
        yield from (rf"\b{re.escape(name)}: *[^\s,}}]+" for name in signal.metric)
    elif isinstance(signal, CodeSignal):
        yield from (re.escape(code).replace(r"\*", r"\w*") for code in signal.codes)
    elif isinstance(signal, ErrorSignal) and signal.text is not None:
        yield signal.text


def _search(pattern: str, text: str) -> tuple[int, int] | None:
    compiled = _compiled(pattern)
    match = compiled.search(text) if compiled is not None else None
    return match.span() if match is not None else None


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> Any:
    """The expression in the engine that confirmed it, None if it cannot be compiled."""
    import re2  # its import takes time, and only result pages need it

    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error:
        return None


def _merged(spans: Iterator[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
