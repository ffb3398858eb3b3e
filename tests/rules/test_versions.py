"""Version ranges."""

from __future__ import annotations

import pytest

from assistant.rules.versions import fits


@pytest.mark.parametrize(("version", "wanted", "expected"), [
    ("2.4.0", ">=2.4", True), ("2.4", ">=2.4.0", True), ("2.3.9", ">=2.4", False),
    ("2.10.0", ">2.9", True), ("3.0", ">=2.4,<3", False), ("2.7.1", ">=2.4, <3", True),
    ("2.4.0rc1", ">=2.4", False), ("2.4.0rc1", ">=2.4.0rc1", True), ("8.0", "!=8.0", False),
    ("8.1.RC1", "==8.1.rc1", True), ("0.1.0", "<=0.1", True),
])
def test_ranges(version: str, wanted: str, expected: bool) -> None:
    assert fits(version, wanted) is expected


def test_a_range_that_is_none() -> None:
    with pytest.raises(ValueError, match="range"):
        fits("1", "newest")
