"""Python tracebacks as they stand in worker logs and consoles."""

from __future__ import annotations

import sys
import traceback

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.evidence.types import Event
from assistant.logtext.events import EventReader

RAISED = """\
Traceback (most recent call last):
  File "/home/user/job/train.py", line 95, in <module>
    raise RuntimeError("Data loader returned an empty batch at sample 137")
RuntimeError: Data loader returned an empty batch at sample 137
[INFO] DISTRIBUTED(15537,7fb4e37fe6c0,python):2026-11-30-08:08:09.388.931 [mindspore/ccsrc/\
cluster/rpc/core/communicator/tcp_client.cc:367] Start] Event base dispatch success!
"""

LAUNCH = """\
Traceback (most recent call last):
  File "/home/user/job/train.py", line 92, in <module>
    opt(grads)
  File "/usr/local/lib/python3.11/site-packages/mindspore/nn/cell.py", line 1420, in __call__
    return self.construct(*args, **kwargs)
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/usr/local/lib/python3.11/site-packages/mindspore/graph/api.py", line 1907, in grad_jit
    output = self._executor.grad_jit(*args)
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
RuntimeError: Launch kernel failed, name:Default/AllReduce-op0

----------------------------------------------------
- C++ Call Stack: (For framework developers)
----------------------------------------------------
mindspore/ccsrc/pynative/utils/runtime/op_runner.cc:671 LaunchKernels

[INFO] DISTRIBUTED(15536,7f33a109a6c0,python):2026-11-30-08:08:39.706.923 [mindspore/ccsrc/\
cluster/rpc/core/communicator/tcp_client.cc:367] Start] Event base dispatch success!
"""

CLUSTER = """\
Traceback (most recent call last):
  File "/home/user/job/train.py", line 43, in <module>
    init()
  File "/usr/local/lib/python3.11/site-packages/mindspore/communication/management.py", line 210, \
in init
    init_cluster()
RuntimeError: Failed to initialize distributed job cluster because some processes in the \
cluster are not successfully spawned. It may be one of the following reasons:
1.Spawned worker process number is not as expected.
2.Configured scheduler port MS_SCHED_PORT is occupied by other processes.
3.Scheduler and worker's configured MS_SCHED_HOST or MS_SCHED_PORT is not consistent with each \
other.

----------------------------------------------------
- C++ Call Stack: (For framework developers)
----------------------------------------------------
mindspore/ccsrc/cluster/init.cc:37 Initialize
"""

CHAINED = """\
Traceback (most recent call last):
  File "/tmp/b/p_chain.py", line 4, in f
    try: g()
         ^^^
KeyError: 'a'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/tmp/b/p_chain.py", line 6, in f
    raise ValueError("bad value") from e
ValueError: bad value

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/tmp/b/p_chain.py", line 9, in <module>
    raise RuntimeError("Error in training step 5")
RuntimeError: Error in training step 5
"""

GROUP = """\
  + Exception Group Traceback (most recent call last):
  |   File "/tmp/b/p_group.py", line 12, in main
  |     raise ExceptionGroup("eg", errs)
  | ExceptionGroup: eg (3 sub-exceptions)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/tmp/b/p_group.py", line 6, in main
    |     try: f()
    |          ^^^
    | ValueError: one
more of one
    +---------------- 2 ----------------
    | TypeError: two
    +---------------- 3 ----------------
    | Exception Group Traceback (most recent call last):
    |   File "/tmp/b/p_group.py", line 10, in main
    |     raise ExceptionGroup("inner", [KeyError("k")])
    | ExceptionGroup: inner (1 sub-exception)
    +-+---------------- 1 ----------------
      | KeyError: 'k'
      +------------------------------------
"""


def read(text: str) -> list[Event]:
    reader = EventReader()
    for number, line in enumerate(text.encode().split(b"\n"), 1):
        reader.feed(number, line, None)
    reader.close()
    assert not reader.open
    return reader.take()


def read_one(text: str) -> Event:
    events = read(text)
    assert len(events) == 1, events
    return events[0]


