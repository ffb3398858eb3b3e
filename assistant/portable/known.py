"""With which rules evidence was collected, and what that means where others are in force.

Evidence holds the lines that the rules of the collecting machine look for. A rule that was
not known there, or looked for something else, must not be judged: a line that it misses may
have been in the logs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from assistant.rules.types import PatternSpec

#: Rules named in one remark.
_NAMED = 6


def marks(specs: Iterable[PatternSpec]) -> dict[str, str]:
    """A hash of all that is looked for, by rule id or `landmark/<name>`."""
    found: dict[str, list[PatternSpec]] = {}
    for spec in specs:
        found.setdefault(_owner(spec.key), []).append(spec)
    return {owner: hashlib.sha256(repr(sorted(map(repr, group))).encode()).hexdigest()[:12]
            for owner, group in sorted(found.items())}


def mark_of_all(known: Mapping[str, str]) -> str:
    """One hash for a whole set of marks."""
    return hashlib.sha256(repr(sorted(known.items())).encode()).hexdigest()[:12]


def not_known(collected: Mapping[str, str], now: Mapping[str, str]) -> tuple[str, ...]:
    """Rules and landmarks that look for something now that was not looked for then."""
    return tuple(sorted(owner for owner, mark in now.items() if collected.get(owner) != mark))


def listed(owners: tuple[str, ...]) -> str:
    """Some names of rules and landmarks, and how many more there are."""
    names = ", ".join(owners[:_NAMED])
    return names if len(owners) <= _NAMED else f"{names} +{len(owners) - _NAMED}"


def _owner(key: str) -> str:
    """`<rule id>/<signal>` -> the rule's id; `landmark/<name>` stays."""
    return key if key.startswith("landmark/") else key.rpartition("/")[0]
