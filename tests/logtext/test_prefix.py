"""Heads of records."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.logtext import prefix

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
FORMS = [
    (b"[2025-01-20 10:11:12.345678] [1234] [140234871] [server] [ERROR] [infer_backend.cpp:123] "
     b"Failed to init", "stamp", "ERROR", "server", 1234, "2025-01-20 10:11:12.345678",
     "infer_backend.cpp:123", b"Failed to init"),
    (b"[2025-01-20 10:11:12.345+08:00] [1234] [140234871] [llm] [WARN] x",
     "stamp", "WARNING", "llm", 1234, "2025-01-20 10:11:12.345", None, b"x"),
    (b"[WARNING] DISTRIBUTED(9003,7f4c42ab8b80,python):2026-11-30-08:03:48.502.785 "
     b"[mindspore/ccsrc/cluster/rpc/tcp/tcp_comm.cc:485] Connect] Connection 13 source",
     "mindspore-cpp", "WARNING", "DISTRIBUTED", 9003, "2026-11-30 08:03:48.502785",
     "mindspore/ccsrc/cluster/rpc/tcp/tcp_comm.cc:485", b"Connection 13 source"),
    (b"[EXCEPTION] GE(385296,ffffda0aa3f4,python):2025-04-01-15:33:46.184.063 "
     b"[mindspore/ccsrc/runtime/device/ascend/ge_runtime/runtime_model.cc:233] Run] Call rt api",
     "mindspore-cpp", "CRITICAL", "GE", 385296, "2025-04-01 15:33:46.184063",
     "mindspore/ccsrc/runtime/device/ascend/ge_runtime/runtime_model.cc:233", b"Call rt api"),
    (b"[WARNING] MD(5325,ffff96264e76,python):2026-04-27-04:51:59.732.604 "
     b"[mindspore/ccsrc/minddata/dataset/engine/datasetops/data_queue_op.cc:93] ~DataQueueOp] x",
     "mindspore-cpp", "WARNING", "MD", 5325, "2026-04-27 04:51:59.732604",
     "mindspore/ccsrc/minddata/dataset/engine/datasetops/data_queue_op.cc:93", b"x"),
    (b"[WARNING] ME(9003:139965512780672,MainProcess):2026-11-30-08:03:48.190.00 "
     b"[mindspore/context.py:1343] For 'context.set_context', the parameter",
     "mindspore-python", "WARNING", "ME", 9003, "2026-11-30 08:03:48.019",
     "mindspore/context.py:1343", b"For 'context.set_context', the parameter"),
    (b"[ERROR] HCCL(42863,python3):2026-07-15-02:51:22.192.403 [hccl_socket_manager.cc:797] "
     b"[16466][Wait][LinkEstablish]wait socket establish timeout",
     "cann", "ERROR", "HCCL", 42863, "2026-07-15 02:51:22.192403",
     "hccl_socket_manager.cc:797", b"[16466][Wait][LinkEstablish]wait socket establish timeout"),
    (b"[ERROR]HCCL(344794,python):2025-09-08-16:03:29.148.385[task_exception_handler.cc:610]"
     b"[344794][TaskExecStage][HeartbeatAbnormal]Cluster",
     "cann", "ERROR", "HCCL", 344794, "2025-09-08 16:03:29.148385",
     "task_exception_handler.cc:610", b"[344794][TaskExecStage][HeartbeatAbnormal]Cluster"),
    (b"[ERROR] RUNTIME(531419,python):2025-09-05-17:40:20.174.498 [task.cc:2292]447907 Report",
     "cann", "ERROR", "RUNTIME", 531419, "2025-09-05 17:40:20.174498", "task.cc:2292",
     b"447907 Report"),
    (b"[ERROR] DRV(30650,python):2025-08-21-18:50:37.664.021 [ascend][curpid: 30650, 30650][drv]",
     "cann", "ERROR", "DRV", 30650, "2025-08-21 18:50:37.664021", None,
     b"[ascend][curpid: 30650, 30650][drv]"),
    (b"[TRACE] HCCL(48750,python):2025-02-14-06:34:49.126.138 [status:stop] [hcom.cc:264]"
     b"[hccl-48750][1]hcom destroy complete",
     "cann", "DEBUG", "HCCL", 48750, "2025-02-14 06:34:49.126138", "hcom.cc:264",
     b"[hccl-48750][1]hcom destroy complete"),
    (b"2026-11-30 08:02:33,357 - mindformers./output/log[mindformers/pynative/callback/"
     b"loss_callback.py:337] - INFO - { step:[    1/   10] }",
     "mindformers", "INFO", "mindformers./output/log", None, "2026-11-30 08:02:33.357",
     "mindformers/pynative/callback/loss_callback.py:337", b"{ step:[    1/   10] }"),
    (b"2025-03-18 23:45:17,625 - [mindformers/core/callback/callback.py:529] - INFO - { Epoch:",
     "mindformers", "INFO", None, None, "2025-03-18 23:45:17.625",
     "mindformers/core/callback/callback.py:529", b"{ Epoch:"),
    (b"[INFO] 2026-06-09 10:20:30 [mindformers/pynative/callback/loss_callback.py:231] "
     b"_print_log: { step:[    1/   10] }",
     "mindformers-file", "INFO", None, None, "2026-06-09 10:20:30",
     "mindformers/pynative/callback/loss_callback.py:231", b"{ step:[    1/   10] }"),
    (b"[ERROR] 2026-02-14-22:07:21 (PID:9436, Device:0, RankID:-1) ERR00100 PTA call acl api",
     "torch-npu", "ERROR", None, 9436, "2026-02-14 22:07:21", None, b"ERR00100 PTA call acl api"),
    (b"[INFO|2026-05-16 01:50:30] llamafactory.train.callbacks:143 >> {'loss': 5.2843}",
     "logging", "INFO", "llamafactory.train.callbacks:143", None, "2026-05-16 01:50:30", None,
     b"{'loss': 5.2843}"),
    (b"2026-05-16 01:50:30,123 - my.trainer - ERROR - boom",
     "logging", "ERROR", "my.trainer", None, "2026-05-16 01:50:30.123", None, b"boom"),
    (b"ERROR:root:boom", "logging", "ERROR", "root", None, None, None, b"boom"),
    (b"[PID: 1] 2025-07-25-07:04:52.677.189 Execution_Error_SDMA(EI0012): SDMA memory copy",
     "cann-error", None, None, 1, "2025-07-25 07:04:52.677189", None,
     b"Execution_Error_SDMA(EI0012): SDMA memory copy"),
    (b"[PID:2061174]2026-11-11-11:20:37.618.984Config_Error(EI0001): Value 12",
     "cann-error", None, None, 2061174, "2026-11-11 11:20:37.618984", None,
     b"Config_Error(EI0001): Value 12"),
    # The code belongs to the message.
    (b"EI0002: [PID: 5212] 2025-07-01-03:48:01.026.648 The wait execution",
     "cann-error", None, None, 5212, "2025-07-01 03:48:01.026648", None,
     b"EI0002: [PID: 5212] 2025-07-01-03:48:01.026.648 The wait execution"),
    (b"2025-03-18 23:45:17.680613 info 3551217 [TTP controller.cpp:1512] rank:4, report",
     "ttp", "INFO", None, None, "2025-03-18 23:45:17.680613", "controller.cpp:1512",
     b"rank:4, report"),
    (b"[W726 02:00:13.295843271 compiler_depend.ts:526] Warning: NPU warning",
     "torch", "WARNING", None, None, None, "compiler_depend.ts:526", b"Warning: NPU warning"),
    (b"[E socket.cpp:472] [c10d] The server socket has failed",
     "torch", "ERROR", None, None, None, "socket.cpp:472", b"[c10d] The server socket has failed"),
    (b"W0915 04:33:27.151000 123 torch/distributed/run.py:792] x",
     "torch", "WARNING", None, 123, None, "torch/distributed/run.py:792", b"x"),
    (b"E20260608 14:45:44.404089 342420 ascend_direct_transport.cpp:1107] Connect timeout",
     "torch", "ERROR", None, 342420, None, "ascend_direct_transport.cpp:1107",
     b"Connect timeout"),
    (b"F20251111 12:28:58.504206 214989 collective_service.cpp:37] Check failed: a == b",
     "torch", "CRITICAL", None, 214989, None, "collective_service.cpp:37",
     b"Check failed: a == b"),
    (b"[2024-12-05 09:28:49.347] [dicp] [critical] [model.cpp:209] 0 execute node[0] failed",
     "stamp", "CRITICAL", "dicp", None, "2024-12-05 09:28:49.347", "model.cpp:209",
     b"0 execute node[0] failed"),
    (b"[F  5/ 9 20:23:16.011 ...r/src/driver/huawei_ascend_npu/utility.cc:112 Load] Check failed",
     "torch", "CRITICAL", None, None, None,
     "...r/src/driver/huawei_ascend_npu/utility.cc:112", b"Check failed"),
    (b"2025-09-29 06:21:38.967642 [E:onnxruntime:Default, cann_call.cc:139 CannCall] CANN failure",
     "stamp", "ERROR", "onnxruntime", None, "2025-09-29 06:21:38.967642", "cann_call.cc:139",
     b"CANN failure"),
    (b"[2026-05-15 10:02:40,201 E 4511 4512] (raylet) main.cc:1032: Failed to connect",
     "stamp", "ERROR", "raylet", 4511, "2026-05-15 10:02:40.201", "main.cc:1032",
     b"Failed to connect"),
    (b"[2024-12-05 09:28:49.347] [warning] no name",
     "stamp", "WARNING", None, None, "2024-12-05 09:28:49.347", None, b"no name"),
    (b"[2025-09-15 04:33:27,151] torch.distributed.run: [WARNING] Setting OMP_NUM_THREADS",
     "stamp", "WARNING", "torch.distributed.run", None, "2025-09-15 04:33:27.151", None,
     b"Setting OMP_NUM_THREADS"),
    (b"INFO 01-12 10:59:14 [importing.py:17] Triton not installed",
     "vllm", "INFO", None, None, None, "importing.py:17", b"Triton not installed"),
    (b"2026-05-16 01:50:30 [ERROR] boom", "stamp", "ERROR", None, None, "2026-05-16 01:50:30",
     None, b"boom"),
    (b"2026-05-16T01:50:30Z boom", "stamp", None, None, None, "2026-05-16 01:50:30", None,
     b"boom"),
    (b"[ERROR]The strategy is ((8, 1))", "level", "ERROR", None, None, None, None,
     b"The strategy is ((8, 1))"),
    (b"(VllmWorker rank=1 pid=1503) ERROR 07-02 10:11:46 [multiproc_executor.py:522] [ERROR] "
     b"2025-07-02-10:11:46 (PID:1504, Device:1, RankID:-1) ERR02200 DIST call",
     "torch-npu", "ERROR", None, 1504, "2025-07-02 10:11:46", None, b"ERR02200 DIST call"),
    (b"(VllmWorker rank=1 pid=1503) ERROR 07-02 10:11:46 [multiproc_executor.py:522]     pg.recv(",
     "vllm", "ERROR", None, 1503, None, None, b"    pg.recv("),
    (b"2025-07-02T10:11:46.5Z stderr F [ERROR] HCCL(7,python):2025-07-02-10:11:45.000.000 x",
     "cann", "ERROR", "HCCL", 7, "2025-07-02 10:11:46.5", None, b"x"),
    (b"\x1b[36m[ERROR] HCCL(7,python):2025-07-02-10:11:45.000.000 x",
     "cann", "ERROR", "HCCL", 7, "2025-07-02 10:11:45", None, b"x"),
    (b"2025-07-02T10:11:46Z ERROR 07-02 10:11:46 [multiproc_executor.py:522]     pg.recv(",
     "vllm", "ERROR", None, None, "2025-07-02 10:11:46", None, b"    pg.recv("),
    (b"2025-07-02T10:11:46Z stdout F RuntimeError: boom",
     "stamp", None, None, None, "2025-07-02 10:11:46", None, b"RuntimeError: boom"),
    (b"[rank0]:[W726 02:00:13.29 compiler_depend.ts:526] x",
     "torch", "WARNING", None, None, None, "compiler_depend.ts:526", b"x"),
]


@pytest.mark.parametrize(
    ("line", "layout", "level", "component", "pid", "time", "location", "message"), FORMS)
def test_every_layout(line: bytes, layout: str, level: str | None, component: str | None,
                      pid: int | None, time: str | None, location: str | None,
                      message: bytes) -> None:
    found = prefix.parse(line)
    assert found is not None
    assert (found.layout, found.level, found.component, found.pid, found.location,
            line[found.start:]) == (layout, level, component, pid, location, message)
    if time is None:
        assert found.time is None
    else:
        meant = datetime.fromisoformat(time).replace(tzinfo=timezone.utc).timestamp()
        assert found.time == pytest.approx(meant, abs=1e-5)
    assert prefix.pid(line) == pid


@pytest.mark.parametrize("line", [
    b"", b" ", b"Traceback (most recent call last):", b'  File "a.py", line 1, in f',
    b"RuntimeError: boom", b'    "steps": 10,', b"}", b"[rank0]:   File x", b"EI0006: Getting",
    b"[Error]: The vector core execution is abnormal.", b"[devid 0]link up count       : 2",
    b"[const vector]{0, 1}", b"1.Spawned worker process number is not as expected.",
    # Push times of the data queue's report: written later than they say.
    b"2026-01-13-07:16:19.187.611 -> 2026-01-13-07:16:19.189.784",
    b"2026-01-13-08:24:23.072.571 ->",
])
def test_no_head(line: bytes) -> None:
    assert prefix.parse(line) is None
    assert prefix.pid(line) is None


def test_impossible_time_is_no_time() -> None:
    found = prefix.parse(b"2026-13-45 08:02:33,357 - mindformers[a.py:1] - INFO - x")
    assert found is not None
    assert found.time is None


@given(st.binary() | st.builds(
    lambda line, at, junk: line[:at] + junk, st.sampled_from([form[0] for form in FORMS]),
    st.integers(0, 200), st.binary(max_size=40)))
def test_never_raises(line: bytes) -> None:
    found = prefix.parse(line)
    if found is not None:
        assert 0 <= found.start <= len(line)
        assert found.level is None or found.level in LEVELS
    assert prefix.pid(line) == (None if found is None else found.pid)


CPP = st.fixed_dictionaries({
    "level": st.sampled_from(LEVELS),
    "component": st.from_regex(r"[A-Z]{2,8}(_[A-Z]{2,8})?", fullmatch=True),
    "pid": st.integers(1, 10**7),
    "time": st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1)),
    "file": st.from_regex(r"[a-z]{1,9}(/[a-z_0-9]{1,12}){0,5}\.(cc|h|py)", fullmatch=True),
    "line": st.integers(1, 99999),
    "message": st.text(st.characters(codec="utf-8", exclude_characters="\r\n[]"), max_size=80),
})


@given(CPP)
def test_generated_mindspore_records(parts: dict[str, object]) -> None:
    time = parts["time"]
    assert isinstance(time, datetime)
    stamp = f"{time:%Y-%m-%d-%H:%M:%S}.{time:%f}"
    line = ("[{level}] {component}({pid},7f4c42ab8b80,python):" + stamp[:-3] + "." + stamp[-3:]
            + " [{file}:{line}] Run] {message}").format(**parts).encode()
    found = prefix.parse(line)
    assert found is not None
    assert (found.level, found.component, found.pid) == (
        parts["level"], parts["component"], parts["pid"])
    assert found.location == f"{parts['file']}:{parts['line']}"
    assert found.time == pytest.approx(time.replace(tzinfo=timezone.utc).timestamp(), abs=1e-5)
    assert line[found.start:].decode() == parts["message"]