def test_exception_of_user_code() -> None:
    event = read_one(RAISED)
    assert (event.kind, event.line, event.end_line, event.complete) == ("traceback", 1, 4, True)
    assert event.title == "RuntimeError"
    assert event.message == "Data loader returned an empty batch at sample 137"
    assert (event.message_line, event.frames) == (4, 1)
    assert event.innermost is not None and event.innermost == event.user_frame
    assert (event.innermost.file, event.innermost.line) == ("/home/user/job/train.py", 95)
    assert (event.innermost.function, event.innermost.at) == ("<module>", 2)
    assert event.innermost.code.startswith("raise RuntimeError(")


def test_library_frame_is_not_the_users() -> None:
    event = read_one(LAUNCH)
    assert event.frames == 3
    assert event.innermost is not None and event.innermost.function == "grad_jit"
    assert event.innermost.code == "output = self._executor.grad_jit(*args)"
    assert event.user_frame is not None and event.user_frame.line == 92
    assert event.user_frame.code == "opt(grads)"


def test_block_below_the_message() -> None:
    event = read_one(LAUNCH)
    assert event.message == "Launch kernel failed, name:Default/AllReduce-op0"
    assert event.sections == (
        ("C++ Call Stack",
         "mindspore/ccsrc/pynative/utils/runtime/op_runner.cc:671 LaunchKernels"),
    )
    assert event.end_line == 15


def test_list_of_reasons_belongs_to_the_message() -> None:
    event = read_one(CLUSTER)
    assert event.message.count("\n") == 3
    assert event.message.endswith("is not consistent with each other.")
    assert [title for title, _ in event.sections] == ["C++ Call Stack"]


def test_records_in_between_are_passed_over() -> None:
    record = ("[WARNING] DISTRIBUTED(15537,7fb52647db80,python):2026-11-30-08:07:59.357.188 "
              "[mindspore/ccsrc/cluster/rpc/tcp/tcp_comm.cc:485] Connect] Connection 13\n")
    lines = RAISED.splitlines(keepends=True)
    event = read_one("".join((*lines[:2], record, lines[2], record, *lines[3:])))
    assert event.message == "Data loader returned an empty batch at sample 137"
    assert (event.line, event.end_line, event.frames) == (1, 6, 1)
    assert "Connection" not in event.message


def test_part_tells_the_events_lines_from_those_passed_over() -> None:
    reader = EventReader()
    feeds = (
        (b"Traceback (most recent call last):", True, True),
        (b"[WARNING] ME(1,7f,python):2026-11-30-08:07:59.357.188 [a.cc:1] F] x", True, False),
        (b"KeyError: 'a'", True, True),
        (b"[WARNING] ME(1,7f,python):2026-11-30-08:07:59.357.188 [a.cc:1] F] x", False, False),
    )
    for number, (line, taken, part) in enumerate(feeds, 1):
        assert (reader.feed(number, line, None), reader.part) == (taken, part)
    assert not reader.open
    assert [event.title for event in reader.take()] == ["KeyError"]


def test_back_to_back() -> None:
    text = ("Traceback (most recent call last):\n"
            '  File "/home/user/job/train.py", line 31, in <module>\n'
            "    import a_module_that_is_not_there  # noqa: F401\n"
            "ModuleNotFoundError: No module named 'a_module_that_is_not_there'\n")
    events = read(text * 4)
    assert [event.line for event in events] == [1, 5, 9, 13]
    assert {event.title for event in events} == {"ModuleNotFoundError"}


def test_chained_exceptions_are_one_event() -> None:
    event = read_one(CHAINED)
    assert (event.title, event.message, event.message_line) == (
        "RuntimeError", "Error in training step 5", 19)
    assert event.chain == (("KeyError", "'a'", 5), ("ValueError", "bad value", 12))
    assert event.frames == 3


def test_chain_that_breaks_off() -> None:
    event = read_one("\n".join(CHAINED.splitlines()[:10]))
    assert not event.complete
    assert event.title == "KeyError"


