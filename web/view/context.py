"""The lines around each quoted line, read again from the input while it is still there."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, BinaryIO

from assistant.diagnose.types import Diagnosis
from assistant.evidence.types import TEXT_LIMIT, Skipped
from assistant.sources.types import LogSource

#: Lines shown before and after a quoted line.
AROUND = 4
#: Bytes of one file, and quoted lines of one check, beyond which no context is sought.
_FAR = 64 << 20
_QUOTES = 200
_PIECE = 1 << 16


def context(diagnosis: Diagnosis, again: Callable[[], Iterable[LogSource | Skipped]],
            ) -> dict[str, list[list[Any]]]:
    """File name to `[number, text]` of the lines around its quoted lines, by number.

    Args:
        again: gives the sources once more.
    """
    wanted = _wanted(diagnosis)
    found: dict[str, list[list[Any]]] = {}
    left = set(wanted)
    for source in again() if left else ():
        if isinstance(source, Skipped) or source.name not in left:
            continue
        left.discard(source.name)
        try:
            with source.open() as stream:
                found[source.name] = [[number, text] for number, text
                                      in _lines(stream, wanted[source.name])]
        except OSError:
            continue  # it was readable before; the report stands without context
        if not left:
            break
    return found


def _wanted(diagnosis: Diagnosis) -> Mapping[str, set[int]]:
    quotes = [quote for finding in diagnosis.findings if finding.role != "note"
              for quote in finding.evidence][:_QUOTES]
    wanted: dict[str, set[int]] = {}
    for quote in quotes:
        wanted.setdefault(quote.file, set()).update(
            range(max(1, quote.line - AROUND), quote.line + AROUND + 1))
    return wanted


def _lines(stream: BinaryIO, numbers: set[int]) -> Iterator[tuple[int, str]]:
    """The lines of these numbers; physical lines end at LF, as everywhere."""
    last = max(numbers)
    number, taken = 1, 0
    begun: deque[bytes] = deque(maxlen=1)
    while number <= last and taken <= _FAR:
        piece = stream.readline(_PIECE)
        if not piece:
            break
        taken += len(piece)
        if not begun and number in numbers:
            yield number, _text(piece)
        begun.append(piece)  # the rest of a long line is not shown
        if piece.endswith(b"\n"):
            number += 1
            begun.clear()


def _text(line: bytes) -> str:
    return line.rstrip(b"\r\n").decode("utf-8", "replace")[:TEXT_LIMIT]
