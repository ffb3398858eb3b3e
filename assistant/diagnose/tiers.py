"""Who is asked first. What a tier claims, later tiers no longer see.

0 rules that know their lines · 1 codes that name a cause · 2 codes that mostly follow from
something else · 3 codes that may be either · 4 codes that say nothing by themselves (`EZ9999`,
"Inner Error"), so that any other code of the same block speaks first · 5 other fallbacks on
events and lines, the surer one first: they know the kind of an exception (a key of a checkpoint
is missing) · 6 fallbacks that take any exception · 7 fallbacks on error lines alone.
"""

from __future__ import annotations

from assistant.rules.types import CodeSignal, ErrorSignal, EventSignal, Rule, Signal

#: The number of a tier, and within tier 5 the confidence of its rules, negated.
Tier = tuple[int, float]

LAST_TIER: Tier = (7, 0.0)
GENERAL_CODES: Tier = (4, 0.0)
#: Behind all of tier 5.
KNOWN_KINDS: Tier = (5, 1.0)
#: The end of every general code, whatever component prints it.
_GENERAL = "9999"


def tier_of(rule: Rule) -> Tier:
    """The tier of a rule."""
    if not rule.fallback:
        return 0, 0.0
    signals = rule.signals.values()
    codes = [code for s in signals if isinstance(s, CodeSignal) for code in s.codes]
    if codes and all(code.endswith(_GENERAL) for code in codes):
        return GENERAL_CODES
    if codes:
        return {"consequence": 2, "either": 3}.get(rule.usually or "", 1), 0.0
    if all(isinstance(s, ErrorSignal) for s in signals):
        return LAST_TIER
    return (6, 0.0) if all(map(_takes_any, signals)) else (5, -rule.confidence)


def _takes_any(signal: Signal) -> bool:
    """Whether it asks for an event without saying which."""
    return isinstance(signal, EventSignal) and signal.title in (None, ".+", ".*") and not any(
        (signal.message, signal.text, signal.frame, signal.where, signal.codes))
