"""Shapes of lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.logtext import template


@pytest.mark.parametrize(("text", "shape"), [
    ("Failed to open /data/run_3/x.bin: errno 13", "Failed to open <path>: errno <n>"),
    ("connect 192.0.2.1:8118 from 192.0.2.7 failed", "connect <ip> from <ip> failed"),
    ("pointer 0x7f3a00 of deadbeef01", "pointer <hex> of <hex>"),
    ("ranks [0, 1, 2, 3] lost", "ranks [<n>] lost"),
    ("channel d9597468-60ee-1743-a79f-a54909280e80 full", "channel <id> full"),
    ("took 1.5e-3 s at 2026-01-13-07:16:19.187.611", "took <n> s at <time>"),
    ("kernel_graph_17 of Add-op23", "kernel_graph_<n> of Add-op<n>"),
    ("EI0006: rank 3, error code is 507011, size 507011", "EI0006: rank <n>, error code is "
     "507011, size 507011"),
    ("[ERROR] HCCL(42863,python3):2026-07-15-02:51:22.192.403 [a.cc:797] role[1] rank[2]",
     "role[<n>] rank[<n>]"),
    ("[rank3]: RuntimeError: rank 3", "RuntimeError: rank <n>"),
    ("  spaced \t out ", "spaced out"),
    ("", ""),
])
def test_shapes(text: str, shape: str) -> None:
    assert template.shape(text) == shape


@given(st.integers(0, 10**9), st.integers(0, 10**9), st.integers(0, 2**64))
def test_numbers_do_not_make_shapes(one: int, two: int, address: int) -> None:
    def line(a: int, b: int, c: int) -> str:
        return f"Task {a} on stream {b} failed at {c:#x} in /home/u{a}/x{b}.py:{b}"
    assert template.shape(line(one, two, address)) == template.shape(line(1, 2, 3))


@given(st.text())
def test_never_raises_and_is_bounded(text: str) -> None:
    assert len(template.shape(text * 50)) <= template.MAX_SHAPE
