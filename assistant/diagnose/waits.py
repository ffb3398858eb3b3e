"""Who waits for whom, and who stands at the end of the chain.

In a log of collective communication the culprit is named by others: by the rank, device
or address they wait for. Whoever is waited for and waits for nobody is where to look.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from assistant.diagnose.evaluate import Evaluator
from assistant.diagnose.signals.log import waits
from assistant.rules.types import EventSignal, LogSignal, Rule


def chain_ends(rules: Iterable[Rule], evaluator: Evaluator) -> frozenset[int]:
    """Ranks that others wait for, directly or through others, and that wait for none."""
    awaited_by: dict[int, set[int]] = defaultdict(set)
    for rule in rules:
        names = [n for n, s in rule.signals.items() if _waits(s)]
        if not names:
            continue
        holdings = evaluator.holdings(rule)
        for name in names:
            signal = rule.signals[name]
            assert isinstance(signal, (LogSignal, EventSignal))
            for match in holdings[name].matches:
                for waiter, awaited in waits(signal, match, evaluator.view):
                    awaited_by[awaited].add(waiter)
    waiting = {waiter for waiters in awaited_by.values() for waiter in waiters}
    return frozenset(rank for rank in awaited_by if rank not in waiting)


def _waits(signal: object) -> bool:
    if isinstance(signal, LogSignal):
        return bool(signal.waits_for or signal.waits_for_device)
    return isinstance(signal, EventSignal) and bool(signal.waits_for)
