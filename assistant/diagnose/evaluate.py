"""Every signal of a rule, and the condition over them, judged on a job."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assistant.diagnose.holding import Holding, quantify
from assistant.diagnose.order import distance, order
from assistant.diagnose.signals import event, fact, log, metric, state
from assistant.diagnose.view import Match, Subject, View
from assistant.rules.types import (
    And,
    CodeSignal,
    Condition,
    ErrorSignal,
    EventSignal,
    FactSignal,
    FileSignal,
    LandmarkSignal,
    LogSignal,
    MetricSignal,
    Name,
    Not,
    Quantifier,
    ReachedSignal,
    Rule,
    Signal,
    StateSignal,
)


class Evaluator:
    """Judges the signals of rules on one job.

    Args:
        view: the job.
        ends: ranks at the end of a chain of waiting.
        claims: decides which events and error lines a fallback rule may still use.
    """

    def __init__(self, view: View, ends: frozenset[int] = frozenset()) -> None:
        self.view = view
        self.ends = ends

    def holdings(self, rule: Rule, free: Free | None = None) -> dict[str, Holding]:
        """Each signal of the rule judged; with `free`, only on what nobody has claimed."""
        found = {name: [m for m in self._matches(rule, name, signal)
                        if free is None or free.allows(signal, m)]
                 for name, signal in rule.signals.items()}
        placed = {name: self._in_order(signal, found[name], found)
                  for name, signal in rule.signals.items()}
        return {name: quantify(placed[name], quantifier_of(signal), self.view)
                for name, signal in rule.signals.items()}

    def _matches(self, rule: Rule, name: str, signal: Signal) -> Iterable[Match]:
        view = self.view
        if isinstance(signal, LogSignal):
            return log.matches(signal, f"{rule.id}/{name}", view)
        if isinstance(signal, EventSignal):
            return event.matches(signal, view)
        if isinstance(signal, ErrorSignal):
            return event.error_matches(signal, view)
        if isinstance(signal, CodeSignal):
            return event.code_matches(signal, view)
        if isinstance(signal, MetricSignal):
            return metric.matches(signal, view)
        if isinstance(signal, StateSignal):
            return state.matches(signal, view, self.ends)
        if isinstance(signal, ReachedSignal):
            return state.reached(signal, view)
        if isinstance(signal, LandmarkSignal):
            return log.landmark(signal.name, view)
        if isinstance(signal, FileSignal):
            return fact.file_matches(signal, view)
        return fact.matches(signal, view)

    def _in_order(self, signal: Signal, found: list[Match],
                  others: Mapping[str, list[Match]]) -> list[Match]:
        """Matches that stand before, after or near those of another signal, as asked."""
        if not isinstance(signal, (LogSignal, EventSignal)):
            return found
        kept = found
        for other, wanted in ((signal.before, -1), (signal.after, 1)):
            if other is not None:
                kept = [m for m in kept
                        if any(self._stands(m, o, wanted, signal.within)
                               for o in others.get(other, ()))]
        return kept

    def _stands(self, match: Match, other: Match, wanted: int, within: float | None) -> bool:
        if order(self.view, match, other) != wanted:
            return False
        if within is None:
            return True
        gap = distance(self.view, match, other)
        return gap is not None and gap <= within


class Free:
    """What no finding has claimed yet: events and error lines, for fallback rules."""

    def __init__(self, events: frozenset[tuple[str, int]],
                 lines: frozenset[tuple[str, int]]) -> None:
        self._events = events
        self._lines = lines

    def allows(self, signal: Signal, match: Match) -> bool:
        """Whether a fallback rule may use this match."""
        if isinstance(signal, (EventSignal, LogSignal, CodeSignal)) and match.event is not None:
            return match.event not in self._events
        if isinstance(signal, (ErrorSignal, EventSignal, LogSignal, CodeSignal)) and match.citation:
            return (match.citation.file, match.citation.line) not in self._lines
        return True


def quantifier_of(signal: Signal) -> Quantifier:
    """`ranks:` of a signal; facts have none."""
    return Quantifier() if isinstance(signal, FactSignal) else signal.quantifier


def holds(condition: Condition, holdings: Mapping[str, Holding]) -> bool:
    """The condition asked once, for the job."""
    if isinstance(condition, Name):
        return holdings[condition.name].true
    if isinstance(condition, Not):
        return not holds(condition.operand, holdings)
    parts = (holds(part, holdings) for part in condition.operands)
    return all(parts) if isinstance(condition, And) else any(parts)


def holds_on(condition: Condition, holdings: Mapping[str, Holding], subject: Subject) -> bool:
    """The condition asked for one rank or fragment by itself."""
    if isinstance(condition, Name):
        return holdings[condition.name].on(subject)
    if isinstance(condition, Not):
        return not holds_on(condition.operand, holdings, subject)
    parts = (holds_on(part, holdings, subject) for part in condition.operands)
    return all(parts) if isinstance(condition, And) else any(parts)


def positive_names(condition: Condition, sign: bool = True) -> tuple[str, ...]:
    """Signals that support the condition when they hold, in order of mention."""
    if isinstance(condition, Name):
        return (condition.name,) if sign else ()
    if isinstance(condition, Not):
        return positive_names(condition.operand, not sign)
    names = [n for part in condition.operands for n in positive_names(part, sign)]
    return tuple(dict.fromkeys(names))
