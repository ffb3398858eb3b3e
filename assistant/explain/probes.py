"""What the logs hold of one rule's expressions when less is asked of a line: the whole
expression without the keys beside it, and laxer forms of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from assistant.evidence.types import Evidence, Hit, PatternHits
from assistant.explain.relax import Relaxed, relaxed
from assistant.rules.ruleset import RuleSet
from assistant.rules.types import LogSignal, Rule

#: Scans the logs again for the patterns of a set of rules.
Scan = Callable[[RuleSet], Evidence]
#: Laxer forms of one signal that are sought at most.
_MOST = 160
_WHOLE = "whole"


@dataclass(frozen=True)
class Probes:
    """What the second look found.

    Attributes:
        forms: signal to its laxer forms, by the number in their keys.
        hits: file name to (key to hits).
        rule: id of the rule.
    """

    rule: str = ""
    forms: Mapping[str, tuple[Relaxed, ...]] = field(default_factory=dict)
    hits: Mapping[str, Mapping[str, PatternHits]] = field(default_factory=dict)

    def whole(self, signal: str, file: str) -> tuple[Hit, ...]:
        """Lines of a file that match the signal's expressions, whatever its other keys say."""
        return _kept(self.hits.get(file, {}).get(f"{self.rule}/{signal}.{_WHOLE}"))

    def near(self, signal: str, file: str) -> Iterator[tuple[Relaxed, Hit]]:
        """Lines of a file that match a laxer form and not the whole, the nearest form first."""
        found = self.hits.get(file, {})
        whole = {hit.line for hit in self.whole(signal, file)}
        for number, form in enumerate(self.forms.get(signal, ())):
            for hit in _kept(found.get(f"{self.rule}/{signal}.{number}")):
                if hit.line not in whole:
                    yield form, hit


def probe(rule: Rule, scan: Scan) -> Probes:
    """Look once more for the `log:` signals of a rule; without any nothing is read."""
    signals: dict[str, LogSignal] = {}
    forms: dict[str, tuple[Relaxed, ...]] = {}
    for name, signal in rule.signals.items():
        if isinstance(signal, LogSignal):
            forms[name] = _forms(signal)
            signals[f"{name}.{_WHOLE}"] = LogSignal(signal.patterns)
            for number, form in enumerate(forms[name]):
                signals[f"{name}.{number}"] = LogSignal((form.expression,))
    if not signals:
        return Probes()
    evidence = scan(RuleSet((dataclasses.replace(rule, signals=signals),), ()))
    return Probes(rule.id, forms, {file.name: file.hits for file in evidence.files})


def _forms(signal: LogSignal) -> tuple[Relaxed, ...]:
    found = [form for pattern in signal.patterns for form in relaxed(pattern)]
    unique = {form.expression: form for form in reversed(found)}
    return tuple(sorted(unique.values(), key=lambda form: (not form.rest, -form.weight))[:_MOST])


def _kept(found: PatternHits | None) -> tuple[Hit, ...]:
    if found is None:
        return ()
    kept = {hit.line: hit for hit in (*found.hits, *found.distinct)}
    return tuple(kept[line] for line in sorted(kept))
