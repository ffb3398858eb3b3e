"""CANN error blocks in every wrapping that CANN releases gave them."""

from __future__ import annotations

import re

import pytest

from assistant.logtext import cann_reader
from assistant.logtext.events import EventReader
from tests.logtext.support import read, read_one


@pytest.mark.parametrize(("line", "code", "pid", "message"), [
    ("EI0006: Getting socket times out. Reason: 1. x",
     "EI0006", None, "Getting socket times out. Reason: 1. x"),
    ("EI0006: 2024-08-05-18:15:21.270.506 Getting socket times out. Reason: 1. x",
     "EI0006", None, "Getting socket times out. Reason: 1. x"),
    ("EI0006: [PID: 1292363] 2025-04-08-18:07:20.444.436 Getting socket times out.",
     "EI0006", 1292363, "Getting socket times out."),
    ("[PID: 749] 2025-12-29-03:16:15.787.356 Get_Socket_Timeout(EI0006): Getting socket times out.",
     "EI0006", 749, "Getting socket times out."),
    ("[PID:2061174]2026-11-11-11:20:37.618.984Config_Error_Invalid_Environment_Variable(EI0001): "
     "Value 12", "EI0001", 2061174, "Value 12"),
    ("[PID: 3518780] 2025-06-09-00:01:44.878.310 Execution Error ROCE CQE(EI0013): An error CQE",
     "EI0013", 3518780, "An error CQE"),
    ("EZ9999[PID: 1] 2025-05-26-16:49:02.961.321 Inner_Error(EZ9999): something",
     "EZ9999", 1, "something"),
    ("EH9999  [Init][Env]init env failed![FUNC:A][FILE:b.cpp][LINE:145]",
     "EH9999", None, "[Init][Env]init env failed![FUNC:A][FILE:b.cpp][LINE:145]"),
    ("[rank1]: EI0009: [PID: 5465395] 2026-09-20-20:38:37.654.066 Transport init error.",
     "EI0009", 5465395, "Transport init error."),
    ("(TaskRunner pid=354076) EJ0001: [PID: 471714] 2025-11-06-00:59:40.708.866 Failed to init",
     "EJ0001", 471714, "Failed to init"),
    ("[CRITICAL] DEVICE(30650,ffff4d5b0dc6,python):2025-08-21-18:50:37.275.576 [mindspore/ccsrc/"
     "a.cc:112] Initialize] Ascend collective communication initialization failed.Ascend Error "
     "Message:EJ0001: Failed to initialize the HCCP process.",
     "EJ0001", 30650, "Failed to initialize the HCCP process."),
])
def test_first_lines(line: str, code: str, pid: int | None, message: str) -> None:
    launcher = re.match(r"(\[rank\d\]: |\(TaskRunner pid=\d+\) )?", line)
    assert launcher
    event = read_one(f"{line}\n{launcher[0]}        Solution: wait.\n{launcher[0]}something else\n")
    assert (event.kind, event.title, event.pid) == ("cann", code, pid)
    assert event.message == message
    assert event.sections == (("Solution", "wait."),)
    assert event.end_line == 2
    assert event.codes[0] == code


@pytest.mark.parametrize("line", [
    "error code is 507011",
    "RuntimeError: ({'errCode': 'E80000', 'op_name': 'x'})",
    "checkpoint EP0001_step10.ckpt saved",
    "value 0xE12345: ok",
    "[E426 10:55:17.300185212 OpParamMaker.cpp:454] operator()",
])
def test_lines_that_only_look_like_it(line: str) -> None:
    assert cann_reader.head(line) is None
    assert read(line) == []


def test_reason_below_inner_error() -> None:
    event = read_one("""\
[rank0]: EE9999: Inner Error!
[rank0]: EE9999: [PID: 261001] 2025-09-14-12:08:42.214.335 get error: phyid:1 realDeviceId:1
[rank0]:         TraceBack (most recent call last):
[rank0]:        rtGetDeviceIndexByPhyId execute failed, reason=[device id error][FUNC:A][FILE:b]
""")
    assert (event.title, event.rank, event.pid) == ("EE9999", 0, 261001)
    assert event.message == "get error: phyid:1 realDeviceId:1"
    assert (event.line, event.message_line, event.end_line) == (1, 2, 4)
    assert event.sections[0][0] == "TraceBack (most recent call last)"
    assert event.kind == "cann"


def test_inner_error_alone() -> None:
    event = read_one("EZ9999: Inner Error!\n        TraceBack (most recent call last):\n    x\n")
    assert (event.message, event.message_line) == ("Inner Error!", 1)


