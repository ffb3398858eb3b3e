"""Both engines against the plainest reading: each expression on each segment of each line."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, reject, settings
from hypothesis import strategies as st

from assistant.errors import UsageError
from assistant.patterns import build, check

#: Expressions that have gone wrong, or might: what is around a line's ends, parts that may
#: be missing, classes that could run over a line end, bytes that are not UTF-8.
AWKWARD = (
    r"foo$", r"^foo", r"^foo$", r"foo\z", r"\Afoo", r"\bfoo\b", r"foo\B", r"\Boo", r"^\s+foo",
    r"foo\s+$", r"[^x]foo", r"foo[^x]", r"foo[^x]+bar", r"foo\W", r"foo\D+bar", r"\S+foo",
    r"foo.*", r".*foo", r"^.*foo.*$", r"^.*foo", r"foo.*$", r"(?:foo|bar.*)", r"(?:foo|bar*)$",
    r"(?:^|,)foo", r"foo(?:$|,)", r"foo(?:,|$)bar?", r"(?i)foo", r"(?i)FOO\b.*b[a-c]r",
    r"(?i:f)oo", r"f(?i)o(?-i)o", r"fo{2}", r"f(?:oo?){1,2}\b", r"(?:fo*){2,}", r"fo{0,900}b",
    r"(?:[a-z]{1,30} ){1,30}r", r".{70}r", r"错误", r"错误：?foo", r"(?i)错误.*foo", r"错+误",
    r"\xe9\x94", r"[\x80-\xff]+foo", r"(?i)[\xe9]", r"(?i)[^\xe9]foo", r"(?i)[^f]oo", r"\x00",
    r"[[:alpha:]]{3}\d", r"[^[:space:]]{4}", r"[[:^alpha:]]foo", r"foo\v", r"[^\S]foo",
    r"(?P<first>\w+) (?P<second>\w+)?", r"f|b", r"(?:|x)foo", r"foo(?:)", r"\[foo\]", r"fo\.o",
    r"fo+?o", r"[f-]oo", r"[]f]oo", r"[^]f]oo", r"[\]f]oo", r"(?m)^foo$", r"^(?:foo|\d+)$",
    # What cannot be sought in bulk is sought line by line.
    r"^$", r"^\s*$", r"x*", r"\b", r"foo$|^$",
)

BYTES = st.sampled_from([
    b"foo", b"FOO", b"bar", b"f", b"o", b" ", b"\t", b"\v", b"\f", b"x", b"1", b",", b"_", b".",
    b"\r", b"\n", b"\r\n", b"\x00", "错误".encode(), "：".encode(), b"\xe9", b"\xc9", b"\xff",
    b"[foo]", b"abc" * 25,
])
BLOCKS = st.lists(BYTES, max_size=40).map(b"".join)


def plain(expressions: tuple[str, ...], block: bytes) -> list[tuple[int, int]]:
    """(line start, index) of the lines that match, by RE2 and nothing else."""
    engine = build(expressions, engine="re2")
    found, start = [], 0
    for line in block.split(b"\n"):
        found += [(start, index) for index in range(len(expressions))
                  if any(engine.match(index, part) is not None for part in line.split(b"\r"))]
        start += len(line) + 1
    if not block or block.endswith(b"\n"):  # what follows the last LF is no line
        found = [(offset, index) for offset, index in found if offset < len(block)]
    return found


@pytest.fixture(scope="module", params=["hyperscan", "re2"])
def engine(request):
    return build(AWKWARD, engine=request.param)


def confirmed(engine, block: bytes) -> list[tuple[int, int]]:
    """The candidates that are true."""
    candidates = engine.candidates(block)
    assert candidates == sorted(set(candidates))
    true = []
    for start, index in candidates:
        assert start == 0 or block[start - 1:start] == b"\n"
        line = block[start:].split(b"\n", 1)[0]
        if any(engine.match(index, part) is not None for part in line.split(b"\r")):
            true.append((start, index))
    return true


@settings(max_examples=400, deadline=None)
@given(BLOCKS)
@example(b"foo\r\nfoo")
@example(b"x\rfoo\rbar\n")
@example(b"\n\n")
@example(b"foo\n \nfoo")
def test_candidates_that_are_confirmed_are_the_lines_that_match(engine, block):
    assert confirmed(engine, block) == plain(AWKWARD, block)


@settings(max_examples=200, deadline=None)
@given(BLOCKS, st.data())
def test_any_cut_at_line_ends_finds_the_same_lines(engine, block, data):
    ends = [found.end() for found in re.finditer(b"\n", block)]
    cuts = sorted(data.draw(st.sets(st.sampled_from(ends), max_size=5))) if ends else []
    found = []
    for start, end in zip([0, *cuts], [*cuts, len(block)], strict=True):
        found += [(start + offset, index) for offset, index in confirmed(engine, block[start:end])]
    assert found == confirmed(engine, block)


ATOMS = st.sampled_from([
    "f", "o", "foo", ".", r"\s", r"\S", r"\w", r"\W", r"\d", r"\b", "^", "$", "[^x]", "[a-f]",
    "错", r"\x0b", "(?i)F", "[[:punct:]]", " ",
])
EXPRESSIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=4).map("".join),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"(?:{'|'.join(parts)})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,3}", "{0,30}", "+?"]))
        .map(lambda pair: f"({pair[0]}){pair[1]}")),
    max_leaves=8)


@settings(max_examples=600, deadline=None)
@given(EXPRESSIONS, BLOCKS)
def test_any_expression_is_found_by_both_engines(expression, block):
    try:
        expected = plain((expression,), block)
    except UsageError:
        reject()  # RE2 limits nested repetition
    for name in ("hyperscan", "re2"):
        assert confirmed(build((expression,), engine=name), block) == expected


@settings(max_examples=300, deadline=None)
@given(EXPRESSIONS)
def test_what_check_accepts_goes_in_bulk(expression):
    if check(expression) is None:
        assert build((expression,), engine="hyperscan").notice is None


def test_one_callback_per_line_is_reported_however_many_ends_match():
    engine = build((r"a.*b", "c"), engine="hyperscan")
    assert engine.candidates(b"abbbbc\nx\nabb\nc") == [(0, 0), (0, 1), (9, 0), (13, 1)]


def test_no_expressions_find_nothing():
    assert build((), engine="hyperscan").candidates(b"foo\n") == []
    assert build((), engine="re2").candidates(b"foo\n") == []


def test_threads_share_an_engine():
    from concurrent.futures import ThreadPoolExecutor

    engine = build(("foo", "[a-z]+ bar"), engine="hyperscan")
    block = b"a foo line\nsome bar\n" * 20_000
    expected = engine.candidates(block)
    with ThreadPoolExecutor(4) as pool:
        assert all(found == expected for found in pool.map(engine.candidates, [block] * 12))


def test_nothing_is_missed_when_hyperscan_reports_ends_out_of_order(monkeypatch):
    """Its documentation promises no order; the callback must not depend on one."""
    engine = build(("foo",), engine="hyperscan")

    class Backwards:
        def scan(self, data, match_event_handler, scratch):
            for end in (11, 3, 7):
                match_event_handler(0, 0, end, 0, None)

    monkeypatch.setattr(engine, "_first", Backwards())
    monkeypatch.setattr(engine, "_scratch", lambda *_: None)
    assert engine.candidates(b"foo\nfoo\nfoo") == [(0, 0), (4, 0), (8, 0)]
