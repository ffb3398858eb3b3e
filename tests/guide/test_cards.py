"""Commands on a card are filled with the finding's card, in every article and catalogue row."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: A number of a card that nothing fills: `N` or `DEVICE` as it stands.
BARE = re.compile(r"\b(?:npu-smi|hccn_tool)\b[^`;|\n]* -i (?:N|DEVICE)\b")


def test_no_step_names_a_card_that_nothing_fills() -> None:
    found = [f"{path.relative_to(ROOT)}: {match[0]}"
             for folder, pattern in (("kb", "*.md"), ("rules", "*.yaml"))
             for path in sorted((ROOT / folder).rglob(pattern))
             for match in BARE.finditer(path.read_text("utf-8"))]
    assert found == []
