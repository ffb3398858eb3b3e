"""A page of labelled paragraphs: labels on the left, text on the right."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.render.cells import width
from assistant.render.style import Style

#: Cells that labels take, blanks behind them included.
LABEL = 8


class Sheet:
    """Collects lines. `cells` is the width, `body` what is left of it beside the labels."""

    def __init__(self, cells: int, style: Style) -> None:
        self.cells = cells
        self.body = cells - LABEL
        self.style = style
        self._lines: list[str] = []

    def add(self, label: str, lines: Iterable[str], look: str = "bold") -> None:
        """One paragraph; `lines` are laid out already. Without lines it does not appear."""
        head = self.style(look, label) + " " * max(LABEL - width(label), 2)
        for line in lines:
            self._lines.append((head + line).rstrip())
            head = " " * LABEL

    def across(self, lines: Iterable[str]) -> None:
        """Lines that begin at the left edge, over the whole width."""
        self._lines += [line.rstrip() for line in lines]

    @property
    def height(self) -> int:
        """Lines so far."""
        return len(self._lines)

    def gap(self) -> None:
        """An empty line, never two in a row and none at the top."""
        if self._lines and self._lines[-1]:
            self._lines.append("")

    def text(self) -> str:
        """The page, ending with one line end."""
        while self._lines and not self._lines[-1]:
            self._lines.pop()
        return "\n".join(self._lines) + "\n"
