"""The table of guards is true to the code (that each is missed: `make guards`)."""

from __future__ import annotations

import ast

import pytest

from tests.guards import ROOT, Guard, guards


@pytest.mark.parametrize("guard", guards(), ids=lambda guard: guard.item)
def test_the_guard_stands_there_once_and_its_test_is_there(guard: Guard) -> None:
    text = (ROOT / guard.file).read_text("utf-8")
    assert text.count(guard.before) == 1
    ast.parse(text.replace(guard.before, guard.after))
    file, _, name = guard.test.partition("::")
    assert not name or f"def {name}(" in (ROOT / file).read_text("utf-8")


def test_each_is_told_in_the_docs() -> None:
    told = (ROOT / "docs" / "trust.md").read_text("utf-8")
    missing = [row for guard in guards()
               if (row := f"| {guard.item} | `{guard.file}` | `{guard.test}` |") not in told]
    assert missing == []
    assert told.count("` | `tests/") == len(guards())
    assert f"共 {len(guards())} 道" in (ROOT / "docs" / "trust.zh.md").read_text("utf-8")
