"""A set of rules made ready to run many small logs through the whole engine."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.authoring.rule_files import read_rules
from assistant.diagnose.judge import Judged
from assistant.diagnose.types import Diagnosis
from assistant.evidence.types import Evidence
from assistant.job.types import Job
from assistant.patterns import Engine, default_cache_dir
from assistant.rules import load, packs
from assistant.rules.codebook import CodeBook
from assistant.rules.packs import Layer
from assistant.rules.reading import WrittenRule
from assistant.rules.ruleset import RuleSet
from assistant.rules.types import PatternSpec, Rule


class Bench:
    """Scans logs and diagnoses them with all rules of a set in force.

    Attributes:
        ruleset: the rules. engine, specs: what a scan looks for.
    """

    def __init__(self, ruleset: RuleSet, cache_dir: Path | None = None,
                 engine: str = "auto") -> None:
        from assistant.scan.compile import build_engine

        self.ruleset = ruleset
        self.specs: tuple[PatternSpec, ...] = ruleset.patterns()
        self.engine: Engine = build_engine(self.specs, cache_dir, engine)

    def evidence(self, logs: Mapping[str, str], engine: Engine | None = None) -> Evidence:
        """What logs, given as file name to content, yield (`engine`: seen by another one)."""
        return _scanned(logs, engine or self.engine, self.specs)

    def job(self, evidence: Evidence) -> Job:
        """The job of the evidence."""
        from assistant import job

        return job.build(evidence)

    def scan(self, logs: Mapping[str, str]) -> Callable[[RuleSet], Evidence]:
        """A second look at the logs, for other rules than those of the bench."""
        from assistant.scan.compile import build_engine

        def again(rules: RuleSet) -> Evidence:
            specs = rules.patterns()
            return _scanned(logs, build_engine(specs, None, "re2"), specs)

        return again

    def diagnosis(self, job: Job, under_test: Rule | None = None, *,
                  alone: bool = False) -> Diagnosis:
        """What the rules say of a job; arguments as for `judged`."""
        from assistant.diagnose.run import conclude

        return conclude(self.judged(job, under_test, alone=alone))

    def judged(self, job: Job, under_test: Rule | None = None, *,
               alone: bool = False) -> Judged:
        """What comes of asking the rules about a job.

        Args:
            under_test: stands in the place of the rule of the same id; if it is harmless,
                it is reported like another.
            alone: only the rule under test is in force.
        """
        from assistant.diagnose.judge import judge

        rules, codes = ((), CodeBook()) if alone else (self.ruleset.rules, self.ruleset.codes)
        if under_test is not None:
            shown = dataclasses.replace(under_test, harmless=False)
            rules = (*(rule for rule in rules if rule.id != shown.id), shown)
            codes = codes.without(shown.id) if shown.id in codes.codes else codes
        return judge(job, dataclasses.replace(self.ruleset, rules=rules, codes=codes))


def _scanned(logs: Mapping[str, str], engine: Engine, specs: Sequence[PatternSpec]) -> Evidence:
    from assistant.scan.scanner import scan_stream

    return Evidence(tuple(
        scan_stream(name, io.BytesIO(text.encode("utf-8", "surrogateescape")), engine, specs)
        for name, text in sorted(logs.items())))


@dataclass(frozen=True)
class Suite:
    """The rules to be tested, as written, and a bench on which they are in force."""

    written: tuple[WrittenRule, ...]
    bench: Bench


def suite(paths: Sequence[str] = (), *, layers: Sequence[Layer] | None = None,
          cache_dir: Path | None = None) -> Suite:
    """The rules under some paths (none: all in force), made ready.

    Args:
        layers: the packs in force (None: as `check` finds them); rules under `paths`
            stand above them.
        cache_dir: where compiled patterns are kept; None: in the user's cache folder.

    Raises:
        UsageError: a path does not exist or holds no rule file.
    """
    found = packs.layers() if layers is None else list(layers)
    roots = list(paths) or [layer.origin or str(layer.root) for layer in found if layer.files()]
    written = read_rules(roots)
    in_force = load(found)
    merged = {rule.id: rule for rule in in_force.every()}
    merged.update((rule.rule.id, rule.rule) for rule in written)
    ruleset = dataclasses.replace(
        in_force, rules=tuple(rule for rule in merged.values() if rule.usually is None),
        codes=CodeBook.of(rule for rule in merged.values() if rule.usually is not None))
    return Suite(tuple(written), Bench(ruleset, cache_dir or default_cache_dir()))
