"""`applies_to:` against the versions that the logs state."""

from __future__ import annotations

import pytest

from assistant.diagnose.versions import applies, inside
from tests.diagnose.support import job, rule


@pytest.mark.parametrize(("version", "wanted", "answer"), [
    ("2.6.0", ">=2.4,<3", True), ("2.3", ">=2.4,<3", False), ("3.0", ">=2.4,<3", False),
    ("2.10.0", ">=2.9", True), ("2.4", "==2.4.0", True), ("2.4.1", "!=2.4", True),
    ("2.4", "!=2.4.0", False), ("8.3.RC1", "<=8.3", True), ("8.3.RC1", ">8.3", False),
    ("r2.6", ">=2.4", True), ("v2.3.0", ">=2.4", False), ("2.4", "about 2", True),
])
def test_inside(version: str, wanted: str, answer: bool) -> None:
    assert inside(version, wanted) is answer


def test_a_rule_is_skipped_only_where_the_logs_state_a_version_outside() -> None:
    limited = rule(applies_to={"mindspore": ">=2.4", "cann": "<9"})
    assert applies(limited, job())
    assert applies(limited, job(facts={"mindspore": "2.6.0"}))
    assert applies(limited, job(facts={"mindspore": "master"}))
    assert not applies(limited, job(facts={"mindspore": "2.3.1"}))
    assert not applies(limited, job(facts={"mindspore": "2.6.0", "cann": "9.0"}))
    assert applies(rule(), job(facts={"mindspore": "1.0"}))
