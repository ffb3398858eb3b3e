"""Landmarks in a file's evidence: the lines that tell how far a process got, or state a fact.

The expressions stand in rules/landmarks.yaml; here they are known by name. A hit's captures
are read as text or as numbers, and always from the last run in the file (`start`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assistant.evidence.types import FileEvidence, Hit
from assistant.rules.types import PHASES, Landmark

#: The phase that a process has reached once it prints a landmark. The same as `phase:` in
#: rules/landmarks.yaml (a test holds them together), so that evidence alone makes a job.
PHASE_OF: Mapping[str, str] = {
    "banner": "started",
    "config-file": "started",
    "connection": "started",
    "connect-failed": "started",
    "registering": "started",
    "topology-retry": "registered",
    "topology-first-retry": "registered",
    "cluster-formed": "joined",
    "rank-stated": "joined",
    "group-created": "joined",
    "communication-initialised": "initialised",
    "world-size": "initialised",
    "parallelism": "initialised",
    "building": "building",
    "device-mesh": "building",
    "data-rank": "building",
    "training-start": "training",
    "graph-step": "training",
    "training-end": "finished",
    "console-worker": "launched",
}

#: The most ranks that a job is believed to have: more than any cluster holds. A size that a line
#: states beyond that is a slip or an attack, and would be a rank each in memory.
MAX_RANKS = 1 << 17
#: Captures that hold a rank, a number of ranks, or of a node's ranks.
_OF_RANKS = frozenset({"world", "expected", "registered", "rank", "local", "index", "pp", "stage"})

_ORDER = {phase: index for index, phase in enumerate(PHASES)}


def phase_index(phase: str | None) -> int:
    """Position of a phase in PHASES, -1 for None."""
    return -1 if phase is None else _ORDER[phase]


def later_phase(one: str | None, other: str | None) -> str | None:
    """The later of two phases."""
    return one if phase_index(one) >= phase_index(other) else other


def phases_of(landmarks: Iterable[Landmark]) -> Mapping[str, str]:
    """Landmark name to phase: the built-in ones and those of packs."""
    return {**PHASE_OF, **{mark.name: mark.phase for mark in landmarks if mark.phase is not None}}


def hits(evidence: FileEvidence, name: str, start: int = 1) -> tuple[Hit, ...]:
    """The kept hits of a landmark from line `start` on, each line once, by line."""
    found = evidence.hits.get(f"landmark/{name}")
    if found is None:
        return ()
    by_line = {hit.line: hit for hit in (*found.hits, *found.distinct) if hit.line >= start}
    return tuple(by_line[line] for line in sorted(by_line))


def first(evidence: FileEvidence, name: str, start: int = 1) -> Hit | None:
    """The first kept hit from line `start` on."""
    found = hits(evidence, name, start)
    return found[0] if found else None


def last(evidence: FileEvidence, name: str, start: int = 1) -> Hit | None:
    """The last hit from line `start` on."""
    found = hits(evidence, name, start)
    return found[-1] if found else None


def seen(evidence: FileEvidence, name: str, start: int = 1) -> bool:
    """Whether a landmark stands at or after line `start`."""
    found = evidence.hits.get(f"landmark/{name}")
    return found is not None and bool(found.hits) and found.hits[-1].line >= start


def text(hit: Hit, capture: str) -> str | None:
    """A capture as text, None if it took no part."""
    for name, value in hit.captures:
        if name == capture:
            return value
    return None


def number(hit: Hit, capture: str) -> int | None:
    """A capture as a number, None if it took no part, is none, or is a rank or a number of
    ranks that no job has."""
    value = text(hit, capture)
    if value is None:
        return None
    found = whole(value.removeprefix("-"))
    if found is None or (capture in _OF_RANKS and found > MAX_RANKS):
        return None
    return -found if value.startswith("-") else found


def whole(digits: str) -> int | None:
    """The number that digits write, None for anything else and for more of them than a number
    of a log has."""
    return int(digits) if len(digits) < 19 and digits.isascii() and digits.isdigit() else None


def numbers(evidence: FileEvidence, name: str, capture: str, start: int = 1) -> tuple[int, ...]:
    """All numbers that the hits of a landmark capture under one name, by line."""
    found = (number(hit, capture) for hit in hits(evidence, name, start))
    return tuple(value for value in found if value is not None)
