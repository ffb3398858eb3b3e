"""Text as terms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.guide.terms import message_terms, terms


@pytest.mark.parametrize(("text", "found"), [
    ("The Ports are taken", ["port", "taken"]),
    ("端口被占用", ["端口", "口被", "被占", "占用"]),
    ("卡", ["卡"]),
    ("rank 3 的端口", ["rank", "3", "的端", "端口"]),
    ("EI0006: x", ["ei0006", "x"]),
    ("HcclCommInitRootInfo", ["hcclcomminitrootinfo", "hccl", "comm", "init", "root", "info"]),
    ("grad_norm", ["grad_norm", "grad", "norm"]),
    ("process class status", ["process", "class", "status"]),
    ("mindspore 2.10.0", ["mindspore", "2.10.0"]),
    ("", []),
])
def test_terms(text: str, found: list[str]) -> None:
    assert list(terms(text)) == found


def test_a_message_without_what_differs() -> None:
    text = "EI0006 ret 507011 device 3 of 8 at 0x7fe57dc12b80 failed failed node-12"
    assert message_terms(text) == ["ei0006", "ret", "507011", "device", "failed", "node-12",
                                   "node"]


@given(st.text())
def test_never_raises(text: str) -> None:
    found = list(terms(text))
    assert all(term and term == term.casefold() for term in found)
    assert set(message_terms(text)) <= set(found)


@given(st.text("端口被占用调度进程", min_size=2, max_size=30), st.data())
def test_part_of_a_chinese_text_is_found_in_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 2))
    end = data.draw(st.integers(start + 2, len(text)))
    assert set(terms(text[start:end])) <= set(terms(text))
