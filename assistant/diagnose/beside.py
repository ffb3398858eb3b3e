"""What was printed together with a quoted line.

Libraries spread one failure over several lines, each with a prefix of its own: the exception
names the call and its code, the lines below it name the reason. Whoever reads one of them wants
to see the others, too.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from assistant.diagnose.match import cite
from assistant.diagnose.types import Citation
from assistant.evidence.types import Event, Hit
from assistant.job.types import LogFile

#: Lines that may stand between two of them.
_GAP = 2
#: Lines or events taken above, and below.
_MOST = 3


@dataclass(frozen=True, slots=True)
class Spot:
    """An error line, or an event from its first line to its last.

    Attributes:
        first, last: line numbers.
        stream: rank and process as far as its lines state them.
        quote: the line that tells most.
    """

    first: int
    last: int
    stream: tuple[int | None, int | None]
    quote: Citation


class Beside:
    """Finds what stands next to a line of a job's files, which come by their names."""

    def __init__(self, files: Mapping[str, LogFile]) -> None:
        self._files = files
        self._spots: dict[str, Sequence[Spot]] = {}

    def of(self, quoted: Citation) -> tuple[Citation, ...]:
        """Error lines and events of the same process directly above and below."""
        spots = self._spots_of(quoted.file)
        index = bisect.bisect_right(spots, quoted.line, key=lambda spot: spot.first) - 1
        if index < 0 or spots[index].last < quoted.line:
            return ()
        return (*_walk(spots, index, -1), *_walk(spots, index, 1))

    def _spots_of(self, name: str) -> Sequence[Spot]:
        if name not in self._spots:
            file = self._files.get(name)
            self._spots[name] = [] if file is None else sorted(
                _spots(file), key=lambda spot: (spot.first, spot.last))
        return self._spots[name]


def _spots(file: LogFile) -> Iterator[Spot]:
    for event in file.evidence.events:
        line, text = _telling(event)
        yield Spot(event.line, event.end_line, (event.rank, event.pid),
                   cite(file, line, event.time, text))
    for error in file.evidence.errors:
        for hit in error.hits:
            if hit.event is None:
                yield Spot(hit.line, hit.line, (hit.rank, hit.pid), _quote(file, hit))


def _telling(event: Event) -> tuple[int, str]:
    quotes = event.quotes or ((event.line, event.title),)
    return next((quote for quote in quotes if quote[0] == event.message_line), quotes[0])


def _quote(file: LogFile, hit: Hit) -> Citation:
    return cite(file, hit.line, hit.time, hit.text)


def _walk(spots: Sequence[Spot], index: int, step: int) -> Iterator[Citation]:
    """The quotes of those that follow one another closely, away from `index`."""
    here = spots[index]
    for _ in range(_MOST):
        index += step
        if not 0 <= index < len(spots):
            return
        there = spots[index]
        above, below = (there, here) if step < 0 else (here, there)
        if below.first - above.last > _GAP + 1 or not _one_stream(here, there):
            return
        yield there.quote
        here = there


def _one_stream(one: Spot, other: Spot) -> bool:
    """Whether nothing says that two processes wrote them."""
    return all(a is None or b is None or a == b
               for a, b in zip(one.stream, other.stream, strict=True))
