"""Who is asked first."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.diagnose.tiers import LAST_TIER, tier_of
from tests.diagnose.support import rule

CODE = {"signals": {"x": {"code": "EI0006"}}, "fallback": True}


@pytest.mark.parametrize(("values", "tier"), [
    ({}, 0),
    ({"signals": {"x": {"code": "EI0006"}}}, 0),
    ({**CODE}, 1),
    ({**CODE, "usually": "cause"}, 1),
    ({**CODE, "usually": "consequence"}, 2),
    ({**CODE, "usually": "either"}, 3),
    ({"signals": {"x": {"code": "EZ9999"}}, "fallback": True, "usually": "either"}, 4),
    ({"signals": {"x": {"code": "E39999"}}, "fallback": True, "usually": "consequence"}, 4),
    ({"signals": {"x": {"code": ["EZ9999", "EI0006"]}}, "fallback": True}, 1),
    ({"signals": {"x": {"exception": ".*"}}, "fallback": True}, 5),
    ({"signals": {"x": {"log": "y"}}, "fallback": True}, 5),
    ({"signals": {"x": {"error": "any"}}, "fallback": True}, 6),
])
def test_tier(values: dict[str, Any], tier: int) -> None:
    assert tier_of(rule(**values)) == tier <= LAST_TIER
