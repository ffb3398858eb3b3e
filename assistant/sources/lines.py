"""Some lines of logs, read again from where they lie."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from io import BytesIO
from typing import BinaryIO

from assistant.evidence.types import TEXT_LIMIT, Skipped
from assistant.sources.sections import OUTSIDE, Shown, split
from assistant.sources.types import LogSource

#: Bytes of one file beyond which no line is sought.
FAR = 64 << 20
_PIECE = 1 << 16


def read_lines(sources: Iterable[LogSource | Skipped], wanted: Mapping[str, Collection[int]], *,
               far: int = FAR) -> dict[str, dict[int, str]]:
    """Lines by file and number. What cannot be read any more, or lies beyond `far` bytes, is
    not there.

    Args:
        sources: the logs; only the wanted ones are opened.
        wanted: name of a log to the numbers of its lines, the first line being 1.
    """
    found: dict[str, dict[int, str]] = {}
    left = {name for name, numbers in wanted.items() if numbers}
    for source in sources if left else ():
        if isinstance(source, Skipped) or (source.shown is None and source.name not in left):
            continue
        try:
            with source.open() as stream:
                logs = ({source.name: stream} if source.shown is None else
                        _shown(stream, source, source.shown, far))
                for name in left & logs.keys():
                    found[name] = dict(_lines(logs[name], wanted[name], far))
                left -= logs.keys()
        except OSError:
            continue
        if not left:
            break
    return found


def _shown(stream: BinaryIO, source: LogSource, shown: Shown, far: int
           ) -> Mapping[str, BinaryIO]:
    """The logs that a source shows, by name, as far as they stand in its first bytes."""
    found = split(stream.read(far), shown.anywhere)
    return {shown.prefix + name if name != OUTSIDE else source.name: BytesIO(content)
            for name, content in found}


def _lines(stream: BinaryIO, numbers: Collection[int], far: int) -> Iterator[tuple[int, str]]:
    """The lines of these numbers; physical lines end at LF, as everywhere."""
    last = max(numbers)
    number, taken, begun = 1, 0, False
    while number <= last and taken <= far:
        piece = stream.readline(_PIECE)
        if not piece:
            break
        taken += len(piece)
        if not begun and number in numbers:
            yield number, _text(piece)
        begun = not piece.endswith(b"\n")  # the rest of a long line is not given
        number += not begun


def _text(line: bytes) -> str:
    return line.rstrip(b"\r\n").decode("utf-8", "replace")[:TEXT_LIMIT]
