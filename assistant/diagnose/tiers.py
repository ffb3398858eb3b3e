"""Who is asked first. What a tier claims, later tiers no longer see.

0 rules that know their lines · 1 codes that name a cause · 2 codes that mostly follow from
something else · 3 codes that may be either · 4 codes that say nothing by themselves (`EZ9999`,
"Inner Error"), so that any other code of the same block speaks first · 5 other fallbacks on
events (a Python exception that no rule knows) · 6 fallbacks on error lines.
"""

from __future__ import annotations

from assistant.rules.types import CodeSignal, ErrorSignal, Rule

LAST_TIER = 6
#: The end of every general code, whatever component prints it.
_GENERAL = "9999"


def tier_of(rule: Rule) -> int:
    """The tier of a rule."""
    if not rule.fallback:
        return 0
    codes = [code for s in rule.signals.values() if isinstance(s, CodeSignal) for code in s.codes]
    if codes and all(code.endswith(_GENERAL) for code in codes):
        return 4
    if codes:
        return {"consequence": 2, "either": 3}.get(rule.usually or "", 1)
    return 6 if any(isinstance(s, ErrorSignal) for s in rule.signals.values()) else 5
