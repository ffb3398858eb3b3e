"""Everything that `kbtriage rules test` tries, and what came of it."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.authoring import case_tests, cases, coverage, healthy, strict
from assistant.authoring.bench import suite
from assistant.authoring.coverage import Coverage
from assistant.authoring.healthy import Noise
from assistant.authoring.rule_tests import Result, run_suite
from assistant.authoring.strict import Strictness
from assistant.errors import UsageError
from assistant.rules.packs import Layer
from assistant.rules.types import MetricSignal, Rule


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be tried.

    Attributes:
        rules: ids or globs; empty: all.
        healthy: folder of healthy logs; None: none are looked at.
        strict: whether each rule is broken in one place at a time.
        coverage: whether to tell what no test shows.
    """

    rules: tuple[str, ...] = ()
    healthy: Path | None = None
    strict: bool = False
    coverage: bool = False

    def __call__(self, rule: Rule) -> bool:
        """Whether a rule is to be tested."""
        return not self.rules or any(fnmatch.fnmatch(rule.id, glob) for glob in self.rules)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it.

    Attributes:
        results: of tests and cases.
        jobs: healthy jobs looked at, None without; noise: what is blamed there.
        absences, bounds: rules among those that blame a healthy job which ask for something
            missing, and those which hold a metric against a number.
        strictness, coverage: where asked for.
    """

    results: tuple[Result, ...]
    jobs: int | None = None
    noise: tuple[Noise, ...] = ()
    absences: tuple[str, ...] = ()
    bounds: tuple[str, ...] = ()
    strictness: Strictness | None = None
    coverage: Coverage | None = None

    @property
    def failed(self) -> tuple[Result, ...]:
        """Results that are not `passed`."""
        return tuple(result for result in self.results if result.status != "passed")

    @property
    def wrong(self) -> bool:
        """Whether anything is wrong (what the tests do not show is no mistake)."""
        return bool(self.failed or self.noise
                    or (self.strictness is not None and self.strictness.survivors))


def run(paths: Sequence[str], layers: Sequence[Layer], wanted: Wanted) -> Outcome:
    """Run the tests of the rules under some paths (none: of all in force), and the cases.

    Raises:
        UsageError: a path does not exist or holds no rule, or there is nothing to run.
    """
    tested = suite(paths, layers=layers)
    results = run_suite(tested, wanted)
    if not wanted.rules:
        roots = list(paths) or [str(layer.root) for layer in layers]
        rules = {rule.id: rule for rule in tested.bench.ruleset.every()}
        for case in cases.load(roots):
            results += case_tests.run(case, tested.bench, rules)
    if not results:
        raise UsageError("no test was run: "
                         + (f"no rule is called {' or '.join(wanted.rules)}" if wanted.rules
                            else "the rules hold none"))
    noise: tuple[Noise, ...] = ()
    jobs = None
    own = {written.rule.id: written.rule for written in tested.written if wanted(written.rule)}
    if wanted.healthy is not None:
        jobs = len(healthy.jobs(wanted.healthy))
        noise = tuple(one for one in healthy.noise(tested.bench, wanted.healthy)
                      if one.rule in own)
    return Outcome(
        tuple(results), jobs, noise,
        tuple(dict.fromkeys(one.rule for one in noise if _asks_for_absence(own[one.rule]))),
        tuple(dict.fromkeys(one.rule for one in noise if _has_bound(own[one.rule]))),
        strict.check(tested, wanted) if wanted.strict else None,
        coverage.measure(tested, wanted) if wanted.coverage else None)


def _asks_for_absence(rule: Rule) -> bool:
    """Whether the condition holds because something is missing."""
    from assistant.diagnose.evaluate import positive_names
    from assistant.rules import condition

    return bool(set(condition.names(rule.when)) - set(positive_names(rule.when)))


def _has_bound(rule: Rule) -> bool:
    """Whether a metric is held against a number, which fits one kind of job only."""
    return any(isinstance(signal, MetricSignal)
               and (signal.above is not None or signal.below is not None)
               for signal in rule.signals.values())
