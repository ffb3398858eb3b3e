"""The rules that kbtriage brings pass their own linter and their own tests."""

from __future__ import annotations

import pytest

from assistant.authoring import healthy
from assistant.authoring.bench import suite
from assistant.authoring.lint import lint, text_of
from assistant.authoring.rule_tests import Result, run_tests
from assistant.rules import packs


def test_nothing_is_wrong_with_them() -> None:
    layer = packs.built_in()
    linted = lint([str(layer.root)], layers=[layer])
    assert not linted.problems, text_of(linted)


@pytest.fixture(scope="module")
def results() -> list[Result]:
    return run_tests(layers=[packs.built_in()])


def test_their_tests_pass(results: list[Result]) -> None:
    failed = [f"{result.position}: {result.status}: {result.rule}: {result.test}: "
              + "; ".join(result.details) for result in results if result.status != "passed"]
    assert len(results) > 100
    assert not failed, "\n".join(failed)


def test_they_blame_nothing_on_healthy_logs() -> None:
    folder = healthy.default_corpus()
    assert folder is not None
    bench = suite(layers=[packs.built_in()]).bench
    assert list(healthy.noise(bench, folder)) == []
