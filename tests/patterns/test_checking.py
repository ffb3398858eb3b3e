"""What an author of rules is told about an expression."""

from __future__ import annotations

import sys

import pytest

from assistant.patterns import Trouble, check

GOOD = (
    r"Failed to call bind, url: (?P<ip>[\d.]+):(?P<port>\d+).*Address already in use",
    r"The node: (?P<id>\S+) is timed out\.", r"\{ step:\[\s*(?P<step>\d+)/", "错误：?失败",
    r"(?i)out of memory", r"^\s*File \"", r"(?<name>a)b", r"a{2,5}?", r"(?-i:a)", r"\x{7f}",
    r"[[:alpha:]-]x", r"a{", r"loss:\s*(?:nan|inf)\b", r"[^\n]x", r"(?:，|,)x", "(?m)^a$",
)


@pytest.mark.parametrize("expression", GOOD)
def test_good(expression):
    assert check(expression) is None


BAD = (
    # expression, offset, part of the message, part of the cure
    ("a(?=b)", 1, "look-ahead", "match the text itself"),
    ("a(?!b)", 1, "negative look-ahead", "`not`"),
    ("(?<=a)b", 0, "look-behind", "before it"),
    ("(?<!a)b", 0, "negative look-behind", "`not`"),
    (r"(a)\1", 3, "back-reference", ""),
    ("(?P<x>a)(?P=x)", 8, "back-reference", "compare"),
    ("(?>a)", 0, "atomic", "(?:"),
    ("(?#x)a", 0, "comments", "YAML"),
    ("(?x) a", 0, "flag x", "spaces"),
    ("(?s)a.b", 0, "flag s", "leave it out"),
    ("(?U)a", 0, "flag U", "*?"),
    ("(?Q)a", 0, "does not begin a group", "(?:"),
    ("a++", 2, "possessive", "second +"),
    ("a**", 2, "repetition of a repetition", "(?:"),
    ("*a", 0, "nothing before", r"\*"),
    ("a|+b", 2, "nothing before", r"\+"),
    ("(a", 0, "never closed", r"\("),
    ("a)", 1, "without (", r"\)"),
    ("x[a", 1, "never closed", r"\["),
    ("a\\", 1, "lone backslash", "\\\\"),
    (r"a\Z", 1, r"\Z", r"\z"),
    (r"a\p{Han}", 1, "Unicode", "错误"),
    (r"\Qa.b\E", 0, r"\Q", "backslash"),
    (r"a\nb", 1, "line end", "leave it out"),
    ("a\nb", 1, "line end", "leave it out"),
    (r"\y", 0, "means nothing", "leave the backslash out"),
    (r"\x{4e00}", 0, "bytes", "the character itself"),
    (r"[a\b]", 2, "inside brackets", "take it out"),
    ("[，,]x", 1, "several bytes", "(?:，|"),
    ("[^，]x", 2, "several bytes", "what does end it"),
    ("[z-a]", 1, "not a range", "smaller"),
    ("[[:foo:]]", 1, "no class", "[[:alpha:]]"),
    (r"a[^\s\S]", 1, "never match", ""),
    ("a{,5}", 1, "literally", "{0,5}"),
    ("a{5,2}", 1, "wrong way round", "{2,5}"),
    ("a{1001}", 1, "1000", "+"),
    ("(?:a{100}){100}", 10, "repetition", ""),
    ("(?P<1a>x)", 0, "not a name", "begin with a letter"),
    ("(?P<名>x)", 0, "not a name", "ASCII"),
    ("(?P<a>x)|(?P<a>y)", 9, "two groups", "list"),
    ("a*", 0, "every line", "at least one character"),
    ("", 0, "every line", "at least one character"),
    (r"^\s*$", 0, "without looking", "at least one character"),
    ("a$b", 0, "never match", r"\$"),
    ("a^b", 0, "never match", r"\^"),
    ("\ud800", 0, "surrogate", ""),
    ("x" * 5000, 4096, "longer than", "list"),
    ("(" * 100 + "a" + ")" * 100, 61, "nested", "simplify"),
)


@pytest.mark.parametrize(("expression", "offset", "message", "cure"), BAD)
def test_bad(expression, offset, message, cure):
    trouble = check(expression)
    assert trouble is not None
    assert (trouble.offset, message in trouble.message, cure in trouble.cure) == (
        offset, True, True), trouble


def test_a_hyphen_after_a_class_is_itself():
    assert check(r"[\d-]x") is None


def test_what_is_too_large_to_seek_in_bulk_is_refused():
    trouble = check("|".join(rf"a{index}.{{60}}b" for index in range(100)))
    assert trouble is not None
    assert "too large" in trouble.message


def test_without_hyperscan_re2_alone_is_asked(monkeypatch):
    monkeypatch.setitem(sys.modules, "hyperscan", None)
    assert check("a+b") is None
    assert isinstance(check("(?=a)"), Trouble)
