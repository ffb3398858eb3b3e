"""The smallest piece of the logs in which the same cause is found again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING

from assistant.diagnose.types import Diagnosis, Finding
from assistant.evidence.types import Skipped
from assistant.sources.lines import read_lines
from assistant.sources.types import LogSource

if TYPE_CHECKING:
    from assistant.pipeline import Examined

#: Lines before and after each quoted one, tried in this order.
WIDTHS = (0, 2, 6, 20, 60)
#: Files, and lines of each, that an excerpt may hold.
MAX_FILES, MAX_LINES = 8, 400
#: Lines around each quoted one where no excerpt shows the cause by itself.
_TOLD = 2

Sources = Callable[[], Iterable[LogSource | Skipped]]
Pieces = Mapping[str, Mapping[int, str]]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Pieces of logs.

    Attributes:
        pieces: name of a log to number and text of its lines, sorted.
        shows: whether `kbtriage check` finds the same cause in these lines alone. (It does not
            where the cause lies in what is missing, or in numbers over many steps.)
    """

    pieces: Pieces
    shows: bool


def smallest(examined: Examined, again: Sources) -> Excerpt | None:
    """The smallest excerpt that shows the first cause; None if there is no cause.

    It grows around the quoted lines until the cause is found in it, then loses the files that
    it can do without.

    Args:
        again: gives the logs once more.
    """
    cause = _cause(examined.diagnosis)
    if cause is None or not cause.evidence:
        return None
    quotes: dict[str, list[int]] = {}
    for quote in cause.evidence:
        if quote.file in quotes or len(quotes) < MAX_FILES:
            quotes.setdefault(quote.file, []).append(quote.line)
    whole = read_lines(again(), _around(quotes, WIDTHS[-1]))
    for width in WIDTHS:
        pieces = _cut(whole, _around(quotes, width))
        if _shows(examined, pieces, cause):
            return Excerpt(_without_spare(examined, pieces, cause), True)
    return Excerpt(_cut(whole, _around(quotes, _TOLD)), False)


def text(pieces: Pieces) -> str:
    """The pieces as `tail` shows several files; pasted into kbtriage they are told apart."""
    parts = [f"==> {name} <==\n" + "".join(f"{line}\n" for line in lines.values())
             for name, lines in pieces.items()]
    return "\n".join(parts)


def _cause(diagnosis: Diagnosis) -> Finding | None:
    return next((finding for finding in diagnosis.findings
                 if finding.role == "cause" and finding.rule.severity != "info"), None)


def _around(quotes: Mapping[str, Sequence[int]], width: int) -> dict[str, set[int]]:
    wanted: dict[str, set[int]] = {}
    for name, lines in quotes.items():
        numbers: set[int] = set()
        for line in lines:
            numbers.update(range(max(1, line - width), line + width + 1))
        wanted[name] = set(sorted(numbers)[:MAX_LINES])
    return wanted


def _cut(whole: Pieces, wanted: Mapping[str, set[int]]) -> dict[str, dict[int, str]]:
    cut = {name: {number: line for number, line in lines.items() if number in wanted[name]}
           for name, lines in whole.items()}
    return {name: lines for name, lines in cut.items() if lines}


def _without_spare(examined: Examined, pieces: Pieces, cause: Finding) -> Pieces:
    kept = dict(pieces)
    for name in list(pieces):
        fewer = {other: lines for other, lines in kept.items() if other != name}
        if fewer and _shows(examined, fewer, cause):
            kept = fewer
    return kept


def _shows(examined: Examined, pieces: Pieces, cause: Finding) -> bool:
    from assistant import scan

    knowledge = examined.knowledge
    logs = [LogSource(name, None, None, None, partial(BytesIO, "".join(
        f"{line}\n" for line in lines.values()).encode("utf-8", "surrogateescape")))
        for name, lines in pieces.items()]
    evidence = scan.scan_all(logs, knowledge.rules, jobs=1, cache_dir=knowledge.cache_dir)
    found = _cause(knowledge.diagnose(evidence))
    return found is not None and found.rule.id == cause.rule.id and (
        set(found.ranks) == set(cause.ranks))