def test_exception_group() -> None:
    event = read_one(GROUP)
    assert (event.title, event.message) == ("ExceptionGroup", "eg (3 sub-exceptions)")
    assert event.chain == (
        ("ValueError", "one\nmore of one", 10),
        ("TypeError", "two", 13),
        ("ExceptionGroup", "inner (1 sub-exception)", 18),
        ("KeyError", "'k'", 20),
    )
    assert event.end_line == 21


def test_exception_after_a_group() -> None:
    event = read_one(
        GROUP + "\nThe above exception was the direct cause of the following exception:\n\n"
        'Traceback (most recent call last):\n  File "a.py", line 5, in <module>\n    f()\n'
        "RuntimeError: after\n")
    assert (event.title, event.message) == ("RuntimeError", "after")
    assert [name for name, _, _ in event.chain] == [
        "ExceptionGroup", "ValueError", "TypeError", "ExceptionGroup", "KeyError"]


def test_no_frames() -> None:
    event = read_one(
        "Traceback (most recent call last):\n"
        "TypeError: Cannot join the return values of different branches.\n"
        "Type Join Failed: dtype1 = Float32, dtype2 = Float16.\n")
    assert event.innermost is None
    assert event.message.endswith("\nType Join Failed: dtype1 = Float32, dtype2 = Float16.")


@pytest.mark.parametrize(("line", "title", "message"), [
    ("KeyboardInterrupt", "KeyboardInterrupt", ""),
    ("SystemExit: 3", "SystemExit", "3"),
    ("queue.Empty", "queue.Empty", ""),
    ("mypackage.errors.Oops: a: b", "mypackage.errors.Oops", "a: b"),
    ("Oops: a b", "Oops", "a b"),
    ("TooMuch", "TooMuch", ""),
    ("AssertionError", "AssertionError", ""),
    ("ray.exceptions.RayTaskError(ValueError): x", "ray.exceptions.RayTaskError(ValueError)", "x"),
])
def test_kinds_of_exception_lines(line: str, title: str, message: str) -> None:
    event = read_one(
        f'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\n{line}\n')
    assert (event.title, event.message) == (title, message)


def test_other_output_is_no_exception_line() -> None:
    event = read_one(
        'Traceback (most recent call last):\nepoch 3: good\n  File "a.py", line 1, in f\n'
        "0.53 it/s: fine\n    g()\nValueError: x\n")
    assert (event.title, event.end_line) == ("ValueError", 6)


def test_syntax_error() -> None:
    event = read_one(
        'Traceback (most recent call last):\n  File "/tmp/p_syn.py", line 1, in <module>\n'
        '    import p_synb\n  File "/tmp/p_synb.py", line 1\n    x = (1,\n        ^\n'
        "SyntaxError: '(' was never closed\n")
    assert event.innermost is not None
    assert (event.innermost.file, event.innermost.line) == ("/tmp/p_synb.py", 1)
    assert event.innermost.code == "x = (1,"


def test_repeated_lines_count_as_frames() -> None:
    event = read_one(
        'Traceback (most recent call last):\n  File "a.py", line 2, in f\n    f()\n'
        "  [Previous line repeated 996 more times]\nRecursionError: too deep\n")
    assert event.frames == 997
    assert event.innermost is not None and event.innermost.code == "f()"


def test_long_recursion_is_read_to_its_end() -> None:
    frame = '  File "a.py", line 2, in f\n    g()\n  File "a.py", line 4, in g\n    f()\n'
    event = read_one("Traceback (most recent call last):\n" + frame * 1200 + "RecursionError: x\n")
    assert (event.title, event.frames, event.complete) == ("RecursionError", 2400, True)


def test_broken_off_in_the_frames() -> None:
    event = read_one('Traceback (most recent call last):\n  File "a.py", line 1, in f\n')
    assert (event.title, event.complete, event.frames) == ("", False, 1)


def test_message_ends_at_launcher_and_progress_lines() -> None:
    text = "Traceback (most recent call last):\nValueError: x\n"
    for noise in ("msrun exit code: 1", "Aborted (core dumped)",
                  "Loading checkpoint shards:  42%|████      | 16/38 [00:14<00:19,  1.13it/s]",
                  "/usr/lib/python3.10/resource_tracker.py:224: UserWarning: 30 leaked"):
        event = read_one(text + noise + "\n")
        assert (event.message, event.end_line) == ("x", 2)


