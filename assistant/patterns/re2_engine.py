"""The engine that runs everywhere: RE2, one expression after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assistant.patterns.confirm import compile_bytes
from assistant.patterns.engine import Engine
from assistant.patterns.translate import find_expression


class Re2Engine(Engine):
    """Seeks each expression over the whole block, going on behind each line found."""

    name = "re2"

    def __init__(self, expressions: Sequence[str], notice: str | None = None) -> None:
        super().__init__(expressions, notice)
        for index in range(len(self.expressions)):
            self._confirmer.compiled(index)  # a bad expression is known at once, not at a hit
        groups: dict[str | int, list[int]] = {}
        for index, expression in enumerate(self.expressions):
            groups.setdefault(find_expression(expression) or index, []).append(index)
        self._members = tuple(map(tuple, groups.values()))
        self._finders: list[tuple[int, Any]] = []
        self._by_line: list[tuple[int, int]] = []
        for group, text in enumerate(groups):
            if isinstance(text, str):
                self._finders.append((group, compile_bytes(b"(?m)" + text.encode())))
            else:
                self._by_line.append((group, text))

    @property
    def members(self) -> tuple[tuple[int, ...], ...]:
        return self._members

    def lines(self, block: bytes) -> list[tuple[int, int]]:
        found = self._confirmer.line_starts(block, self._by_line)
        segments = block.replace(b"\r", b"\n")
        for group, regexp in self._finders:
            position = 0
            while position < len(block) and (match := regexp.search(segments, position)):
                found.append((block.rfind(b"\n", 0, match.end()) + 1, group))
                end = block.find(b"\n", match.end())
                position = len(block) if end < 0 else end + 1
        return sorted(set(found))
