"""Whether any match of a signal stands before or after another one, asked many times.

One is earlier than another only where that is sound: in one file by its lines, on one node by its
clock, between nodes by more than the error of both clocks. Not every pair is looked at: a rule's
two signals may each have hundreds of thousands of matches.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence

from assistant.diagnose.match import Match
from assistant.diagnose.view import View
from assistant.job.types import Clock


class Timeline:
    """The matches of one signal, by file and by node.

    Args:
        matches: of the signal that others are to stand before or after.
    """

    def __init__(self, matches: Iterable[Match], view: View) -> None:
        self._view = view
        self._lines: dict[str, list[tuple[int, float]]] = defaultdict(list)
        self._times: dict[str, list[tuple[float, str]]] = defaultdict(list)
        for match in matches:
            time = reference_time(view, match)
            name = match.citation.file if match.citation is not None else ""
            if match.citation is not None:
                self._lines[name].append((match.citation.line, math.nan if time is None else time))
            if time is not None:
                self._times[match.node].append((time, name))
        for lines in self._lines.values():
            lines.sort(key=_number)
        for times in self._times.values():
            times.sort()
        # Where no clock is known, no order between nodes is sound.
        self._sound = [(node, error) for node in self._times
                       if math.isfinite(error := self._error(node))]
        self._last = max((self._times[n][-1][0] - e for n, e in self._sound), default=-math.inf)
        self._first = min((self._times[n][0][0] + e for n, e in self._sound), default=math.inf)

    def any_after(self, match: Match, within: float | None = None) -> bool:
        """Whether any of the matches is known to be later, by at most `within` seconds."""
        return self._any(match, later=True, within=within)

    def any_before(self, match: Match, within: float | None = None) -> bool:
        """Whether any of the matches is known to be earlier, by at most `within` seconds."""
        return self._any(match, later=False, within=within)

    def _any(self, match: Match, *, later: bool, within: float | None) -> bool:
        time = reference_time(self._view, match)
        name = match.citation.file if match.citation is not None else ""
        if match.citation is not None and self._in_file(
                name, match.citation.line, time, later, within):
            return True
        return time is not None and (
            self._on_node(match.node, name, time, later, within)
            or self._elsewhere(match.node, time, later, within))

    def _in_file(self, name: str, line: int, time: float | None, later: bool,
                 within: float | None) -> bool:
        lines = self._lines.get(name, [])
        found = (lines[bisect_right(lines, line, key=_number):] if later
                 else lines[:bisect_left(lines, line, key=_number)])
        if within is None:
            return bool(found)
        return time is not None and any(abs(other - time) <= within for _, other in found)

    def _on_node(self, node: str, name: str, time: float, later: bool,
                 within: float | None) -> bool:
        """In the other files of the node, by its clock."""
        times = self._times.get(node, [])
        return any(not name or times[i][1] != name
                   for i in _window(times, time, later, 0.0, within))

    def _elsewhere(self, node: str, time: float, later: bool, within: float | None) -> bool:
        """On other nodes, by more than the error of both clocks."""
        own = self._error(node)
        if not math.isfinite(own):
            return False
        if (time + own >= self._last) if later else (time - own <= self._first):
            return False
        return any(other != node and _window(self._times[other], time, later, own + error, within)
                   for other, error in self._sound)

    def _error(self, node: str) -> float:
        return self._view.job.clocks.get(node, Clock()).error


def _window(times: Sequence[tuple[float, str]], time: float, later: bool, doubt: float,
            within: float | None) -> range:
    """Places of those that are later (or earlier) by more than `doubt`, at most `within`."""
    if within is not None and within < doubt:
        return range(0)
    if later:
        end = len(times) if within is None else bisect_right(times, time + within, key=_time)
        return range(bisect_right(times, time + doubt, key=_time), end)
    start = 0 if within is None else bisect_left(times, time - within, key=_time)
    return range(start, bisect_left(times, time - doubt, key=_time))


def _number(entry: tuple[int, float]) -> int:
    return entry[0]


def _time(entry: tuple[float, str]) -> float:
    return entry[0]


def reference_time(view: View, match: Match) -> float | None:
    """A match's time with its node's clock offset taken off."""
    if match.time is None:
        return None
    clock = view.job.clocks.get(match.node)
    return match.time - (clock.offset if clock is not None else 0.0)
