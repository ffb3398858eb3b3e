"""What is sought in whole blocks: short, without parts that need not be there."""

from __future__ import annotations

import pytest

from assistant.patterns.translate import find_expression


@pytest.mark.parametrize(("expression", "finder"), [
    ("foo.*", "foo"), (".*foo", "foo"), ("^.*foo.*$", "foo"), (r"\s*foo\s*", "foo"),
    ("fo+", "fo"), ("fo{2,}", "fo{2}"), ("foo$", "foo$"), (r"foo\s*$", r"foo[\x09\x0c\x20]*$"),
    ("a(?:b|c*)", "a"), ("a(?:bc+|d)", "a(?:bc|d)"), ("^foo", "^foo"), (r"foo\b.*", r"foo\b"),
    (r"\Afoo\z", "^foo$"), ("(?P<x>a|b)c", "(?:a|b)c"), ("(?i)ab", "[Aa][Bb]"),
    ("a.{0,200}b", "a.*b"), ("a.{100}b", "a.{64,}b"), ("(?:ab){50}c", "(?:ab){32}c"),
    ("x(?:ab){50}c", "x(?:ab){32,}c"),
    ("(?:^)*a", "a"), ("[^x]a", r"[\x00-\x09\x0b-\x0c\x0e-wy-\xff]a"), ("a[\\n\\r]?b", None),
    ("a*", None), ("(?=a)", None), ("(?:a.{60}|b)" * 80, None), ("错", r"\xe9\x94\x99"),
])
def test_finder(expression, finder):
    assert find_expression(expression) == finder
