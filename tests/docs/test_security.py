"""Each threat names a test that is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
TEXT = (ROOT / "SECURITY.md").read_text("utf-8")
ROWS = [line.strip("| ").split(" | ") for line in TEXT.splitlines()
        if line.startswith("| ") and "`tests/" in line]


def test_every_threat_has_a_guard_and_a_test() -> None:
    for section in TEXT.split("\n## "):
        if section.startswith("Threats"):
            rows = [line for line in section.splitlines()
                    if line.startswith("| ") and not line.startswith("| threat")]
            assert rows
            assert all(len(row.strip("| ").split(" | ")) == 3 and "`tests/" in row for row in rows)


@pytest.mark.parametrize("named", sorted({name for row in ROWS for name in
                                          re.findall(r"`(tests/[^`]+)`", row[-1])}))
def test_the_test_is_there(named: str) -> None:
    file, _, name = named.partition("::")
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    tests = {node.name for node in ast.walk(tree)
             if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}
    assert name in tests if name else tests
