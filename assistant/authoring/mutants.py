"""Rules broken in one place each: what the tests inside a rule must notice.

A rule is broken by an expression or a code that cannot match any more, by a signal that
never holds or that its condition no longer asks for, by a condition turned into its
opposite, and by a named group that captures nothing. A change after which the rule holds on
the same jobs is left out: no test could notice it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from assistant.patterns import Engine
from assistant.rules import condition
from assistant.rules.expressions import groups
from assistant.rules.reading import WrittenRule
from assistant.rules.types import (
    And,
    CodeSignal,
    Condition,
    ErrorSignal,
    EventSignal,
    LogSignal,
    Name,
    Not,
    Or,
    Position,
    Quantifier,
    Rule,
    Signal,
)
from assistant.scan.compile import TRIGGERS

#: An expression that matches nothing, and a code that nobody prints.
_NEVER = r"a\ba"
_NO_CODE = "none"
_TRUE, _FALSE = And(()), Or(())
_TEXTS = ("title", "message", "text", "frame")
#: The tests that would notice.
_SHOW = "add a log with such a line to a test, and expect it: `expect: {line: [FILE:N]}`"
_CAPTURE = "expect its value in a test: `expect: {captures: {%s: ...}}`"
_ONLY = "add a test that holds by this signal only"
_LACKS = "add a test with `expect: none` whose logs lack this signal and hold all others"


@dataclass(frozen=True)
class Mutant:
    """A rule broken in one place.

    Attributes:
        rule: the broken rule. change: what was done to it. position: where.
        expression: (signal, number) of the expression of the log that cannot match.
        lost: (signal, group) of the named group that captures nothing, in a log signal.
        looser: it holds more often than the rule, not less.
        cure: a test that would notice.
    """

    rule: Rule
    change: str
    position: Position
    expression: tuple[str, int] | None = None
    lost: tuple[str, str] | None = None
    looser: bool = False
    cure: str = ""

    @property
    def rescans(self) -> bool:
        """Whether the logs must be scanned anew, since other lines match."""
        return self.expression is not None or self.lost is not None


def mutants(written: WrittenRule) -> Iterator[Mutant]:
    """All that a rule is broken into, in the order of its file."""
    rule = written.rule
    for name, signal in rule.signals.items():
        if isinstance(signal, LogSignal):
            yield from _of_log(written, name, signal)
        elif isinstance(signal, EventSignal):
            yield from _of_event(written, name, signal)
        elif isinstance(signal, CodeSignal):
            yield from _of_codes(written, name, signal)
        elif isinstance(signal, ErrorSignal) and signal.text is not None:
            yield _with(written, name, replace(signal, text=_NEVER),
                        "its expression matches nothing", "error")
    yield from _of_condition(written)


def _of_log(written: WrittenRule, name: str, signal: LogSignal) -> Iterator[Mutant]:
    several = isinstance(written.value["signals"][name]["log"], list)
    for number, expression in enumerate(signal.patterns):
        place = ("log", number) if several else ("log",)
        yield Mutant(written.rule, f"signal {name}: {_short(expression)} matches nothing",
                     written.at("signals", name, *place), expression=(name, number), cure=_SHOW)
    named = {group: number for number, expression in reversed([*enumerate(signal.patterns)])
             for group, _ in groups(expression)}
    for group, number in named.items():
        place = ("log", number) if several else ("log",)
        yield Mutant(written.rule, f"signal {name}: the group `{group}` captures nothing",
                     written.at("signals", name, *place), lost=(name, group),
                     cure=_CAPTURE % group)


def _of_event(written: WrittenRule, name: str, signal: EventSignal) -> Iterator[Mutant]:
    for key in _TEXTS:
        expression = getattr(signal, key)
        if expression is None or expression == ".*":
            continue
        told = "exception" if key == "title" and signal.kind == "traceback" else key
        yield _with(written, name, _changed(signal, key, _NEVER),
                    f"{_short(expression)} matches nothing", told)
        for group, _ in groups(expression):
            lost = re.sub(rf"\(\?P?<{re.escape(group)}>", "(?:", expression)
            yield _with(written, name, _changed(signal, key, lost),
                        f"the group `{group}` captures nothing", told, _CAPTURE % group)
    if signal.codes:
        yield from _of_codes(written, name, signal)


def _of_codes(written: WrittenRule, name: str,
              signal: CodeSignal | EventSignal) -> Iterator[Mutant]:
    for number, code in enumerate(signal.codes):
        codes = tuple(_NO_CODE if n == number else other
                      for n, other in enumerate(signal.codes))
        yield _with(written, name, replace(signal, codes=codes), f"{code} is not looked for",
                    "code")


def _of_condition(written: WrittenRule) -> Iterator[Mutant]:
    rule = written.rule
    place = written.at("when")
    for name in condition.names(rule.when):
        dropped = without(rule.when, name)
        if dropped is not None and not _implied(rule, name):
            yield Mutant(replace(rule, when=dropped),
                         f"the condition does not ask for {name}", place, looser=True, cure=_LACKS)
        if not isinstance(rule.signals[name], (LogSignal, EventSignal, CodeSignal)):
            yield Mutant(replace(rule, when=_put(rule.when, {name: _FALSE})),
                         f"the signal {name} never holds", place, cure=_ONLY)
    yield Mutant(replace(rule, when=Not(rule.when)), "the condition says the opposite", place,
                 cure="add a test in which the rule is found, and one with `expect: none`")


def _implied(rule: Rule, name: str) -> bool:
    """Whether a signal holds on every job on which the condition holds without it.

    So it is where `and` also asks for a line that comes before or after one of this signal:
    there is none where this signal has found nothing. It must hold wherever it has found
    anything, and the job must be asked as a whole: the line of one rank may follow that of
    another.
    """
    signal = rule.signals[name]
    if rule.each != "job" or not isinstance(signal, (LogSignal, EventSignal)):
        return False
    placed = signal.before is not None or signal.after is not None
    if placed or signal.quantifier != Quantifier():
        return False
    return any(Name(name) in part and any(
        isinstance(other, Name) and name in _neighbours(rule.signals[other.name])
        for other in part) for part in _conjunctions(rule.when))


def _neighbours(signal: Signal) -> tuple[str | None, ...]:
    """The signals before or after which a line must stand."""
    return ((signal.before, signal.after) if isinstance(signal, (LogSignal, EventSignal))
            else ())


def _conjunctions(wanted: Condition) -> Iterator[tuple[Condition, ...]]:
    if isinstance(wanted, And):
        yield wanted.operands
    if isinstance(wanted, Not):
        yield from _conjunctions(wanted.operand)
    elif not isinstance(wanted, Name):
        for part in wanted.operands:
            yield from _conjunctions(part)


def without(wanted: Condition, name: str) -> Condition | None:
    """The condition where `and` no longer asks for a signal; None if none does."""
    changed = _without(wanted, name)
    return None if changed == wanted else changed


def _without(wanted: Condition, name: str) -> Condition:
    if isinstance(wanted, And):
        return And(tuple(_TRUE if part in (Name(name), Not(Name(name))) else _without(part, name)
                         for part in wanted.operands))
    if isinstance(wanted, Or):
        return Or(tuple(_without(part, name) for part in wanted.operands))
    return Not(_without(wanted.operand, name)) if isinstance(wanted, Not) else wanted


def _put(wanted: Condition, values: Mapping[str, Condition]) -> Condition:
    """The condition with other ones in the place of names."""
    if isinstance(wanted, Name):
        return values.get(wanted.name, wanted)
    if isinstance(wanted, Not):
        return Not(_put(wanted.operand, values))
    return type(wanted)(tuple(_put(part, values) for part in wanted.operands))


def _with(written: WrittenRule, name: str, signal: Signal, change: str, key: str,
          cure: str = _SHOW) -> Mutant:
    rule = written.rule
    return Mutant(replace(rule, signals={**rule.signals, name: signal}),
                  f"signal {name}: {change}", written.at("signals", name, key), cure=cure)


def _changed(signal: EventSignal, key: str, expression: str) -> EventSignal:
    values: dict[str, Any] = {key: expression}
    return replace(signal, **values)


def _short(expression: str) -> str:
    return f"`{expression if len(expression) <= 60 else expression[:57] + '...'}`"


class BrokenEngine(Engine):
    """An engine as a mutant sees it: one expression finds nothing, or a group nothing.

    Args:
        engine: the sound one, which does the work.
        never: indexes of expressions that match nothing.
        lost: index to the named group that captures nothing.
    """

    def __init__(self, engine: Engine, never: frozenset[int], lost: Mapping[int, str]) -> None:
        self.name = engine.name
        self.notice = engine.notice
        self._engine = engine
        self._never = never
        self._lost = lost
        self._members = tuple(tuple(index for index in group if index not in never)
                              for group in engine.members)

    @property
    def expressions(self) -> tuple[str, ...]:
        """See Engine."""
        return self._engine.expressions

    @property
    def members(self) -> tuple[tuple[int, ...], ...]:
        """See Engine."""
        return self._members

    def lines(self, block: bytes) -> list[tuple[int, int]]:
        """See Engine."""
        return [found for found in self._engine.lines(block) if self._members[found[1]]]

    def match(self, index: int, line: bytes) -> dict[str, str] | None:
        """See Engine."""
        if index in self._never:
            return None
        found = self._engine.match(index, line)
        if found is not None and index in self._lost:
            found.pop(self._lost[index], None)
        return found

    def span(self, index: int, line: bytes) -> tuple[int, int] | None:
        """See Engine."""
        return None if index in self._never else self._engine.span(index, line)


def broken_engine(engine: Engine, mutant: Mutant, keys: Mapping[str, list[int]]) -> Engine:
    """The engine as the mutant sees it; `keys`: a pattern's key to the numbers of its specs."""
    never: frozenset[int] = frozenset()
    lost: dict[int, str] = {}
    if mutant.expression is not None:
        name, number = mutant.expression
        never = frozenset([len(TRIGGERS) + keys[f"{mutant.rule.id}/{name}"][number]])
    if mutant.lost is not None:
        name, group = mutant.lost
        lost = {len(TRIGGERS) + spec: group for spec in keys[f"{mutant.rule.id}/{name}"]}
    return BrokenEngine(engine, never, lost)
