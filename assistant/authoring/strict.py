"""Do the tests inside rules bite? Every rule is broken in one place at a time, and its own
tests must notice; a broken rule that passes them all has survived."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from assistant.authoring.bench import Bench, Suite
from assistant.authoring.mutants import Mutant, broken_engine, mutants
from assistant.authoring.rule_tests import judge
from assistant.evidence.types import Evidence
from assistant.job.types import Job
from assistant.rules.types import Position, Rule, RuleTest


@dataclass(frozen=True, slots=True)
class Survivor:
    """A change to a rule that its tests do not notice: what was changed, where, and what test
    would notice."""

    rule: str
    position: Position
    change: str
    cure: str = ""


@dataclass(frozen=True, slots=True)
class Strictness:
    """What came out.

    Attributes:
        tried: how many broken rules there were.
        survivors: those that passed all tests, in the order of the files.
        skipped: rules whose tests do not pass as they are.
    """

    tried: int
    survivors: tuple[Survivor, ...]
    skipped: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Case:
    """A test with its logs scanned."""

    test: RuleTest
    evidence: Evidence
    job: Job


def check(tested: Suite, wanted: Callable[[Rule], bool] = lambda rule: True) -> Strictness:
    """Breaks the wanted rules of a suite and runs their tests."""
    bench = tested.bench
    keys: dict[str, list[int]] = defaultdict(list)
    for number, spec in enumerate(bench.specs):
        keys[spec.key].append(number)
    tried = 0
    survivors: list[Survivor] = []
    skipped: list[str] = []
    for written in tested.written:
        if not wanted(written.rule):
            continue
        cases = [_case(bench, test) for test in written.rule.tests]
        # A row of a catalogue gives way to rules that know the line: it is tried by itself.
        alone = written.rule.usually is not None
        if not all(_passes(bench, written.rule, case, alone) for case in cases):
            skipped.append(written.rule.id)
            continue
        for mutant in mutants(written):
            tried += 1
            if _survives(bench, mutant, cases, alone, keys):
                survivors.append(Survivor(written.rule.id, mutant.position, mutant.change,
                                          mutant.cure))
    return Strictness(tried, tuple(survivors), tuple(skipped))


def _case(bench: Bench, test: RuleTest) -> _Case:
    evidence = bench.evidence(test.logs)
    return _Case(test, evidence, bench.job(evidence))


def _survives(bench: Bench, mutant: Mutant, cases: list[_Case], alone: bool,
              keys: Mapping[str, list[int]]) -> bool:
    engine = broken_engine(bench.engine, mutant, keys) if mutant.rescans else None
    # First the tests that will most likely notice.
    for case in sorted(cases, key=lambda case: (case.test.expect is None) != mutant.looser):
        if engine is not None:
            evidence = bench.evidence(case.test.logs, engine)
            case = _Case(case.test, evidence, bench.job(evidence))
        if not _passes(bench, mutant.rule, case, alone):
            return False
    return True


def _passes(bench: Bench, rule: Rule, case: _Case, alone: bool) -> bool:
    diagnosis = bench.diagnosis(case.job, rule, alone=alone)
    return judge(rule, case.test, diagnosis)[0] == "passed"
