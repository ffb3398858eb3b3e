"""Launcher prefixes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.logtext import wrappers

VLLM = b"ERROR 07-02 10:11:46 [multiproc_executor.py:522] "


@pytest.mark.parametrize(("prefix", "rank", "pid"), [
    (b"[rank0]: ", 0, None),
    (b"[rank12]:", 12, None),
    (b"[default3]: ", None, None),
    (b"[1,7]<stderr>:", 7, None),
    (b"(TaskRunner pid=354076) ", None, 354076),
    (b"(WorkerDict pid=3540, ip=192.0.2.7) ", None, 3540),
    (b"(VllmWorker rank=1 pid=1503) ", 1, 1503),
    (b"(VllmWorker rank=1 pid=1503) " + VLLM, 1, 1503),
    (b"\x1b[0;36m(EngineCore_DP0 pid=273)\x1b[0;0m " + VLLM, None, 273),
    (VLLM, None, None),
    (b"ERROR 01-12 10:59:15 _custom_ops.py:19] ", None, None),
    (b"(TaskRunner pid=3) [rank2]: ", 2, 3),
    (b"[80747] [rank4]:", 4, None),
    (b"[Stage-0] ERROR 01-30 18:03:36 [diffusion_worker.py:344] ", None, None),
    (b"2026-02-11T09:12:44.120394811Z stderr F ", None, None),
    (b"2026-02-11T09:12:44.120394811Z ", None, None),
    (b"2026-02-11T09:12:44+08:00 [rank3]: ", 3, None),
    (b"Feb 11 09:12:44 node-a python3[4411]: ", None, None),
    (b"09:12:44 ", None, None),
    (b"trainer-1  | ", None, None),
    (b"trainer_2   | (WorkerDict pid=35) ", None, 35),
    (b"[pod/train-worker-0/main] ", None, None),
    (b"3: ", None, None),
    (b"812:", None, None),
    (b"   812\t", None, None),
    (b"192.0.2.3: [rank22]: ", 22, None),
    (b"node-03: ", None, None),
    (b"worker-b.cluster: ", None, None),
    (b"mpi-rc1ou1aw-launcher: [rank1]:", 1, None),
    (b"worker_3.log:812:", 3, None),
    (b"./msrun_log/worker_12.log-813-", 12, None),
    (b"logs/train.log:7:", None, None),
    (b"> ", None, None),
    (b"> 812:", None, None),
    (b"E   ", None, None),
    (b"E       ", None, None),
])
def test_prefixes_come_off(prefix: bytes, rank: int | None, pid: int | None) -> None:
    rest = b"RuntimeError: boom"
    assert wrappers.strip(prefix + rest) == (rest, rank, pid)


@pytest.mark.parametrize("line", [
    b"", b"[", b"(", b"plain words", b"[ERROR] HCCL(1,python):...", b"(function foo)",
    b"[rankX]: x", b"INFO 01-12 10:59:14 [importing.py:17] Triton not installed",
    b"(VllmWorker rank=x pid=1) y", b"10:59:14", b"step 10: loss 2", b"12",
    b"2026-02-11 09:12:44,120 - mindformers - INFO - x", b"KeyError: 'worker_3.log: gone'",
    b"a | b", b"host unreachable: 3", b">", b"RuntimeError: node 3: gone",
])
def test_other_lines_stay(line: bytes) -> None:
    assert wrappers.strip(line) == (line, None, None)


def test_indentation_stays() -> None:
    line = b"[rank0]:         TraceBack (most recent call last):"
    assert wrappers.strip(line)[0] == b"        TraceBack (most recent call last):"


@given(st.binary())
def test_never_raises_and_only_cuts_the_front(line: bytes) -> None:
    assert line.endswith(wrappers.strip(line)[0])
