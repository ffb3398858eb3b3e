"""Ranks that were lost while the others trained on, by the worker logs alone.

Without the scheduler's log and msrun's console nothing says that a killed process ended: its log
stops, as that of a running one does. But others outlive it: the connection that the cluster keeps
between processes is closed under them, or they go on printing for long.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.job import life, marks
from assistant.job.life import Own
from assistant.job.types import LogFile

#: Seconds by which the logs of two processes may be written in another order than they happened.
_SLACK = 2.0


@dataclass(frozen=True, slots=True)
class Living:
    """A rank whose log tells of no end, and that is not through with its steps.

    Attributes:
        key: of its process. node: key of its node. own: what its files tell.
        last_time: of its last line, on the common clock.
        peer_gone: when it saw a connection to another process close while it trained, on the
            common clock, None if it did not.
    """

    key: str
    node: str | None
    own: Own
    last_time: float | None
    peer_gone: float | None


def peer_gone(files: Sequence[LogFile], own: Own) -> float | None:
    """When a process first saw a connection close while it trained, on its own clock. (At the
    start connections come and go, and at the end whoever is ready first closes them.)"""
    name, begun = own.passed.get("training", ("", 0))
    return next((hit.time for file in files if file.name == name
                 for hit in marks.hits(file.evidence, "peer-gone", file.run_start)
                 if hit.line > begun and hit.time is not None), None)


def lost(everyone: Sequence[Living]) -> frozenset[str]:
    """Keys of those that others outlive: they are behind in steps, and silent since a connection
    closed, or for as long as a job that stands still, while another rank of their node goes on.

    Of another node this proves nothing: its logs may have been copied at another time.
    """
    seen = [one.peer_gone for one in everyone if one.peer_gone is not None]
    closed = min(seen, default=None)
    furthest = max((one.own.last_step for one in everyone if one.own.last_step is not None),
                   default=0)
    found = set()
    for one in everyone:
        step, time = one.own.last_step, one.last_time
        if step is None or step >= furthest or time is None or one.peer_gone is not None:
            continue
        later = max((other.last_time for other in everyone
                     if other.node == one.node and other.last_time is not None), default=time)
        if (closed is not None and time <= closed + _SLACK) or life.stands_still(
                [one.own], later - time):
            found.add(one.key)
    return frozenset(found) if 2 * len(found) <= len(everyone) else frozenset()
