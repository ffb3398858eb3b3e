from __future__ import annotations

import io
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.evidence.shift import shifted
from assistant.patterns import Engine
from assistant.rules.types import PatternSpec
from assistant.scan import build_engine, scan_stream

SPECS = (PatternSpec("a/word", r"(?P<word>[a-z]+) error"), PatternSpec("a/any", "e"))
HEAD = b"2026-11-30 08:00:01,357 - m[a.py:1] - INFO - "
CHUNKS = (
    HEAD + b"{ step:[    1/  100], loss:  1.5, grad_norm: NaN }\n",
    b"\n", b"half\rhalf\n", b"no stamp: an error\n", HEAD + b"an error\n",
    b"Traceback (most recent call last):\n  File \"a.py\", line 3, in main\n    run()\n"
    b"ValueError: bad\n\nDuring handling of the above exception, another exception occurred:\n\n"
    b"Traceback (most recent call last):\n  File \"/x/site-packages/b.py\", line 3, in main\n"
    b"RuntimeError: an error EI0006\n\n----\n- Ascend Error Message:\n----\nEI0006: timeout\n\n",
    HEAD + b"Current config: {\n  \"steps\": 3\n}\n",
    b"[ERROR] HCCL(42863,python3):2026-07-15-02:51:22.192.403 [a.cc:797] errNo[0x05]\n",
)


@cache
def engine() -> Engine:
    return build_engine(SPECS)


@settings(deadline=None)
@given(st.lists(st.sampled_from(CHUNKS)), st.integers(0, 5000))
def test_as_if_numbered_from_there_on(chunks: list[bytes], by: int) -> None:
    content = b"".join(chunks)
    one = scan_stream("a", io.BytesIO(content), engine(), SPECS)
    other = scan_stream("a", io.BytesIO(content), engine(), SPECS, first_line=1 + by)
    assert repr(shifted(one, by)) == repr(other)
