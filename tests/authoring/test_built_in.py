"""The rules that kbtriage brings pass their own linter and their own tests."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from assistant.authoring import healthy
from assistant.authoring.bench import suite
from assistant.authoring.lint import lint, text_of
from assistant.authoring.rule_tests import judge
from assistant.rules import packs
from tests import scoring


def test_nothing_is_wrong_with_them() -> None:
    layer = packs.built_in()
    linted = lint([str(layer.root)], layers=[layer])
    assert not linted.problems, text_of(linted)


@dataclass(frozen=True)
class Told:
    """What the rules in force say of the logs of one test: whether the rule under test was
    found as expected, and which rules give the same line as a cause."""

    test: str
    status: str
    details: tuple[str, ...]
    twice: tuple[tuple[str, str, str], ...]


@pytest.fixture(scope="module")
def told() -> list[Told]:
    """All tests inside rules, run once for what follows."""
    tested = suite(layers=[packs.built_in()])
    found = []
    for rule, test in ((written.rule, test) for written in tested.written
                       for test in written.rule.tests):
        job = tested.bench.job(tested.bench.evidence(test.logs))
        diagnosis = tested.bench.diagnosis(job, rule)
        status, details = judge(rule, test, diagnosis)
        found.append(Told(f"{test.position}: {rule.id}: {test.name}", status, tuple(details),
                          tuple(scoring.blamed_twice(diagnosis.findings))))
    return found


def test_their_tests_pass(told: list[Told]) -> None:
    failed = [f"{one.test}: {one.status}: " + "; ".join(one.details)
              for one in told if one.status != "passed"]
    assert len(told) > 100
    assert not failed, "\n".join(failed)


def test_no_two_of_them_give_the_same_line_as_a_cause(told: list[Told]) -> None:
    assert [(one.test, one.twice) for one in told if one.twice] == []


def test_they_blame_nothing_on_healthy_logs() -> None:
    folder = healthy.default_corpus()
    assert folder is not None
    bench = suite(layers=[packs.built_in()]).bench
    assert list(healthy.noise(bench, folder)) == []
