"""The rules in force, all packs merged: what a scan has to look for, and what a diagnosis asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from assistant.rules.changes import Change
from assistant.rules.codebook import CodeBook
from assistant.rules.signals import LogSignal
from assistant.rules.types import Family, Landmark, PatternSpec, Problem, Rule


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The rules and landmarks in force, packs merged, and what was wrong with the rest.

    Attributes:
        rules: those that were written one by one. codes: the rows of code catalogues.
        families: families of error codes; those of later packs stand behind.
        site: variables of the site, for `{site.name}`.
        changes: rule id to what packs have done to it, in their order; a rule that is `off`
            stands here only.
        private: what is private at this site: name to expression.
        refused: roots of the packs whose pack.yaml keeps them out; their articles do not count
            either.
    """

    rules: tuple[Rule, ...]
    landmarks: tuple[Landmark, ...]
    problems: tuple[Problem, ...] = ()
    site: Mapping[str, str] = field(default_factory=dict)
    changes: Mapping[str, tuple[Change, ...]] = field(default_factory=dict)
    families: tuple[Family, ...] = ()
    codes: CodeBook = field(default_factory=CodeBook)
    private: Mapping[str, str] = field(default_factory=dict)
    refused: tuple[Path, ...] = ()

    @property
    def silenced(self) -> Mapping[str, Change]:
        """The silence in force for each rule that has one; such a rule is noted only (its
        severity here is `info`)."""
        return {rule_id: change for rule_id, changes in self.changes.items()
                for change in changes if change.how == "silenced"}

    def every(self) -> tuple[Rule, ...]:
        """All rules in force, the rows of catalogues behind the others."""
        return (*self.rules, *self.codes.all())

    def patterns(self) -> tuple[PatternSpec, ...]:
        """All expressions that a scan must look for, in a stable order. (A row of a catalogue
        has none: codes are found in whatever looks like an error.)"""
        specs = [PatternSpec(f"landmark/{mark.name}", expression)
                 for mark in self.landmarks for expression in mark.patterns]
        for rule in self.rules:
            for name, signal in rule.signals.items():
                if isinstance(signal, LogSignal):
                    specs += [PatternSpec(f"{rule.id}/{name}", expression, signal.levels,
                                          signal.components, signal.inside, signal.outside)
                              for expression in signal.patterns]
        return tuple(specs)
