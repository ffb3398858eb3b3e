"""Codes explained from rows, rules and families."""

from __future__ import annotations

import pytest

from assistant.guide import Library
from assistant.guide.codes import explain, nearest
from assistant.rules.ruleset import RuleSet


@pytest.mark.parametrize("spelling", ["EI0006", "ei0006", "[EI0006]", " EI0006: ",
                                      "LINK_TIMEOUT", "link_timeout"])
def test_a_row(spelling: str, ruleset: RuleSet, kb: Library) -> None:
    found = explain(spelling, ruleset, kb, "en")
    assert found is not None
    assert (found.code, found.name, found.known) == ("EI0006", "LINK_TIMEOUT", "code")
    assert (found.title, found.usually) == ("A link timed out", "consequence")
    assert found.meaning == "The peer did not come in time."
    assert found.causes == ("The peer failed earlier", "TLS differs")
    assert found.steps == ("Read `less worker_N.log`",)
    assert (found.article, found.article_title) == ("link-codes", "Reading link codes")
    assert found.family == "Links between cards"
    assert found.references == ("A document",)


def test_in_chinese(ruleset: RuleSet, kb: Library) -> None:
    found = explain("EI0006", ruleset, kb, "zh")
    assert found is not None
    assert (found.title, found.causes) == ("建链超时", ("对端更早失败", "TLS 不一致"))
    assert (found.article_title, found.family) == ("如何看建链错误码", "卡间建链")


@pytest.mark.parametrize("spelling", ["0x80C78008", "0X80c78008", "80c78008"])
def test_an_event(spelling: str, ruleset: RuleSet, kb: Library) -> None:
    found = explain(spelling, ruleset, kb, "en")
    assert found is not None
    assert (found.code, found.title) == ("0x80C78008", "Bits lost")


@pytest.mark.parametrize("spelling", ["-9", "137", "SIGKILL", "sigkill"])
def test_exit_codes_and_signals_that_are_named(spelling: str, ruleset: RuleSet,
                                               kb: Library) -> None:
    found = explain(spelling, ruleset, kb, "en")
    assert found is not None
    assert (found.known, found.title, found.usually) == ("code", "Killed", "either")
    assert found.steps == ("Find who holds it: `ss -ltnp | grep 8118`",)


@pytest.mark.parametrize(("spelling", "code"), [("-7", "-7"), ("135", "-7"), ("sigbus", "SIGBUS")])
def test_other_signals_by_their_family(spelling: str, code: str, ruleset: RuleSet,
                                       kb: Library) -> None:
    found = explain(spelling, ruleset, kb, "en")
    assert found is not None
    assert (found.known, found.code, found.title) == ("family", code, "Some signal")


def test_a_rule_that_looks_for_the_code(ruleset: RuleSet, kb: Library) -> None:
    found = explain("EI0042", ruleset, kb, "en")
    assert found is not None
    assert (found.known, found.title, found.meaning, found.severity) == (
        "rule", "A rule that knows EI0042", "Codes of links between cards.", "error")
    assert found.steps == ("Read the block.",)


def test_a_family(ruleset: RuleSet, kb: Library) -> None:
    found = explain("ei0099", ruleset, kb, "en")
    assert found is not None
    assert (found.code, found.known, found.title) == ("EI0099", "family", "Links between cards")
    assert (found.meaning, found.severity, found.causes) == ("Read the whole block.", "", ())


@pytest.mark.parametrize("spelling", ["", "foo", "EI006", "EX0001", "9999999", "-99", "0x1"])
def test_unknown(spelling: str, ruleset: RuleSet, kb: Library) -> None:
    assert explain(spelling, ruleset, kb, "en") is None


def test_nearest(ruleset: RuleSet) -> None:
    assert nearest("ei006", ruleset)[0] in ("EI0006", "EI0042")
    assert "EI0006" in nearest("E10006", ruleset)
    assert nearest("nothing like it", ruleset) == ()