def test_codes_inside_are_collected() -> None:
    event = read_one("""\
EE1002: 2026-05-06-10:06:58.238.231 Stream synchronize timeout.
        Possible Cause: 1. The timeout interval may be improperly set.
        Solution: 1. Check whether the timeout interval is properly set.
        TraceBack (most recent call last):
        wait for compute device to finish failed, runtime result = 507046.[FUNC:A][FILE:b][LINE:1]
 (function npuSynchronizeUsedDevices)
""")
    assert event.codes == ("EE1002", "507046")
    assert [title for title, _ in event.sections] == [
        "Possible Cause", "Solution", "TraceBack (most recent call last)"]
    assert event.end_line == 6


def test_unindented_traceback_of_cann() -> None:
    event = read_one("""\
EL9999: Inner Error!
EL9999  [drv api] halQueueEnQueueBuff failed: drvRetCode=27.[FUNC:MemQueue][FILE:a.cc][LINE:3205]
TraceBack (most recent call last):
rtMemQueueEnQueueBuff execute failed, reason=[hdc send msg fail][FUNC:A][FILE:b.cc][LINE:49]
""")
    assert event.end_line == 4
    assert event.message.startswith("[drv api] halQueueEnQueueBuff")


def test_open_bracket_goes_on() -> None:
    event = read_one("""\
EI0002: [PID: 5212] 2025-07-01-03:48:01.026.648 The wait of the Notify register times out: [
there are(is) 1 abnormal device(s):
    Cluster Exception Location[IP/ID]:[192.0.2.122/1], ExceptionType:[Heartbeat Lost Occurred]
]
        Possible Cause: 1. An exception occurs
""")
    assert event.end_line == 5
    assert "Heartbeat Lost" in event.message


def test_ends_at_records_and_shell_lines() -> None:
    record = ("[CRITICAL] DEVICE(30650,ffff4d5b0dc6,python):2025-08-21-18:50:37.284.280 "
              "[mindspore/ccsrc/a.cc:124] LockRuntime] The pointer[stream] is null.")
    for other in (record, "\nAborted (core dumped)", "epoch 3", '\n  "training": {'):
        event = read_one(f"EZ9999: Inner Error!\n        why[FUNC:A][FILE:b][LINE:1]\n{other}\n")
        assert event.end_line == 2


def test_blocks_of_two_processes_are_two() -> None:
    line = "[PID: {}] 2026-03-25-12:24:13.902.108 Insufficient(EL0009): no streams.\n"
    assert [event.pid for event in read(line.format(1) + line.format(2))] == [1, 2]


def test_block_under_a_title() -> None:
    event = read_one("""\
- Ascend Error Message:
----------------------------------------------------
E39999: Inner Error!
E39999  TsdOpen failed. devId=0, tdt error=31[FUNC:PrintfTsdError][FILE:runtime.cc][LINE:2060]
        TraceBack (most recent call last):
        open device 0 failed, runtime result = 507033.[FUNC:A][FILE:log_inner.cpp][LINE:161]

(Please search "Ascend Error Message" at https://www.mindspore.cn for error code description)
""")
    assert (event.kind, event.title, event.message_line) == ("cann", "E39999", 4)
    assert event.message.startswith("TsdOpen failed.")
    assert event.codes == ("E39999", "507033")
    assert event.end_line == 8


def test_block_in_the_middle_of_a_traceback_keeps_both() -> None:
    events = read("""\
Traceback (most recent call last):
  File "a.py", line 1, in f
EI0006: Getting socket times out.
        Solution: 1. Check the rank service processes.
    g()
ValueError: x
""")
    assert {(event.kind, event.title) for event in events} == {
        ("traceback", "ValueError"), ("cann", "EI0006")}


def test_a_block_that_begins_with_a_section_has_a_place_for_its_message() -> None:
    reader = EventReader()
    for number, line in enumerate((b"- Ascend Error Message:", b"        Solution: wait",
                                   b"EE9999: Inner Error!"), 1):
        reader.feed(number, line, None)
    reader.close()
    assert [event.message_line for event in reader.take()] == [1]


def test_only_the_first_line_of_a_message_has_the_launchers_prefix() -> None:
    text = ("[rank3]:[W1031 21:35:04.8380067 compiler_depend.ts:57] Warning: EZ9999: Inner Error!\n"
            "EZ9999: [PID: 6967] 2026-10-31-21:35:03.992.057 The error from device(chipId:7)\n"
            "        TraceBack (most recent call last):\n"
            "       Kernel task happen error.[FUNC:PreCheckTaskErr][FILE:task.cc][LINE:1539]\n")
    event = read_one(text)
    assert (event.rank, event.line, event.end_line) == (3, 1, 4)


def test_a_line_of_nobody_below_anothers_prefixed_traceback_stays_its_own() -> None:
    text = ("[rank3]: Traceback (most recent call last):\n"
            "Traceback (most recent call last):\n"
            '  File "a.py", line 1, in <module>\n'
            "ValueError: mine\n"
            '[rank3]:   File "b.py", line 2, in <module>\n'
            "[rank3]: KeyError: 'theirs'\n")
    assert [(e.title, e.rank) for e in read(text)] == [("KeyError", 3), ("ValueError", None)]
