"""The lines around each quoted line, read again from the input while it is still there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from assistant.diagnose.types import Diagnosis
from assistant.evidence.types import Skipped
from assistant.sources.lines import read_lines
from assistant.sources.types import LogSource

#: Lines shown before and after a quoted line.
AROUND = 4
#: Quoted lines of one check beyond which no context is sought.
_QUOTES = 200


def context(diagnosis: Diagnosis, again: Callable[[], Iterable[LogSource | Skipped]],
            ) -> dict[str, list[list[Any]]]:
    """File name to `[number, text]` of the lines around its quoted lines, by number.

    Args:
        again: gives the sources once more.
    """
    wanted = _wanted(diagnosis)
    found = read_lines(again(), wanted) if wanted else {}
    return {name: [[number, text] for number, text in lines.items()]
            for name, lines in found.items()}


def _wanted(diagnosis: Diagnosis) -> Mapping[str, set[int]]:
    quotes = [quote for finding in diagnosis.findings if finding.role != "note"
              for quote in finding.evidence][:_QUOTES]
    wanted: dict[str, set[int]] = {}
    for quote in quotes:
        wanted.setdefault(quote.file, set()).update(
            range(max(1, quote.line - AROUND), quote.line + AROUND + 1))
    return wanted
