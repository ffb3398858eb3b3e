"""The expressions find all lines that their readers accept."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from assistant.logtext import config, errorline, prefix, steps, triggers
from assistant.logtext.events import EventReader

CASES = Path(__file__).parent.parent / "cases" / "lab"


def load(name: str) -> list[bytes]:
    """The example lines of a neighbouring test module."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return list(module.ERRORS)


def case_lines() -> Iterator[bytes]:
    for path in sorted(CASES.rglob("*.log")):
        yield from path.read_bytes().split(b"\n")


def found(key: str, line: bytes) -> bool:
    return re2.search(triggers.EXPRESSIONS[key], line.decode("latin-1")) is not None


@pytest.mark.parametrize("expression", [triggers.STEP, triggers.TRAINER, triggers.MONITOR,
                                        triggers.ERROR, triggers.CONFIG])
def test_no_anchor_and_no_negated_class(expression: str) -> None:
    assert not re.search(r"\[\^|(?<!\\)\$|(?<!\\)\^", expression)


@pytest.mark.parametrize("expression", triggers.EXPRESSIONS.values())
def test_both_engines_compile_it(expression: str) -> None:
    re2.compile(expression)
    hyperscan = pytest.importorskip("hyperscan")
    hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK).compile(
        expressions=[expression.encode()], flags=[hyperscan.HS_FLAG_MULTILINE])


def test_real_lines() -> None:
    seen = {"@step": 0, "@error": 0, "@config": 0}
    for line in case_lines():
        if steps.parse(line) is not None:
            seen["@step"] += 1
            assert any(found(key, line) for key in ("@step", "@trainer", "@monitor")), line
        if errorline.is_error(line, prefix.parse(line)):
            seen["@error"] += 1
            assert found("@error", line), line
        if config.START in line:
            seen["@config"] += 1
            assert found("@config", line), line
    assert all(count > 50 for count in seen.values()), seen


@pytest.mark.parametrize("line", load("test_errorline"))
def test_error_examples(line: bytes) -> None:
    assert found("@error", line)


WORDS = st.sampled_from([
    b" ", b": ", b".", b"\r", b"[", b"]", b" - ", b"|", b"1", b"a", b"0 ", b"no ", b"ERROR",
    b"CRITICAL", b"FATAL", b"EXCEPTION", b"Error", b"Exception", b"KeyboardInterrupt",
    b"SystemExit", b"error", b"errors", b"failed", b"Fail", b"fatal", b"[E726 10:55:17.3 x.cpp:4] ",
    b"[E x.cpp:4] ", b"E0915 04:33:27.151000 123 run.py:792] ", b"EI0006", b"EI0006: ",
    b"(EI0006): ", b"EL9999  [",
    b"ERR00100", b"Killed", b"Aborted", b"Aborted!", b"core dumped", b"Segmentation fault",
    b"Traceback (most recent call last)", b"Bus error", b"panic: ", b"free(): invalid",
    b"terminate called", b"out of memory", b"2026-01-02 03:04:05 fatal 12 [TTP a.cpp:1] ",
    b"exited with exception", b"Input/output error", b"[Error]", b"symbol lookup error"])


@given(st.lists(WORDS, max_size=6).map(b"".join))
def test_generated_errors(line: bytes) -> None:
    for segment in line.split(b"\r"):
        if errorline.is_error(segment, prefix.parse(segment)):
            assert found("@error", line)


@pytest.mark.parametrize("line", [
    b'{ "step": 5, "micro_step": 1 }', b'{ "local_norm": w:   1.2 }', b"{ local_norm: w: 1.2 }",
    b'{"step": 5, "device_loss": 1e-3}', b'{"step": 3, "tpe": [[12, 0, 4]]}',
    b"{ micro_step: 1, local_loss: 9.87 }", b'{ "device_norm": 2.5 }'])
def test_monitor_examples(line: bytes) -> None:
    assert steps.parse(line) is not None
    assert found("@monitor", line)


def test_healthy_logs_have_few_candidates() -> None:
    healthy = [line for path in (CASES / "ok-dp4").rglob("worker_*.log")
               for line in path.read_bytes().split(b"\n")]
    assert sum(found("@error", line) for line in healthy) < len(healthy) / 10


@pytest.mark.parametrize("prefix", [
    b"", b"E       ", b"E           ", b"> ", b"[rank3]: ", b"(TaskRunner pid=4711) ",
    b"2026-02-11T09:12:44.120394811Z ", b"2026-02-11T09:12:44.120394811Z stderr F ",
    b"Feb 11 09:12:44 node-a python3[4411]: ", b"trainer-1  | ", b"[pod/train-0/main] ",
    b"192.0.2.3: ", b"msrun_log/worker_3.log:812:", b"\x1b[31m"])
def test_blocks_behind_what_others_put_before_a_line(prefix: bytes) -> None:
    for line in (b"- C++ Call Stack: (For framework developers)",
                 b"Traceback (most recent call last):", b"EI0006: Getting socket times out."):
        if EventReader().starts(prefix + line):
            assert found("@event", prefix + line), prefix + line
    assert EventReader().starts(prefix + b"Traceback (most recent call last):")