def test_progress_bar_before_the_header() -> None:
    event = read_one(
        " 10%|█     | 1/10 [00:01<00:09]Traceback (most recent call last):\n"
        '  File "a.py", line 1, in f\n    g()\nValueError: x\n')
    assert (event.line, event.title) == (1, "ValueError")


def test_torch_npu_message_holds_records_and_a_cann_block() -> None:
    event = read_one(
        "Traceback (most recent call last):\n"
        '  File "/usr/lib/python3.10/site-packages/torch_npu/npu/utils.py", line 47, in f\n'
        "    torch_npu._C._npu_setDevice(device_id)\n"
        "RuntimeError: Initialize:torch_npu/sys_ctrl.cpp:133 NPU error, error code is 507033\n"
        "[ERROR] 2026-02-14-22:07:21 (PID:9436, Device:0, RankID:2) ERR00100 PTA call failed\n"
        "[Error]: Failed to start the device.\n"
        "        Rectify the fault based on the error information in the ascend log.\n"
        "E30003: The number of started NN processes exceeds the limit.\n"
        "        Possible Cause: Something wrong with queue_schedule.\n"
        "        TraceBack (most recent call last):\n"
        "        open device 7 failed, runtime result = 507033.[FUNC:A][FILE:b.cpp][LINE:161]\n")
    assert event.message.endswith("in the ascend log.")
    assert event.end_line == 11
    assert dict(event.sections)["Ascend Error Message"].startswith("E30003: The number")
    assert event.codes == ("507033", "ERR00100", "E30003")
    assert (event.pid, event.rank) == (9436, 2)


def test_quoted_traceback_of_a_worker() -> None:
    event = read_one(
        "Traceback (most recent call last):\n"
        '  File "/home/user/train.py", line 9, in <module>\n    for b in loader:\n'
        "KeyError: Caught KeyError in DataLoader worker process 0.\n"
        "Original Traceback (most recent call last):\n"
        '  File "/home/user/data.py", line 14, in __getitem__\n    return self.items["x"]\n'
        "KeyError: 'x'\n")
    assert event.message.startswith("Caught KeyError")
    assert event.chain == (("KeyError", "'x'", 8),)
    assert event.innermost is not None and event.innermost.function == "__getitem__"


def test_dataset_error_with_three_parts() -> None:
    event = read_one(
        "Traceback (most recent call last):\n"
        "RuntimeError: Exception thrown from dataset pipeline. Refer to 'Dataset Pipeline "
        "Error Message'.\n\n"
        + "-" * 66 + "\n- Python Call Stack: \n" + "-" * 66 + "\n"
        "map operation: [PyFunc] failed. Error description:\n"
        "RuntimeError: Traceback (most recent call last):\n"
        '  File "/home/user/aug.py", line 7, in flip\n    return x[::-1]\n'
        "TypeError: 'int' object is not subscriptable\n\n"
        + "-" * 66 + "\n- Dataset Pipeline Error Message: \n" + "-" * 66 + "\n"
        "[ERROR] Execute user Python code failed, check 'Python Call Stack' above.\n\n"
        + "-" * 66 + "\n- C++ Call Stack: (For framework developers) \n" + "-" * 66 + "\n"
        "mindspore/ccsrc/minddata/dataset/kernels/py_func_op.cc(143).\n\n\n")
    assert [title for title, _ in event.sections] == [
        "Python Call Stack", "Dataset Pipeline Error Message", "C++ Call Stack"]
    assert event.chain == (("TypeError", "'int' object is not subscriptable", 11),)
    assert event.user_frame is not None and event.user_frame.function == "flip"


def test_launcher_prefixes_are_taken_off() -> None:
    head = "(VllmWorker rank=1 pid=1503) ERROR 07-02 10:11:46 [multiproc_executor.py:522] "
    text = 'Traceback (most recent call last):\n  File "a.py", line 2, in b\n    c()\nValueError: x'
    event = read_one("\n".join(head + line for line in text.split("\n")))
    assert (event.title, event.rank, event.pid, event.frames) == ("ValueError", 1, 1503, 1)


