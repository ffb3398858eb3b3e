"""Who waits for whom, and who stands at the end of the chain.

In a log of collective communication the culprit is named by others: by the rank, device
or address they wait for. Whoever is waited for and waits for nobody is where to look.
"""

from __future__ import annotations

from collections.abc import Iterable

from assistant.diagnose.evaluate import Evaluator
from assistant.diagnose.signals.log import waits
from assistant.rules.types import EventSignal, LogSignal, Rule


def chain_ends(rules: Iterable[Rule], evaluator: Evaluator) -> frozenset[int]:
    """Ranks that others wait for, directly or through others, and that wait for none."""
    pairs: set[tuple[int, int]] = set()
    for rule in rules:
        signals = {name: s for name, s in rule.signals.items()
                   if isinstance(s, (LogSignal, EventSignal)) and _waits(s)}
        if signals:
            holdings = evaluator.holdings(rule)
            pairs.update(pair for name, signal in signals.items()
                         for match in holdings[name].matches
                         for pair in waits(signal, match, evaluator.view))
    waiting = {waiter for waiter, _ in pairs}
    return frozenset(awaited for _, awaited in pairs if awaited not in waiting)


def _waits(signal: LogSignal | EventSignal) -> bool:
    return bool(signal.waits_for or (
        isinstance(signal, LogSignal) and signal.waits_for_device))
