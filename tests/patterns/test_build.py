"""Which engine is built, what it says when it is not the quick one, and what a match gives."""

from __future__ import annotations

import sys

import pytest

from assistant.errors import UsageError
from assistant.patterns import build


@pytest.fixture
def no_hyperscan(monkeypatch):
    monkeypatch.setitem(sys.modules, "hyperscan", None)


def test_hyperscan_is_taken_where_it_is():
    engine = build(["a"])
    assert (engine.name, engine.notice) == ("hyperscan", None)


def test_re2_takes_its_place_and_says_so(no_hyperscan):
    engine = build(["a"])
    assert engine.name == "re2"
    assert engine.notice is not None
    assert "Hyperscan cannot be imported" in engine.notice
    assert "\n" not in engine.notice


def test_re2_that_was_asked_for_says_nothing(no_hyperscan):
    assert build(["a"], engine="re2").notice is None


def test_hyperscan_that_was_asked_for_must_be_there(no_hyperscan):
    with pytest.raises(UsageError, match="--engine re2"):
        build(["a"], engine="hyperscan")


def test_unknown_engine():
    with pytest.raises(UsageError, match="auto, hyperscan, re2"):
        build(["a"], engine="pcre")


def test_expressions_too_large_together_go_to_re2(monkeypatch):
    from assistant.patterns import hyperscan_engine

    def too_large(hyperscan, texts):
        raise hyperscan.error("Pattern is too large.")

    monkeypatch.setattr(hyperscan_engine, "build_database", too_large)
    engine = build(["foo", "bar"])
    assert engine.candidates(b"bar\nfoo") == [(0, 1), (4, 0)]
    assert engine.notice is not None


def test_one_that_hyperscan_refuses_slows_only_itself():
    engine = build(["foo", "x*", r"b\b{2}"])
    assert engine.name == "hyperscan"
    assert engine.notice is not None
    assert "'x*'" in engine.notice
    assert engine.candidates(b"foo\ny") == [(0, 0), (0, 1), (6 - 2, 1)]


@pytest.mark.parametrize("name", ["hyperscan", "re2"])
@pytest.mark.parametrize("expression", ["(?=a)b", "(a{100}){100}", "a)"])
def test_what_re2_refuses_is_known_before_the_scan(name, expression):
    with pytest.raises(UsageError, match="cannot be used"):
        build(["a", expression], engine=name)


def test_match_gives_the_groups_that_took_part():
    engine = build([r"(?P<code>\d+)(?: (?P<word>\w+))?(?P<rest>.*)", "no groups"])
    assert engine.match(0, b"x 12 abc \xff") == {"code": "12", "word": "abc", "rest": " \ufffd"}
    assert engine.match(0, "12 错".encode()) == {"code": "12", "rest": " 错"}
    assert engine.match(0, b"x") is None
    assert engine.match(1, b"no groups") == {}
    assert engine.span(0, b"x 12") == (2, 4)
    assert engine.span(1, b"x") is None


def test_a_repeated_character_outside_ascii_is_repeated_whole():
    engine = build(["(?P<all>错+)误"])
    assert engine.match(0, "错错误".encode()) == {"all": "错错"}


def test_ascii_letters_alone_have_two_cases():
    engine = build(["(?i)É"])
    assert engine.match(0, "É".encode()) == {}
    assert engine.match(0, "é".encode()) is None
