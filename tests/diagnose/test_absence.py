from __future__ import annotations

from assistant.diagnose.absence import missing
from assistant.diagnose.holding import Holding
from assistant.diagnose.match import Match
from assistant.rules.condition import parse
from assistant.rules.types import LandmarkSignal, LogSignal, ReachedSignal, Rule, Signal

BANNER = LogSignal((r"Running in PYNATIVE_MODE\.", "another wording"))
SIGNALS: dict[str, Signal] = {"going": ReachedSignal("training"), "banner": BANNER,
                              "bad": LogSignal(("bad",)), "mark": LandmarkSignal("building")}


def absent(when: str, *true: str) -> tuple[str, ...]:
    rule = Rule("launch.x", {"en": "t", "zh": "t"}, "launch", "warning", "x", SIGNALS, parse(when))
    yes, no = Holding((Match(0, "", None),), True), Holding((), False)
    return missing(rule, {name: yes if name in true else no for name in SIGNALS})


def test_what_is_due_and_missing_is_named_as_a_person_reads_it() -> None:
    assert absent("going and not banner", "going") == ("Running in PYNATIVE_MODE.",)
    assert absent("going and not (banner or mark)", "going") == (
        "Running in PYNATIVE_MODE.", "building")


def test_what_a_rule_excludes_beside_a_symptom_is_no_news() -> None:
    assert absent("bad and not banner", "bad") == ()
    assert absent("bad or (going and not banner)", "bad", "going") == ()
    assert absent("bad or (going and not banner)", "going") == ("Running in PYNATIVE_MODE.",)
    assert absent("going", "going") == ()
