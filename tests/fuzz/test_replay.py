"""The short form of fuzzing: what once failed, and what hypothesis thinks of in a moment."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.targets import CORPUS, TARGETS

#: Words that open the doors of the parsers.
WORDS = [b"[ERROR] HCCL(1,p):2026-07-15-02:51:22.192.403 [a.cc:7] ", b"{ Epoch:[ 1/ 2], step:[ ",
         b"Traceback (most recent call last):\n", b'  File "a.py", line 1, in f\n', b"\n",
         b"RuntimeError: x\n", b"EI0006: ", b"[rank1]:", b"\x1b[0m", b"\x1f\x8b\x08", b"PK\x03\x04",
         b'{"kbtriage.collected":', b"rule: a.b\n", b"signals:\n  a: {log: x}\n", b"---\n",
         b"id: x\n", b"## Steps\n\n1. ", b"`ls -l` ", b"worker_0.log", b"rank_3/", b"10.0.0.1 ",
         b"/home/someone/x ", b"token=abcdefgh ", b"# - msrun\n", b"\xff\xfe", b"\x00",
         b"&a [*a]\n", b"\n==> worker_1.log <==\n", b"::::::::::::::\n", b"[pod/a/b] "]
INPUTS = st.lists(st.one_of(st.sampled_from(WORDS), st.binary(max_size=40)),
                  max_size=30).map(b"".join)
EXAMPLES = [(target, path) for target in TARGETS for path in sorted((CORPUS / target).glob("*"))]


@pytest.mark.parametrize(("target", "path"), EXAMPLES,
                         ids=[f"{target}/{path.name}" for target, path in EXAMPLES])
def test_what_once_failed(target: str, path: Path) -> None:
    began = time.process_time()
    TARGETS[target](path.read_bytes())
    assert time.process_time() - began < 10


@pytest.mark.parametrize("target", TARGETS)
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=INPUTS)
def test_anything(target: str, data: bytes) -> None:
    TARGETS[target](data)


def test_every_folder_of_the_corpus_has_a_target() -> None:
    assert {path.name for path in CORPUS.iterdir() if path.is_dir()} <= set(TARGETS)
