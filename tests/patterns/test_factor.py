"""The texts that are sought instead of an expression: none of its matches is without one."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.patterns import build
from assistant.patterns.factor import pieces
from assistant.patterns.translate import find_node, write


def texts(expression: str, common: bytes = b"") -> list[str]:
    node = find_node(expression)
    assert node is not None
    return [re.sub(r"\\x(..)", lambda m: chr(int(m[1], 16)), write(piece))
            for piece, _ in pieces(node, common)]


@pytest.mark.parametrize(("expression", "common", "found"), [
    (r"python\S*\[\d+\]: segfault at ", b"", ["]: segfault at "]),
    (r"Running in (?:GRAPH|PYNATIVE)_MODE", b"", ["Running in GRAPH_MODE",
                                                  "Running in PYNATIVE_MODE"]),
    (r"(?:first|second) \d+ failed", b"", [" failed"]),
    (r"launch kernel .*aborted", b"x launch kernel y", ["aborted"]),
    (r"\b[EF][01]\d{3}\b", b"", [f"{a}{b}[0-9][0-9][0-9]"
                                 for a in "EF" for b in "01"]),
    (r"a\d+b", b"", [r"a[0-9]+b"]),
    (r"(?i)fatal error \d", b"", ["[Ff][Aa][Tt][Aa][Ll] [Ee][Rr][Rr][Oo][Rr] "]),
    (r"alpha|b\d", b"", ["alpha", "b[0-9]"]),
])
def test_what_is_sought(expression: str, common: bytes, found: list[str]) -> None:
    assert sorted(texts(expression, common)) == sorted(found)


WORDS = st.sampled_from(["alpha", "beta ", "gamma", r"\d+", ".*", "x?", "(?:one|twofold)", "[ab]",
                         r"\b", r"[AB]\d{4}", "(?:delta)?", "(?i:Zeta)", "(?:eta){2}", "theta+"])
EXPRESSIONS = st.lists(WORDS, min_size=1, max_size=5).map("".join)
LINES = st.lists(st.sampled_from(["alpha", "beta ", "gamma", "1", "2345", "x", "one", "twofold",
                                  "a", "b", " ", "A", "B", "delta", "ZETA", "zeta", "etaeta",
                                  "theta", "a\nb"]), max_size=9).map("".join)


@settings(deadline=None, max_examples=300)
@given(st.lists(EXPRESSIONS, min_size=1, max_size=6, unique=True), LINES,
       st.sampled_from([b"", b"the alpha and the gamma of one"]))
def test_nothing_is_missed(expressions: list[str], text: str, common: bytes) -> None:
    engine = build(tuple(expressions), engine="hyperscan", common=common, frequent=(0,))
    block = text.encode()
    found = {(start, index) for start, index in engine.candidates(block)
             if engine.match(index, block[start:].split(b"\n", 1)[0]) is not None}
    start, wanted = 0, set()
    for line in block.split(b"\n"):
        if start < len(block):
            wanted.update((start, index) for index in range(len(expressions))
                          if engine.match(index, line) is not None)
        start += len(line) + 1
    assert found == wanted


def test_a_part_that_can_never_match_does_not_slow_the_search_down() -> None:
    engine = build((r"(?:f|\s\b\W)", "foo"), engine="hyperscan")
    assert engine.notice is None
    assert engine.candidates(b"a foo\nnone\n") == [(0, 0), (0, 1)]