def test_fragment_without_header() -> None:
    head = "(TaskRunner pid=354076) "
    text = ('  File "/home/user/a.py", line 4159, in barrier\n    work = group.barrier()\n'
            "RuntimeError: HCCL function error")
    event = read_one("\n".join(head + line for line in text.split("\n")))
    assert (event.title, event.line, event.complete) == ("RuntimeError", 1, True)


def test_stack_without_an_exception_is_no_event() -> None:
    assert read('  File "a.py", line 2, in b\n    traceback.print_stack()\nand on it goes\n') == []


def test_bare_exception_line_is_no_event() -> None:
    assert read("ModuleNotFoundError: No module named 'te'\n") == []


def test_logger_that_prefixes_every_line() -> None:
    head = "[ERROR] 2026-06-09 10:20:30 [mindformers/a.py:231] run: "
    text = 'Traceback (most recent call last):\n  File "a.py", line 2, in b\n    c()\nValueError: x'
    event = read_one("\n".join(head + line for line in text.split("\n")))
    assert (event.title, event.message, event.frames) == ("ValueError", "x", 1)


def test_exception_that_was_ignored_says_so() -> None:
    event = read_one(
        "Exception ignored in: <function A.__del__ at 0x7f70fce05bc0>\n"
        'Traceback (most recent call last):\n  File "a.py", line 3, in __del__\n    x()\n'
        "ValueError: in del\n")
    assert (event.line, event.title) == (1, "ValueError")
    assert event.sections[0][0] == "Exception ignored in"


def test_mixed_tracebacks_of_one_console_keep_both_exceptions() -> None:
    events = read("""\
Traceback (most recent call last):
  File "/home/user/job/train.py", line 92, in <module>
    opt(grads)
  File "/usr/local/lib/python3.11/site-packages/mindspore/graph/api.py", line 685, in __call__
    output = _pynative_executor.grad_jit(*new_inputs)
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^Traceback (most recent call last):
  File "/home/user/job/train.py", line 92, in <module>
^^^^^^^
  File "/usr/local/lib/python3.11/site-packages/mindspore/graph/api.py", line 1907, in grad_jit
    opt(grads)
           return self.construct(*args, **kwargs)
              ^^^^^^^^^^^^^^^^^^^ ^^^^^^^ ^^^^^
^  File "/usr/local/lib/python3.11/site-packages/mindspore/graph/api.py", line 256, in wrapper
RuntimeError           :    ^^^^^^^^^^^Launch kernel failed, name:Default/AllReduce-op0

----------------------------------------------------
- C++ Call Stack: (For framework developers)
----------------------------------------------------
mindspore/ccsrc/pynative/utils/runtime/op_runner.cc:671 LaunchKernels
^^^^^^^
  File "/usr/local/lib/python3.11/site-packages/mindspore/graph/api.py", line 685, in __call__

    output = _pynative_executor.grad_jit(*new_inputs)
RuntimeError: Launch kernel failed, name:Default/AllReduce-op0
""")
    assert [event.title for event in events] == ["RuntimeError", "RuntimeError"]
    assert [event.message_line for event in events] == [14, 24]
    assert {event.message for event in events} == {
        "Launch kernel failed, name:Default/AllReduce-op0"}


# -- whatever Python prints is read back ------------------------------------------------

_WORDS = st.text(
    st.characters(min_codepoint=0x20, max_codepoint=0x4FFF, exclude_categories=("C", "Z")),
    min_size=1, max_size=40)
_ERRORS = st.sampled_from((ValueError, RuntimeError, TypeError, MemoryError, OSError, EOFError))


def _raise_from(depth: int, error: BaseException) -> None:
    if depth:
        _raise_from(depth - 1, error)
    raise error


def _printed(depth: int, error: BaseException, cause: BaseException | None = None) -> str:
    """What Python prints for `error`, raised `depth` calls deep while `cause` was handled."""
    try:
        if cause is None:
            _raise_from(depth, error)
        try:
            raise cause  # type: ignore[misc]
        except Exception:
            _raise_from(depth, error)
    except BaseException as caught:
        return "".join(traceback.format_exception(type(caught), caught, caught.__traceback__))
    raise AssertionError


