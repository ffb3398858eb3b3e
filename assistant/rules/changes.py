"""What a pack does to the rules of the packs before it, and where it says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assistant.rules.types import Position

How = Literal["replaced", "overridden", "off", "silenced"]


@dataclass(frozen=True, slots=True)
class Change:
    """One change of one rule.

    Attributes:
        how: `replaced` (the pack has a rule of the same id), `overridden`, `off` or `silenced`
            (by its site.yaml).
        pack: the pack that changes the rule. position: where it does.
        earlier: of `replaced`: the pack whose rule it was.
        keys: of `overridden`: the keys that it changes.
        until, reason: of `silenced`: the last day (YYYY-MM-DD), and why.
    """

    how: How
    pack: str
    position: Position
    earlier: str = ""
    keys: tuple[str, ...] = ()
    until: str = ""
    reason: str = ""
