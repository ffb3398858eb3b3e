"""Who is asked first. What a tier claims, later tiers no longer see.

0 rules that know their lines · 1 codes that name a cause · 2 codes that mostly follow from
something else · 3 codes that say little by themselves (`EZ9999`, "Inner Error") · 4 other
fallbacks on events (a Python exception that no rule knows) · 5 fallbacks on error lines.
"""

from __future__ import annotations

from assistant.rules.types import CodeSignal, ErrorSignal, Rule

LAST_TIER = 5


def tier_of(rule: Rule) -> int:
    """The tier of a rule."""
    if not rule.fallback:
        return 0
    if any(isinstance(s, CodeSignal) for s in rule.signals.values()):
        return {"consequence": 2, "either": 3}.get(rule.usually or "", 1)
    return 5 if any(isinstance(s, ErrorSignal) for s in rule.signals.values()) else 4
