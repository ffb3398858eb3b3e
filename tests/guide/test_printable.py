from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.guide.printable import printable


@pytest.mark.parametrize(("text", "shown"), [
    ("plain 中文 é ①", "plain 中文 é ①"),
    ("a\tb\r\nc", "a b  c"),
    ("\x1b[1;31mred\x1b[0m", "red"),
    ("\x1b[2J\x1b]0;title\x07", "\\x1b[2J\\x1b]0;title\\x07"),
    ("\x9b31m\x7f\x00", "\\x9b31m\\x7f\\x00"),
    ("a\u202eb\u2066c\u200bd\ufeff", "a\\u202eb\\u2066c\\u200bd\\ufeff"),
    ("\u3164\U000e0041\udc80", "\\u3164\\U000e0041\\udc80"),
    ("a\u00a0b\u3000c\u2028d", "a b c d"),
])
def test_printable(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(st.text(st.characters()))
def test_the_result_prints_on_one_line_and_is_stable(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    assert printable(shown) == shown
