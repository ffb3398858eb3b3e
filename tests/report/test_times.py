from __future__ import annotations

import pytest

from assistant.report.times import iso


@pytest.mark.parametrize(("time", "text"), [
    (None, None), (0.0, "1970-01-01T00:00:00.000"), (1796027353.793, "2026-11-30T08:29:13.793"),
    (1e30, None), (float("nan"), None), (float("inf"), None)])
def test_iso(time: float | None, text: str | None) -> None:
    assert iso(time) == text
