"""The rules that the documentation shows are rules: each passes the linter and its own tests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assistant.authoring.bench import Suite, suite
from assistant.authoring.lint import lint, text_of
from assistant.authoring.rule_tests import run_suite
from assistant.rules.packs import built_in

DOCS = Path(__file__).parent.parent.parent / "docs"
BLOCKS = [text for text in re.findall(
    r"^```yaml\n(.*?)^```$", (DOCS / "cookbook.md").read_text("utf-8"), re.M | re.S)
    if text.startswith("id: ")]
IDS = [text.split("\n")[0][4:] for text in BLOCKS]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rules = tmp_path_factory.mktemp("docs") / "rules"
    rules.mkdir()
    for name, text in zip(IDS, BLOCKS, strict=True):
        (rules / f"{name}.yaml").write_text(text, "utf-8")
    return rules


@pytest.fixture(scope="module")
def tested(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return suite([str(folder)], layers=[built_in()], cache_dir=tmp_path_factory.mktemp("cache"))


def test_there_are_twenty_one_kinds() -> None:
    assert len(set(IDS)) == 21


def test_nothing_is_wrong_with_them(folder: Path) -> None:
    linted = lint([str(folder)], layers=[built_in()])
    assert not linted.problems, text_of(linted)
    assert len(linted.rules) == len(IDS)


@pytest.mark.parametrize("name", IDS)
def test_their_tests_pass(tested: Suite, name: str) -> None:
    results = run_suite(tested, lambda rule: rule.id == name)
    assert len(results) >= 2
    assert [result for result in results if result.status != "passed"] == []
