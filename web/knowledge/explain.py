"""A rule in plain words: each of its signals as a sentence, its condition, its tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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
    Or,
    Quantifier,
    ReachedSignal,
    Signal,
    StateSignal,
)
from web.words import PageWords


@dataclass(frozen=True, slots=True)
class Explained:
    """A signal: its name, a sentence, and the expressions of which one must match."""

    name: str
    text: str
    patterns: tuple[str, ...] = ()


def explain(name: str, signal: Signal, words: PageWords) -> Explained:
    """A signal in plain words."""
    patterns: tuple[str, ...] = ()
    if isinstance(signal, LogSignal):
        parts, patterns = list(_log(signal, words)), signal.patterns
    elif isinstance(signal, EventSignal):
        parts = list(_event(signal, words))
    elif isinstance(signal, CodeSignal):
        parts = [words("signal.code", codes=", ".join(signal.codes))]
    elif isinstance(signal, ErrorSignal):
        parts = list(_error(signal, words))
    elif isinstance(signal, MetricSignal):
        parts = list(_metric(signal, words))
    elif isinstance(signal, StateSignal):
        parts = list(_state(signal, words))
    elif isinstance(signal, ReachedSignal):
        parts = [words("signal.reached", phase=words(f"phase.{signal.phase}"))]
        if signal.from_start:
            parts.append(words("signal.reached-start"))
    elif isinstance(signal, LandmarkSignal):
        parts = [words("signal.landmark", name=signal.name)]
    elif isinstance(signal, FileSignal):
        parts = [words("signal.file", condition=signal.condition)]
    elif isinstance(signal, FactSignal):
        parts = list(_fact(signal, words))
    elif isinstance(signal, ConfigSignal):
        named = FactSignal(" | ".join(signal.keys), signal.is_, signal.above, signal.below,
                           signal.differs_from)
        parts = list(_fact(named, words))
    else:  # a kind of signal that a later version knows
        parts = [type(signal).__name__]
    quantifier = getattr(signal, "quantifier", None)
    if isinstance(quantifier, Quantifier):
        parts.append(_ranks(quantifier, words))
    return Explained(name, words.comma.join(part for part in parts if part), patterns)


def condition(wanted: Condition, words: PageWords) -> str:
    """A condition with the names of signals in it."""
    return _condition(wanted, words, top=True)


def _condition(wanted: Condition, words: PageWords, top: bool = False) -> str:
    if isinstance(wanted, Name):
        return wanted.name
    if isinstance(wanted, Not):
        return f"{words('condition.not')} {_condition(wanted.operand, words)}"
    joint = words("condition.and" if isinstance(wanted, And) else "condition.or")
    operands: And | Or = wanted
    text = f" {joint} ".join(_condition(part, words) for part in operands.operands)
    return text if top else f"({text})"


def _log(signal: LogSignal, words: PageWords) -> Iterator[str]:
    if signal.roles:
        where = f" {words('signal.or')} ".join(words(f"signal.role.{r}") for r in signal.roles)
        yield words("signal.log-of", where=where)
    else:
        yield words("signal.log")
    if signal.levels:
        yield words("signal.level", levels="/".join(signal.levels))
    if signal.components:
        yield words("signal.component", components="/".join(signal.components))
    for key, kinds in (("inside", signal.inside), ("outside", signal.outside)):
        if kinds:
            yield words(f"signal.{key}", kinds=f" {words('signal.or')} ".join(kinds))
    yield from _often_and_when(signal, words)


def _event(signal: EventSignal, words: PageWords) -> Iterator[str]:
    yield (words("signal.exception") if signal.kind == "traceback"
           else words("signal.block", kind=signal.kind))
    for key in ("title", "message", "text", "frame"):
        pattern = getattr(signal, key)
        if pattern not in (None, ".*"):
            yield words(f"signal.{key}", pattern=pattern)
    if signal.where:
        yield words(f"signal.where-{signal.where}")
    if signal.codes:
        yield words("signal.codes", codes=", ".join(signal.codes))
    yield from _often_and_when(signal, words)


def _often_and_when(signal: LogSignal | EventSignal, words: PageWords) -> Iterator[str]:
    if signal.at_least > 1:
        yield words("signal.at-least", n=signal.at_least)
    for key in ("before", "after"):
        other = getattr(signal, key)
        if other:
            yield words(f"signal.{key}", other=other)
    if signal.within is not None:
        yield words("signal.within", seconds=f"{signal.within:g}")


def _error(signal: ErrorSignal, words: PageWords) -> Iterator[str]:
    yield words("signal.error")
    if signal.text:
        yield words("signal.matching", pattern=signal.text)
    if signal.components:
        yield words("signal.component", components="/".join(signal.components))
    if signal.levels:
        yield words("signal.level", levels="/".join(signal.levels))
    if signal.codes:
        yield words("signal.codes", codes=", ".join(signal.codes))


def _metric(signal: MetricSignal, words: PageWords) -> Iterator[str]:
    name = "/".join(signal.metric)
    if signal.test:
        yield words("signal.metric-is", metric=name, test=signal.test)
    for key in ("above", "below"):
        number = getattr(signal, key)
        if number is not None:
            yield words(f"signal.metric-{key}", metric=name, number=f"{number:g}")
    if signal.spike is not None:
        yield words("signal.metric-spike", metric=name, window=signal.spike.window,
                    deviations=f"{signal.spike.deviations:g}")
    if signal.slower_than:
        yield words(f"signal.metric-slower-{signal.slower_than}", metric=name,
                    by=f"{signal.by:g}")
    if signal.unlike:
        yield words("signal.metric-unlike", metric=name, by=f"{signal.by:g}")
    if signal.steps > 1:
        yield words("signal.metric-for", n=signal.steps)
    if signal.skip_first:
        yield words("signal.metric-skip", n=signal.skip_first)


def _state(signal: StateSignal, words: PageWords) -> Iterator[str]:
    states = f" {words('signal.or')} ".join(words(f"state.{state}") for state in signal.states)
    yield words("signal.state", states=states) if states else words("signal.state-any")
    if signal.behind:
        yield words(f"signal.behind-{signal.behind}")
    if signal.without:
        yield words("signal.without-error")
    if signal.exit_codes:
        yield words("signal.exit", codes=", ".join(map(str, signal.exit_codes)))
    if signal.named_by:
        yield words("signal.named-by", who=words(f"signal.who.{signal.named_by}"))


def _fact(signal: FactSignal, words: PageWords) -> Iterator[str]:
    if signal.is_ is not None:
        yield words("signal.fact-is", name=signal.name, value=signal.is_)
    for key in ("above", "below"):
        value = getattr(signal, key)
        if value is not None:
            yield words(f"signal.fact-{key}", name=signal.name, value=f"{value:g}")
    if signal.differs_from:
        yield words("signal.fact-differs", name=signal.name, other=signal.differs_from)


def _ranks(quantifier: Quantifier, words: PageWords) -> str:
    if quantifier.kind == "count":
        return words("signal.ranks.count", n=int(quantifier.value))
    if quantifier.kind == "share":
        return words("signal.ranks.share", percent=f"{100 * quantifier.value:g}")
    return words(f"signal.ranks.{quantifier.kind}")
