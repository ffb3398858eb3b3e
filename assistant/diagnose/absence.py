"""What a finding of absence misses: lines that were due, and are not there."""

from __future__ import annotations

import re
from collections.abc import Mapping

from assistant.diagnose.evaluate import positive_names
from assistant.diagnose.holding import Holding
from assistant.rules.types import (
    ConfigSignal,
    FactSignal,
    FileSignal,
    LandmarkSignal,
    LogSignal,
    Not,
    ReachedSignal,
    Rule,
)

#: Signals that by themselves show no symptom: a line that is due after them is missed.
_DUE = (ReachedSignal, LandmarkSignal, FactSignal, FileSignal, ConfigSignal)
_ESCAPE = re.compile(r"\\([^\w\s])")


def missing(rule: Rule, holdings: Mapping[str, Holding]) -> tuple[str, ...]:
    """The expressions, as a person reads them, of the lines whose absence makes the finding.

    Empty where a line, an event or a value shows the symptom: what such a rule excludes
    besides is no news.
    """
    held = [name for name in positive_names(rule.when) if holdings[name].true]
    if not held or not all(isinstance(rule.signals[name], _DUE) for name in held):
        return ()
    found: dict[str, None] = {}
    for name in positive_names(Not(rule.when)):
        signal = rule.signals[name]
        if isinstance(signal, LogSignal):
            found[_ESCAPE.sub(r"\1", signal.patterns[0])] = None
        elif isinstance(signal, LandmarkSignal):
            found[signal.name] = None
    return tuple(found)
