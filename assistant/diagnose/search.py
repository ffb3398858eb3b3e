"""RE2 over text that the evidence kept, for signals that are judged after the scan."""

from __future__ import annotations

from functools import lru_cache

from assistant.patterns.confirm import Confirmer


def search(expression: str, text: str) -> dict[str, str] | None:
    """Named groups of the first match in the text, None without one."""
    return _compiled(expression).match(0, text.encode("utf-8", "surrogateescape"))


@lru_cache(maxsize=4096)
def _compiled(expression: str) -> Confirmer:
    return Confirmer((expression,))