@given(st.integers(0, 3), _ERRORS, _WORDS)
def test_printed_traceback_is_read_back(depth: int, kind: type[Exception], words: str) -> None:
    event = read_one(_printed(depth, kind(words)))
    assert (event.kind, event.title, event.message) == ("traceback", kind.__name__, words)
    assert event.frames == depth + 2
    assert event.innermost is not None and event.innermost.function == "_raise_from"
    assert event.innermost.code == "raise error"
    assert event.complete


@given(_ERRORS, _WORDS, _ERRORS, _WORDS)
def test_printed_chain_is_read_back(
    first: type[Exception], why: str, second: type[Exception], words: str
) -> None:
    event = read_one(_printed(1, second(words), first(why)))
    assert (event.title, event.message) == (second.__name__, words)
    assert [(name, text) for name, text, _ in event.chain] == [(first.__name__, why)]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="exception groups came with 3.11")
@given(st.lists(st.tuples(_ERRORS, _WORDS), min_size=1, max_size=4))
def test_printed_group_is_read_back(members: list[tuple[type[Exception], str]]) -> None:
    group = ExceptionGroup("several", [kind(words) for kind, words in members])  # noqa: F821
    event = read_one(_printed(0, group))
    assert event.title == "ExceptionGroup"
    assert event.message.startswith("several (")
    assert [(name, text) for name, text, _ in event.chain] == [
        (kind.__name__, words) for kind, words in members]


@given(st.data())
def test_mixing_two_tracebacks_loses_neither_exception(data: st.DataObject) -> None:
    texts = [_printed(2, ValueError("one")).splitlines(), _printed(3, OSError("two")).splitlines()]
    mixed: list[str] = []
    while texts[0] or texts[1]:
        which = data.draw(st.booleans()) if all(texts) else bool(texts[1])
        mixed.append(texts[which].pop(0))
    events = read("\n".join(mixed))
    named = {event.message_line for event in events}
    named |= {line for event in events for _, _, line in event.chain}
    wanted = {mixed.index("ValueError: one") + 1, mixed.index("OSError: two") + 1}
    assert wanted <= named


@given(st.data())
def test_prefixes_keep_the_tracebacks_of_ranks_apart(data: st.DataObject) -> None:
    texts = [
        [f"[rank{rank}]: {line}" for line in _printed(rank, ValueError(f"of {rank}")).splitlines()]
        for rank in (0, 1, 2)
    ]
    mixed: list[str] = []
    while any(texts):
        which = data.draw(st.sampled_from([rank for rank in (0, 1, 2) if texts[rank]]))
        mixed.append(texts[which].pop(0))
    events = read("\n".join(mixed))
    assert sorted((event.rank, event.message, event.frames) for event in events) == [
        (rank, f"of {rank}", rank + 2) for rank in (0, 1, 2)]


@pytest.mark.parametrize("last", ["SyntaxError: invalid syntax", "IndentationError: unexpected "
                                  "indent", "TabError: inconsistent use of tabs"])
def test_a_script_that_cannot_be_parsed_has_no_header(last: str) -> None:
    reader = EventReader()
    text = f"""\
  File "/home/user/train.py", line 17
    for i in range(10)
                      ^
{last}
"""
    assert reader.starts(text.split("\n")[0].encode())
    for number, line in enumerate(text.encode().split(b"\n"), 1):
        reader.feed(number, line, None)
    reader.close()
    [event] = reader.take()
    assert f"{event.title}: {event.message}" == last
    assert event.innermost is not None and event.innermost.line == 17
    assert (event.line, event.end_line, event.message_line) == (1, 4, 4)


def test_a_place_in_a_file_alone_is_no_traceback() -> None:
    reader = EventReader()
    for number, line in enumerate((b'  File "/home/user/train.py", line 17', b"    see there",
                                   b"ValueError: bad"), 1):
        reader.feed(number, line, None)
    reader.close()
    assert reader.take() == []
