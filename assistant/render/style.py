"""Colours of the terminal report, or none."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.render.cells import Run

_CODES = {"red": "31", "green": "32", "yellow": "33", "cyan": "36", "dim": "2", "bold": "1",
          "alarm": "1;31", "good": "1;32", "warn": "1;33"}
#: Verdict to the style of its word.
VERDICTS = {"healthy": "good", "degraded": "warn", "failed": "alarm", "hung": "alarm",
            "inconclusive": "warn"}


class Style:
    """Puts colour on text that has been laid out already; with `colour` off it changes nothing."""

    def __init__(self, colour: bool) -> None:
        self.colour = colour

    def __call__(self, name: str, text: str) -> str:
        """The text in the style called `name`."""
        return f"\x1b[{_CODES[name]}m{text}\x1b[0m" if self.colour and text else text

    def runs(self, runs: Iterable[Run]) -> str:
        """One line of a step, its commands in colour."""
        return "".join(self("cyan", run.text) if run.code else run.text for run in runs)
