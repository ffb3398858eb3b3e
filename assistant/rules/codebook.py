"""The rows of code catalogues as rules, built when they are asked for.

Hundreds of codes are known, and a job prints a handful: a check builds the rules of those
alone. Whoever wants all of them (lists, search, tests) asks for all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from assistant.rules.signals import CodeSignal
from assistant.rules.types import Rule


class CodeBook:
    """Rules by the error code that they look for.

    Args:
        codes: rule id to its code.
        build: gives the rules of some of these ids, by id; asked at most once for each.
    """

    def __init__(self, codes: Mapping[str, str] | None = None,
                 build: Callable[[Collection[str]], Mapping[str, Rule]] = lambda ids: {}) -> None:
        self.codes: Mapping[str, str] = dict(codes or {})
        self._build = build
        self._built: dict[str, Rule] = {}

    @classmethod
    def of(cls, rules: Iterable[Rule]) -> CodeBook:
        """A book of rules that are there already."""
        by_id = {rule.id: rule for rule in rules}
        codes = {rule.id: code for rule in by_id.values() for signal in rule.signals.values()
                 if isinstance(signal, CodeSignal) for code in signal.codes}
        return cls(codes, lambda ids: {name: by_id[name] for name in ids})

    def rules_for(self, codes: Collection[str]) -> tuple[Rule, ...]:
        """The rules that look for one of these codes, in the order of the book."""
        wanted = frozenset(codes)
        return self._rules([name for name, code in self.codes.items() if code in wanted])

    def all(self) -> tuple[Rule, ...]:
        """All rules, in the order of the book."""
        return self._rules([*self.codes])

    def without(self, rule_id: str) -> CodeBook:
        """The book without one of its rules."""
        return CodeBook({name: code for name, code in self.codes.items() if name != rule_id},
                        lambda ids: {rule.id: rule for rule in self._rules([*ids])})

    def _rules(self, ids: Collection[str]) -> tuple[Rule, ...]:
        missing = [name for name in ids if name not in self._built]
        if missing:
            self._built.update(self._build(missing))
        return tuple(self._built[name] for name in ids)

    def __len__(self) -> int:
        return len(self.codes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CodeBook) and self.all() == other.all()

    def __hash__(self) -> int:
        return hash(frozenset(self.codes.items()))
