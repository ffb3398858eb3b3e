"""docs/coverage.yaml names rules that exist, and each entry once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from assistant.rules import load, packs

DOCS = Path(__file__).parent.parent / "docs"


@pytest.fixture(scope="module")
def tables() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((DOCS / "coverage.yaml").read_text("utf-8"))
    return loaded


def test_every_rule_that_covers_something_exists(tables: dict[str, Any]) -> None:
    known = {rule.id for rule in load([packs.built_in()]).every()}
    named = {rule for table in tables.values() for rules in table["covered"].values()
             for rule in rules}
    assert len(named) > 300
    assert not named - known


def test_each_entry_is_covered_left_out_or_open(tables: dict[str, Any]) -> None:
    for table in tables.values():
        ids = [*table["covered"], *table["left_out"], *table["open"]]
        assert len(ids) == len(set(ids))
        assert all(rules for rules in table["covered"].values())
        assert all(reason.endswith(".") for reason in table["left_out"].values())


def test_the_readable_page_is_of_the_same_run(tables: dict[str, Any]) -> None:
    page = (DOCS / "coverage.md").read_text("utf-8")
    for name, table in tables.items():
        sizes = [len(table[key]) for key in ("covered", "left_out", "open")]
        assert f"| {name} | {sum(sizes)} | {sizes[0]} | {sizes[1]} | {sizes[2]} |" in page
