"""MindSpore's titled blocks outside tracebacks, and the reasons why no cluster was formed."""

from __future__ import annotations

from assistant.logtext.sections import title_of
from tests.logtext.support import read_one

RULE = "-" * 52 + "\n"


def test_titles() -> None:
    assert title_of("- C++ Call Stack: (For framework developers)") == "C++ Call Stack"
    assert title_of("- Python Call Stack: ") == "Python Call Stack"
    assert title_of("- The Traceback of Net Construct Code:") == (
        "The Traceback of Net Construct Code")
    assert title_of("2026-11-30 08:08:04,925 - x - INFO - Current config: {") is None
    assert title_of("- step 3: done") is None


def test_cpp_stack() -> None:
    event = read_one(
        RULE + "- C++ Call Stack: (For framework developers)\n" + RULE
        + "mindspore/ccsrc/cluster/init.cc:37 Initialize\n\nTraining went on\n")
    assert (event.kind, event.title, event.line, event.end_line) == (
        "cpp-stack", "C++ Call Stack", 2, 4)
    assert event.message == "mindspore/ccsrc/cluster/init.cc:37 Initialize"


def test_dataset_error_outside_a_traceback() -> None:
    event = read_one(
        "- Python Call Stack:\n" + RULE
        + "map operation: [PyFunc] failed. Error description:\n"
        "RuntimeError: Traceback (most recent call last):\n"
        '  File "/usr/lib/python3.10/site-packages/mindspore/dataset/transforms/x.py", line 105, '
        "in __call__\n    executor = cde.Execute(self.parse())\n"
        "RuntimeError: Ascend kernel runtime initialization failed.\n\n"
        + RULE + "- Ascend Error Message:\n" + RULE
        + "EE1001: The argument is invalid.\n\n"
        + RULE + "- Dataset Pipeline Error Message:\n" + RULE
        + "[ERROR] Execute user Python code failed, check 'Python Call Stack' above.\n")
    assert (event.kind, event.title) == ("dataset", "Python Call Stack")
    assert event.message.startswith("map operation: [PyFunc] failed.")
    assert event.chain == (("RuntimeError", "Ascend kernel runtime initialization failed.", 7),)
    assert event.codes == ("EE1001",)
    assert [title for title, _ in event.sections] == [
        "Ascend Error Message", "Dataset Pipeline Error Message"]
    assert event.innermost is not None and event.innermost.line == 105
    assert event.user_frame is None


def test_cluster_reasons_outside_a_traceback() -> None:
    event = read_one(
        "[EXCEPTION] DISTRIBUTED(2404,7f76c8fdcb80,python):2026-11-30-08:21:53.011.614 [mindspore/"
        "ccsrc/cluster/init.cc:37] Initialize] Failed to initialize distributed job cluster "
        "because some processes in the cluster are not successfully spawned:\n"
        "1.Spawned worker process number is not as expected.\n"
        "2.Configured scheduler port MS_SCHED_PORT is occupied by other processes.\n\n"
        + RULE + "- C++ Call Stack: (For framework developers)\n" + RULE
        + "mindspore/ccsrc/cluster/init.cc:37 Initialize\n")
    assert (event.kind, event.title) == (
        "cluster", "Failed to initialize distributed job cluster")
    assert event.message.startswith("Failed to initialize distributed job cluster because")
    assert event.message.count("\n") == 2
    assert (event.pid, event.end_line) == (2404, 8)


def test_net_construct_block_keeps_its_layout() -> None:
    event = read_one(
        "Traceback (most recent call last):\nNameError: The name 'x' is not defined.\n\n"
        + RULE + "- The Traceback of Net Construct Code:\n" + RULE
        + "\n# In file /home/user/train/src/model.py:212\n            x = self.proj(x)\n"
        "                             ^\n\n# In file /home/user/train/src/model.py:300\n"
        "        y = f(x)\n")
    (title, text), = event.sections
    assert title == "The Traceback of Net Construct Code"
    assert text.startswith("# In file /home/user/train/src/model.py:212\n            x = self")
    assert event.end_line == 13


def test_record_ends_a_block() -> None:
    event = read_one(
        "- Dataset Pipeline Error Message:\n" + RULE + "[ERROR] No cast was found.\n"
        "[WARNING] MD(1,7f,python):2026-11-30-08:07:59.357.188 [a.cc:1] F] x\nmore\n")
    assert (event.kind, event.end_line) == ("dataset", 3)
    assert event.message == "[ERROR] No cast was found."
