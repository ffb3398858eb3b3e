"""The configuration's dump."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.logtext.config import MAX_BYTES, START, ConfigReader

HEAD = (b"2026-11-30 08:03:53,519 - mindformers/home/user/job/output/log"
        b"[/home/user/job/train.py:47] - INFO - Current config: ")
RECORD = (b"[WARNING] DISTRIBUTED(9003,7f4bfffff6c0,python):2026-11-30-08:03:56.741.532 "
          b"[mindspore/ccsrc/a.h:51] TcpConnection] TcpConnection is constructed! fd is 25")
CONFIG = {"training": {"steps": 10, "max_norm": 1.0, "resume": False, "tags": ["a", "b"]},
          "parallelism": {"pipeline_parallel": 2, "pipeline_parallel_schedule": "1f1b"},
          "callbacks": [{"type": "Loss", "log_interval": 1}], "path": None, "more": {}}
FLAT = {"training.steps": "10", "training.max_norm": "1.0", "training.resume": "false",
        "training.tags.0": "a", "training.tags.1": "b", "parallelism.pipeline_parallel": "2",
        "parallelism.pipeline_parallel_schedule": "1f1b", "callbacks.0.type": "Loss",
        "callbacks.0.log_interval": "1", "path": "null", "more": "{}"}


def read(lines: list[bytes]) -> ConfigReader:
    reader = ConfigReader(lines[0])
    for line in lines[1:]:
        if not reader.open:
            break
        reader.feed(line)
    return reader


def dump(config: Any) -> list[bytes]:
    return (HEAD + json.dumps(config, indent=2).encode()).split(b"\n")


def test_indented() -> None:
    reader = read([*dump(CONFIG), b"after"])
    assert reader.values == FLAT
    assert not reader.open


def test_on_one_line() -> None:
    reader = ConfigReader(HEAD + json.dumps(CONFIG).encode())
    assert reader.values == FLAT
    assert not reader.open


def test_records_of_other_threads_between_and_behind_the_lines() -> None:
    lines = dump(CONFIG)
    lines[3:3] = [RECORD, b"some print"]
    lines[1] += RECORD
    assert read(lines).values == FLAT


def test_behind_a_launchers_prefix() -> None:
    assert read([b"[rank0]: " + line for line in dump(CONFIG)]).values == FLAT


def test_a_broken_dump_counts_as_far_as_it_goes() -> None:
    reader = read(dump(CONFIG)[:3])
    assert reader.values == {"training.steps": "10"}
    assert reader.open


def test_an_endless_dump_is_given_up() -> None:
    reader = ConfigReader(HEAD + b"{")
    fed = 0
    while reader.feed(b'  "key%d": "%s",' % (fed, b"x" * 100)):
        fed += 1
        assert fed < MAX_BYTES
    assert not reader.open
    foreign = ConfigReader(HEAD + b"{")
    assert sum(foreign.feed(b"not of it") for _ in range(5000)) <= 1000


def test_a_line_without_a_dump() -> None:
    reader = ConfigReader(b"Current world size: 4.")
    assert not reader.open
    assert not reader.feed(b'"a": 1')
    assert reader.values == {}


LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=20)
CONFIGS = st.dictionaries(
    st.from_regex(r"[a-z_]{1,10}", fullmatch=True),
    st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.from_regex(r"[a-z_]{1,10}", fullmatch=True), inner, max_size=3), max_leaves=8),
    min_size=1, max_size=5)


@given(CONFIGS)
def test_both_ways_of_printing_say_the_same(config: dict[str, Any]) -> None:
    indented, single = read(dump(config)), ConfigReader(HEAD + json.dumps(config).encode())
    assert indented.values == single.values
    assert not indented.open
    assert not single.open


@given(st.lists(st.binary(max_size=60), max_size=20))
def test_never_raises(lines: list[bytes]) -> None:
    reader = ConfigReader(START)
    for line in lines:
        reader.feed(line)


@pytest.mark.parametrize("text", [
    b"{" * 30000 + b"}", b'{"a": ' + b"[" * 30000 + b"]" * 30000 + b"}"])
def test_deep_nesting(text: bytes) -> None:
    assert ConfigReader(HEAD + text).values == {}
