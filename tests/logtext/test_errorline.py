"""What looks like an error."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.logtext import errorline, prefix

ERRORS = [
    b"[ERROR] HCCL(42863,python3):2026-07-15-02:51:22.192.403 [a.cc:797] [16466]anything",
    b"[CRITICAL] KERNEL(44957,ffff1bc78d71,python):2025-03-30-05:35:47.128.980 [a.cc:494] F] x",
    b"[EXCEPTION] GE(385296,ffffda0aa3f4,python):2025-04-01-15:33:46.184.063 [a.cc:233] Run] x",
    b"[ERROR]The strategy is ((8, 1)), shape 4 can not be divisible by strategy value 8",
    b"2026-11-30 08:02:33,357 - mindformers./output/log[a.py:7] - ERROR - Monitor x flush failed",
    b"2026-11-30 08:02:33,357 - my.trainer - CRITICAL - x",
    b"[ERROR] 2026-02-14-22:07:21 (PID:9436, Device:0, RankID:-1) ERR00100 PTA call",
    b"[E socket.cpp:472] [c10d] The server socket has failed to listen",
    b"ERROR:root:x",
    b"[W610 17:20:44.224261525 NPUStream.cpp:647] Warning: NPU warning, error code is 507034[E",
    b"E20260608 14:45:44.404089 342420 ascend_direct_transport.cpp:1107] Connect timeout",
    b"[2024-12-05 09:28:49.347] [dicp] [critical] [model.cpp:209] node[0] gave up",
    b"(VllmWorker rank=1 pid=1503) ERROR 07-02 10:11:46 [multiproc_executor.py:522]   pg.recv(",
    b"RuntimeError: Tensors must be contiguous",
    b"torch.cuda.CudaError: x",
    b"mindspore.common.exceptions.FooException: x",
    b"KeyboardInterrupt",
    b"Exception: ASCEND_OPP_PATH environment variable is not set.",
    b"[rank3]: Exception: no data",
    b"AssertionError",
    b"Traceback (most recent call last):",
    b"EI0006: Getting socket times out.",
    b"EL9999  [drv api] halQueueQueryInfo failed",
    b"[PID: 13283] 2025-07-25-07:04:52.677.189 Execution_Error_SDMA(EI0012): SDMA memory copy",
    b"[rank0]: EE9999: Inner Error!",
    b"[Error]: The vector core execution is abnormal.",
    b"Segmentation fault (core dumped)",
    b"train.sh: line 3: 12345 Segmentation fault      python train.py",
    b"Aborted (core dumped)",
    b"Killed",
    b"Fatal Python error: Segmentation fault",
    b"terminate called after throwing an instance of 'std::runtime_error'",
    b"python: error while loading shared libraries: libge_compiler.so: cannot open shared object",
    b"Out of Memory!!! total[32212254720]",
    b"NPU out of memory. Tried to allocate 2 GiB",
    b"OSError: [Errno 28] No space left on device",
    b"bash: msrun: command not found",
    b"dcmi module initialize failed. ret is -8005",
    b"error msg: davinci_model : load task fail, return ret: 1343225860",
    b"Type Join Failed: dtype1 = Float32, dtype2 = Float16.",
    b"        open device 0 failed, runtime result = 507033.",
    b"        The error from device(chipId:4), exception of aivector error, error code = 0, dump",
    b"train.py: error: unrecognized arguments: --foo",
    b"Node Type=0x63; Sensor Type=0xc0; event_id:  [0x80c78008]",
    # one record inside another
    b"2026-11-30 08:02:33,357 - mindformers[a.py:7] - INFO - { step:[ERROR] HCCL(42863,python3):",
]
HARMLESS = [
    b"",
    b"event id=0x17f0a8c0b0",
    b"event_id: 2147483658",
    b"}",
    b"2026-11-30 08:02:33,357 - mindformers./output/log[a.py:7] - INFO - max error 0.1",
    b"2026-11-30 08:02:33,357 - mindformers./output/log[a.py:7] - WARNING - RuntimeError: caught",
    b"[WARNING] DISTRIBUTED(9003,7f4c42ab8b80,python):2026-11-30-08:03:48.502.785 [a.cc:485] "
    b"Connect] Failed to connect to the meta server node url: 127.0.0.1:8118",
    b"[INFO] HCCL(162691,python3):2025-07-05-07:42:38.436.788 [a.cc:407] [1]error switch off",
    b"WARNING 01-12 10:59:15 _custom_ops.py:19] Failed to import from vllm._C with "
    b"ModuleNotFoundError(\"No module named 'vllm._C'\")",
    b"compiled with 0 errors and 3 warnings",
    b"12 passed, 0 failed",
    b"no errors found",
    b"finished without any error.",
    b"error_code: 0",
    b"error code: 0",
    b"errors: 0, failed: 0",
    b"return code 0, error: None",
    b"        Solution: Check whether other NPUs failed.",
    b"        Possible Cause: 1. The operation failed.",
    b"- Ascend Error Message:",
    b'(Please search "Ascend Error Message" at https://www.mindspore.cn for error code)',
    b"error_handling: strict",
    b"saving to /data/errors/x",
    b"Loading checkpoint shards: 100%|####| 2/2 [00:12<00:00,  6.04s/it]",
    b"a/b.py:3: UserWarning: the error function erf is slow",
    b"Topology build timed out., retry(3/120)",
    b"Cluster is successfully initialized.",
]


@pytest.mark.parametrize("line", ERRORS)
def test_errors(line: bytes) -> None:
    assert errorline.is_error(line, prefix.parse(line))


@pytest.mark.parametrize("line", HARMLESS)
def test_harmless(line: bytes) -> None:
    assert not errorline.is_error(line, prefix.parse(line))


@given(st.binary())
def test_never_raises(line: bytes) -> None:
    errorline.is_error(line, prefix.parse(line))
