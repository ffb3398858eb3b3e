"""RE2 on one line: whether an expression matches, where, and its named groups.

Lines are bytes and need not be valid UTF-8, so RE2 reads bytes (its Latin-1 mode); the
characters of an expression are matched as their UTF-8 bytes.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from typing import Any

from assistant.errors import UsageError


def compile_bytes(pattern: bytes) -> Any:
    """An RE2 object over bytes. Raises re2.error (a ValueError is not one of its bases)."""
    re2 = importlib.import_module("re2")  # no stubs are published
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.log_errors = False
    return re2.compile(pattern, options)


def re2_bytes(expression: str) -> bytes:
    """The expression as RE2 must see it: repeated characters outside ASCII in a group."""
    if expression.isascii():
        return expression.encode()
    from assistant.patterns.syntax import parse  # costs time at start-up, rarely needed
    from assistant.patterns.trouble import BadExpression

    pieces, done = [], 0
    try:
        repeated = parse(expression).repeated
    except BadExpression:
        repeated = ()
    for start, end in sorted(repeated):
        pieces += [expression[done:start], "(?:", expression[start:end], ")"]
        done = end
    return "".join([*pieces, expression[done:]]).encode(errors="surrogateescape")


class Confirmer:
    """The expressions of an engine, each compiled when it is first asked for."""

    def __init__(self, expressions: Sequence[str]) -> None:
        self.expressions = tuple(expressions)
        self._compiled: list[tuple[Any, tuple[tuple[str, int], ...]] | None]
        self._compiled = [None] * len(self.expressions)

    def compiled(self, index: int) -> tuple[Any, tuple[tuple[str, int], ...]]:
        """The RE2 object of an expression and its named groups (name, number).

        Raises UsageError if RE2 does not understand the expression.
        """
        made = self._compiled[index]
        if made is None:
            expression = self.expressions[index]
            try:
                regexp = compile_bytes(re2_bytes(expression))
            except ImportError as error:
                raise UsageError("the package google-re2 cannot be imported "
                                 f"({error}): pip install google-re2") from error
            except Exception as error:
                raise UsageError(f"the expression {expression!r} cannot be used: "
                                 f"{_words(error)}") from error
            names = tuple((name.decode(), number)
                          for name, number in sorted(regexp.groupindex.items()))
            made = self._compiled[index] = (regexp, names)
        return made

    def match(self, index: int, line: bytes) -> dict[str, str] | None:
        """Named groups that took part in the first match on the line, None without match."""
        regexp, names = self.compiled(index)
        found = regexp.search(line)
        if found is None:
            return None
        if not names:
            return {}
        groups = ((name, found.group(number)) for name, number in names)
        return {name: text.decode("utf-8", "replace") for name, text in groups
                if text is not None}

    def span(self, index: int, line: bytes) -> tuple[int, int] | None:
        """Start and end of the first match on the line in bytes, None without match."""
        found = self.compiled(index)[0].search(line)
        return None if found is None else (found.start(), found.end())

    def line_starts(self, block: bytes,
                    chosen: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """Lines that match, one by one, of (group, index) those that do: (offset, group).
        The slow and plain way."""
        searches = [(group, self.compiled(index)[0].search) for group, index in chosen]
        found: list[tuple[int, int]] = []
        start = 0
        while searches and start < len(block):
            end = block.find(b"\n", start)
            end = len(block) if end < 0 else end
            segments = block[start:end].split(b"\r")
            found += [(start, group) for group, search in searches
                      if any(search(segment) for segment in segments)]
            start = end + 1
        return found


def _words(error: Exception) -> str:
    """RE2's message, which it raises as bytes."""
    detail = error.args[0] if error.args else ""
    return detail.decode("latin-1") if isinstance(detail, bytes) else str(detail)
