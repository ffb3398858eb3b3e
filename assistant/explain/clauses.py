"""The condition of a rule part by part, and the smallest change that would make it hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from assistant.diagnose.evaluate import holds, holds_on
from assistant.diagnose.holding import Holding
from assistant.diagnose.match import Subject, in_order
from assistant.explain.types import Clause, Need
from assistant.rules.types import And, Condition, Name, Not, Rule

#: Ways that are told at most.
_NEEDS = 3
_Changes = frozenset[tuple[str, bool]]


def spelled(condition: Condition, inner: bool = False) -> str:
    """The condition as it would be written."""
    if isinstance(condition, Name):
        return condition.name
    if isinstance(condition, Not):
        return f"not {spelled(condition.operand, True)}"
    text = (" and " if isinstance(condition, And) else " or ").join(
        spelled(part, True) for part in condition.operands)
    return f"({text})" if inner else text


def clause(condition: Condition, holdings: Mapping[str, Holding],
           subjects: Iterable[Subject] | None) -> Clause:
    """The condition with what came of each part.

    Args:
        subjects: whom an `each: rank` rule is asked about; None: it is asked once.
    """
    inner = () if isinstance(condition, Name) else (
        (condition.operand,) if isinstance(condition, Not) else condition.operands)
    parts = tuple(clause(part, holdings, subjects) for part in inner)
    if subjects is None:
        return Clause(spelled(condition), holds(condition, holdings), None, parts)
    on = [s for s in subjects if holds_on(condition, holdings, s)]
    return Clause(spelled(condition), bool(on), tuple(in_order(on)), parts)


def needs(rule: Rule, holdings: Mapping[str, Holding],
          subjects: Iterable[Subject] | None) -> tuple[Need, ...]:
    """The smallest changes after which the condition would hold, for the job or by rank."""
    if subjects is None:
        ways = _ways(rule.when, True, lambda name: holdings[name].true)
        return tuple(Need((), tuple(sorted(way))) for way in ways[:_NEEDS] if way)
    by_way: dict[_Changes, list[Subject]] = {}
    for subject in subjects:
        on = {name: holding.on(subject) for name, holding in holdings.items()}
        ways = _ways(rule.when, True, on.__getitem__)
        if ways and ways[0]:
            by_way.setdefault(ways[0], []).append(subject)
    order = sorted(by_way, key=lambda way: (len(way), -len(by_way[way]), sorted(way)))
    return tuple(Need(tuple(in_order(by_way[way])), tuple(sorted(way)))
                 for way in order[:_NEEDS])


def _ways(condition: Condition, wanted: bool, now: Callable[[str], bool]) -> list[_Changes]:
    """Sets of signals to change so that the condition comes out as wanted, smallest first."""
    if isinstance(condition, Name):
        return [frozenset() if now(condition.name) == wanted
                else frozenset({(condition.name, wanted)})]
    if isinstance(condition, Not):
        return _ways(condition.operand, not wanted, now)
    if isinstance(condition, And) == wanted:  # all of the parts
        ways: list[_Changes] = [frozenset()]
        for part in condition.operands:
            more = _ways(part, wanted, now)
            ways = _smallest(way | other for way in ways for other in more)
        return ways
    return _smallest(way for part in condition.operands for way in _ways(part, wanted, now))


def _smallest(ways: Iterable[_Changes]) -> list[_Changes]:
    """The smallest few, none that asks for a signal both to hold and not to."""
    sound = {way for way in ways if len({name for name, _ in way}) == len(way)}
    return sorted(sound, key=lambda way: (len(way), sorted(way)))[:_NEEDS]
