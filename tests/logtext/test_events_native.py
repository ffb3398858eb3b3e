"""Crash reports: faulthandler dumps and C++ terminate."""

from __future__ import annotations

from tests.logtext.support import read, read_one

DUMP = """\
Fatal Python error: Segmentation fault

Thread 0x00007fb05af1b6c0 (most recent call first):
  File "/usr/lib/python3.11/threading.py", line 982 in run
  File "/usr/lib/python3.11/threading.py", line 1002 in _bootstrap

Current thread 0x00007fb05bcb0b80 (most recent call first):
  File "/usr/lib/python3.11/ctypes/__init__.py", line 519 in string_at
  File "/home/user/job/train.py", line 5 in crash
  File "/home/user/job/train.py", line 6 in <module>

Extension modules: numpy.core._multiarray_umath (total: 1)
"""


def test_faulthandler_dump() -> None:
    event = read_one(DUMP + "plain\n")
    assert (event.kind, event.title, event.line, event.end_line) == (
        "native", "Segmentation fault", 1, 12)
    assert event.message == "Fatal Python error: Segmentation fault"
    assert event.frames == 3
    assert event.innermost is not None and event.innermost.function == "string_at"
    assert event.user_frame is not None
    assert (event.user_frame.line, event.user_frame.at) == (5, 9)
    assert [title for title, _ in event.sections] == [
        "Thread 0x00007fb05af1b6c0 (most recent call first)",
        "Current thread 0x00007fb05bcb0b80 (most recent call first)"]


def test_records_before_the_stacks_are_passed_over() -> None:
    record = "[INFO] DISTRIBUTED(1,7f,python):2026-11-30-08:08:09.388.931 [a.cc:367] Start] ok\n"
    lines = DUMP.splitlines(keepends=True)
    event = read_one(lines[0] + record + "".join(lines[1:]))
    assert event.frames == 3
    assert "Start]" not in event.message


def test_terminate() -> None:
    event = read_one("""\
terminate called after throwing an instance of 'std::runtime_error'
  what():  The pointer[stream] is null.

----------------------------------------------------
- C++ Call Stack: (For framework developers)
----------------------------------------------------
mindspore/ccsrc/runtime/device/kernel_runtime.cc:124 LockRuntime

Fatal Python error: Aborted

Current thread 0x00007f493760db80 (most recent call first):
  File "/home/user/job/train.py", line 4 in <module>
""")
    assert (event.title, event.message_line, event.end_line) == ("std::runtime_error", 2, 12)
    assert event.message.splitlines()[0] == "The pointer[stream] is null."
    assert event.sections[0] == (
        "C++ Call Stack", "mindspore/ccsrc/runtime/device/kernel_runtime.cc:124 LockRuntime")
    assert event.user_frame is not None and event.user_frame.line == 4


def test_terminate_without_what() -> None:
    event = read_one("terminate called without an active exception\nAborted (core dumped)\n")
    assert (event.title, event.end_line) == ("terminate", 1)
    assert event.message == "terminate called without an active exception"


def test_watchdog_dump_without_a_fatal_error() -> None:
    event = read_one(
        'Thread 0x00007fb0 (most recent call first):\n  File "/home/user/a.py", line 3 in wait\n')
    assert (event.title, event.frames) == ("Thread dump", 1)


def test_unknown_line_of_a_frame() -> None:
    event = read_one(DUMP.replace("line 519", "line ???"))
    assert event.innermost is not None and event.innermost.line == 0


def test_crash_behind_a_traceback() -> None:
    events = read("Traceback (most recent call last):\nValueError: x\n" + DUMP)
    assert [event.kind for event in events] == ["traceback", "native"]
    assert events[0].message == "x"


def test_a_block_of_cann_below_a_crash_is_an_event_of_its_own() -> None:
    crash, block = read("""\
terminate called after throwing an instance of 'c10::Error'
  what():  The inner error is reported as above.
EI0006: [PID: 7] 2025-12-29-03:16:15.787.356 Getting socket times out. Reason: 1.
        Possible Cause: the peer did not start.
        Solution: start it.
plain
""")
    assert (crash.kind, crash.title, crash.line, crash.end_line) == (
        "native", "c10::Error", 1, 2)
    assert (block.kind, block.title, block.line, block.end_line) == ("cann", "EI0006", 3, 5)


def test_a_block_that_the_crash_announces_by_a_code_is_part_of_what_it_says() -> None:
    [crash] = read("""\
terminate called after throwing an instance of 'std::runtime_error'
  what():  [Rank 7] watchdog: NPU function error: query, error code is 507014
[ERROR] 2025-12-12-12:10:10 (PID:285, Device:4, RankID:-1) ERR00100 PTA call acl api failed
EH9999: Inner Error!
        rtEventQueryStatus execute failed, reason=[aicore timeout]
""")
    assert {"507014", "EH9999"} <= set(crash.codes) and crash.end_line == 5
