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
    ({"signals": {"x": {"exception": ".*"}}, "fallback": True}, 6),
    ({"signals": {"x": {"exception": "KeyError"}}, "fallback": True}, 5),
    ({"signals": {"x": {"exception": ".*", "where": "library"}}, "fallback": True}, 5),
    ({"signals": {"x": {"log": "y"}}, "fallback": True}, 5),
    ({"signals": {"x": {"error": "any"}, "y": {"exception": "KeyError"}}, "fallback": True}, 5),
    ({"signals": {"x": {"error": "any"}}, "fallback": True}, 7),
])
def test_tier(values: dict[str, Any], tier: int) -> None:
    found = tier_of(rule(**values))
    assert found[0] == tier
    assert found <= LAST_TIER


def test_the_surer_fallback_on_events_is_asked_first() -> None:
    signals = {"signals": {"x": {"exception": "KeyError"}}, "fallback": True}
    assert tier_of(rule(**signals, confidence=0.7)) < tier_of(rule(**signals, confidence=0.5))
