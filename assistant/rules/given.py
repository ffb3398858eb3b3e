"""Which placeholders a finding gives, by its rule; see "Placeholders" in docs/rules.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assistant.rules.expressions import groups
from assistant.rules.types import (
    And,
    CodeSignal,
    Condition,
    ConfigSignal,
    ErrorSignal,
    EventSignal,
    FactSignal,
    FileSignal,
    LogSignal,
    MetricSignal,
    Name,
    Not,
    ReachedSignal,
    Rule,
    Signal,
    StateSignal,
)

#: What every finding gives, whatever its signals. Some of it may be unknown to the logs.
ALWAYS = ("rank", "ranks", "rank_file", "node", "login", "file", "line", "top", "time", "pid",
          "log_dir", "input_dir", "plog_dir", "local_rank", "device", "world_size", "total_steps",
          "master_addr", "master_port")
#: What a signal gives besides its captures: always, and only at times.
_GIVEN: Mapping[type, tuple[tuple[str, ...], tuple[str, ...]]] = {
    EventSignal: (("type", "message"), ("code", "frame_file", "frame_line", "frame_function")),
    ErrorSignal: (("line_text",), ("code",)),
    CodeSignal: (("code",), ("message", "line_text")),
    MetricSignal: (("step", "metric"), ("value", "median")),
    StateSignal: (("state",), ("phase", "last_step", "exit_code")),
    ReachedSignal: (("state", "phase"), ("last_step", "exit_code")),
    FileSignal: ((), ("path", "why")),
    FactSignal: (("value",), ()),
    ConfigSignal: (("value", "key"), ()),
}
#: What `group_by` can name besides captures; a shape is a text without its numbers and paths.
GROUPING = frozenset(("type", "code", "message", "message_shape", "line_shape", "path", "why"))


def given_by_rule(rule: Rule) -> frozenset[str]:
    """Every placeholder that a finding of the rule can fill."""
    own = (f"{name}.ranks" for name in rule.signals)
    return frozenset(ALWAYS).union(own, *map(given, rule.signals.values()))


def sure_of_rule(rule: Rule) -> frozenset[str]:
    """The placeholders that are filled whenever the rule holds (of ALWAYS: as far as known)."""
    by_signal = {name: sure(signal) for name, signal in rule.signals.items()}
    return sure_of(rule.when, by_signal) | frozenset(ALWAYS)


def given(signal: Signal) -> frozenset[str]:
    """Every placeholder that a signal can give."""
    always, at_times = _GIVEN.get(type(signal), ((), ()))
    return frozenset((*always, *at_times, *_facts(signal))).union(
        *map(_names, (*_alternatives(signal), *_required(signal))))


def sure(signal: Signal) -> frozenset[str]:
    """What it gives whenever it holds; of a list of expressions, what each of them captures."""
    always, at_times = _GIVEN.get(type(signal), ((), ()))
    alternatives = [_names(text) for text in _alternatives(signal)]
    names = frozenset((*always, *_facts(signal))).union(*map(_names, _required(signal)))
    if alternatives:
        names |= frozenset.intersection(*alternatives)
    if isinstance(signal, (EventSignal, ErrorSignal)) and signal.codes:
        names |= {"code"}
    if isinstance(signal, EventSignal) and (signal.frame or signal.where):
        names |= {name for name in at_times if name.startswith("frame_")}
    if isinstance(signal, FileSignal) and signal.condition != "missing":
        names |= {"path"}
    return names


def sure_of(condition: Condition, signals: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """What is given whenever the condition holds; `signals` is what each is sure to give."""
    if isinstance(condition, Name):
        return signals.get(condition.name, frozenset())
    if isinstance(condition, Not):
        return frozenset()
    parts = [sure_of(operand, signals) for operand in condition.operands]
    if isinstance(condition, And):
        return frozenset().union(*parts)
    return frozenset.intersection(*parts)


def _names(expression: str) -> frozenset[str]:
    return frozenset(name for name, _ in groups(expression))


def _alternatives(signal: Signal) -> tuple[str, ...]:
    """Expressions of which one must match."""
    return signal.patterns if isinstance(signal, LogSignal) else ()


def _required(signal: Signal) -> Iterable[str]:
    """Expressions that must all match."""
    if isinstance(signal, EventSignal):
        return filter(None, (signal.title, signal.message, signal.text, signal.frame))
    return filter(None, (signal.text,)) if isinstance(signal, ErrorSignal) else ()


def _facts(signal: Signal) -> Iterable[str]:
    """The facts that a signal speaks of; each is a placeholder."""
    if isinstance(signal, FactSignal):
        return filter(None, (signal.name, signal.differs_from))
    return filter(None, (signal.differs_from,)) if isinstance(signal, ConfigSignal) else ()
