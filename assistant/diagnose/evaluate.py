"""Every signal of a rule, and the condition over them, judged on a job."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assistant.diagnose.holding import Holding, quantify
from assistant.diagnose.match import Match, Subject
from assistant.diagnose.signals import event, fact, log, metric, state
from assistant.diagnose.timeline import Timeline
from assistant.diagnose.view import View
from assistant.rules.types import (
    And,
    CodeSignal,
    Condition,
    ConfigSignal,
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
        ends: ranks at the end of a chain of waiting (see waits.py).
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

    def may_hold(self, rule: Rule) -> bool:
        """False where a look at what the logs hold at all shows that the rule cannot hold:
        so it is with most rules on most jobs."""
        return self._may(rule, rule.when)

    def _may(self, rule: Rule, condition: Condition) -> bool:
        if isinstance(condition, Name):
            signal = rule.signals[condition.name]
            if isinstance(signal, LogSignal):
                return self.view.holds(f"{rule.id}/{condition.name}")
            if isinstance(signal, CodeSignal):
                return event.fits_codes(signal.codes, self.view.codes) is not None
            return True
        if isinstance(condition, Not):
            return True
        parts = (self._may(rule, part) for part in condition.operands)
        return all(parts) if isinstance(condition, And) else any(parts)

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
        if isinstance(signal, ConfigSignal):
            return fact.config_matches(signal, view)
        return fact.matches(signal, view)

    def _in_order(self, signal: Signal, found: list[Match],
                  others: Mapping[str, list[Match]]) -> list[Match]:
        """Matches that stand before, after or near those of another signal, as asked."""
        if not isinstance(signal, (LogSignal, EventSignal)) or not found:
            return found
        within = signal.within
        if signal.before is not None:
            line = Timeline(others.get(signal.before, ()), self.view)
            found = [m for m in found if line.any_after(m, within)]
        if signal.after is not None:
            line = Timeline(others.get(signal.after, ()), self.view)
            found = [m for m in found if line.any_before(m, within)]
        return found


class Free:
    """What no finding has claimed yet: events and error lines, for fallback rules."""

    def __init__(self, events: frozenset[tuple[str, int]],
                 lines: frozenset[tuple[str, int]]) -> None:
        self._events = events
        self._lines = lines

    def allows(self, signal: Signal, match: Match) -> bool:
        """Whether a fallback rule may use this match."""
        if isinstance(signal, (ErrorSignal, EventSignal, LogSignal, CodeSignal)):
            if match.event is not None:
                return match.event not in self._events
            if match.citation is not None:
                return (match.citation.file, match.citation.line) not in self._lines
        return True


def quantifier_of(signal: Signal) -> Quantifier:
    """`ranks:` of a signal; facts and configuration have none."""
    return Quantifier() if isinstance(signal, (FactSignal, ConfigSignal)) else signal.quantifier


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
