"""Which of two pieces of evidence came first, claimed only where it is sound: pair by pair, which
is what Timeline answers for many at once."""

from __future__ import annotations

from assistant.diagnose.match import Match
from assistant.diagnose.timeline import reference_time
from assistant.diagnose.view import View
from assistant.job.clocks import order as order_times


def order(view: View, first: Match, second: Match) -> int:
    """-1 if the first is earlier, 1 if later, 0 where no sound claim can be made.

    In one file lines decide; on one node its clock; between nodes the difference must be
    larger than the error of both clocks (assistant/job/clocks.py).
    """
    a, b = first.citation, second.citation
    if a is not None and b is not None and a.file == b.file:
        return (a.line > b.line) - (a.line < b.line)
    return order_times(view.job, first.node, first.time, second.node, second.time)


def distance(view: View, first: Match, second: Match) -> float | None:
    """Seconds between two matches on the reference clock, None where a time is missing."""
    a, b = reference_time(view, first), reference_time(view, second)
    return None if a is None or b is None else abs(a - b)
