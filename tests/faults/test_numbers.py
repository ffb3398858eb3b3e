"""Numbers that no job has: they take neither the memory nor the answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.cli.main import main
from assistant.explain.reported import why_text
from assistant.job.marks import MAX_RANKS
from assistant.pipeline import examine

HEAD = "[INFO] DISTRIBUTED(10,7f,python):2026-11-30-08:29:13.192.403 [x.cc:7] Run] "
#: Name of a log to its text, in which # stands for a number.
LOGS = {
    "registration": {"scheduler.log": HEAD + "The new node: a(role: MS_WORKER), rank id: #, device "
                     "id: #, hostname: h, ip: 192.0.2.1 is registered successfully. Currently "
                     "registered node number: 1, expected node number: #\n"},
    "launch": {"console.log": "msrun --worker_num # --local_worker_num # --node_rank # train.py\n"},
    "sizes": {"worker_0.log": HEAD + "Current world size: #\nThis rank is #, tensor parallel = #, "
              "pipeline stage = #\n"},
    "communicator": {"plog-1_2.log": "[ERROR] HCCL(5,python):2026-11-30-08:29:44.450.287 [a.cc:5] "
                     "Entry-HcclCommInitRootInfo:ranks[#], rank[#], deviceLogicId[#]\n"},
    "timed out": {"scheduler.log": HEAD + "The total number of timed out node is #. Timed out node "
                  "list is: [const vector]{#, #}, worker # is the first one timed out\n"},
    "steps": {"worker_0.log": "2026-11-30 08:29:13,357 - m[core/callback.py:337] - INFO - { Epoch:"
              "[ #/ #], step:[ #/ #], loss: 1e400, per_step_time: #ms, lr: nan}\n"},
    "prefixes": {"worker_0.log": "[ERROR] HCCL(#,p):2026-11-30-08:29:44.450.287 [a.cc:#] EI0006\n"
                 "[rank#]: Traceback (most recent call last):\n[rank#]:   File 'x.py', line #, "
                 "in f\n[rank#]:   [Previous line repeated # more times]\n[rank#]: "
                 "ValueError: #\n"},
}


@pytest.mark.parametrize("number", ["999999999", str(MAX_RANKS + 1), "9" * 40, "9" * 6000, "-1"])
@pytest.mark.parametrize("what", LOGS)
def test_a_number_that_no_job_has(what: str, number: str, tmp_path: Path) -> None:
    for name, text in LOGS[what].items():
        (tmp_path / name).write_text(text.replace("#", number))
    for rank in (0, 1):
        with (tmp_path / f"worker_{rank}.log").open("a") as log:
            log.write("2026-11-30 08:29:13,357 - m[a.py:3] - INFO - a line\n")
    examined = examine([str(tmp_path)], jobs=1)
    report = examined.report("en")
    assert len(report.ranks) < 10
    assert not any("fault of this program" in row.why for row in report.inputs.skipped)
    why_text(examined.judged, "en", 80)


@pytest.mark.parametrize("code", ["9" * 5000, "-" + "9" * 5000, "0x" + "f" * 5000, "٣" * 3])
def test_a_code_that_is_none(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain-code", "--", code]) in (1, 2)
    assert "Traceback" not in "".join(capsys.readouterr())


def test_why_of_very_many_ranks_takes_linear_time(tmp_path: Path) -> None:
    import time

    def cost(count: int) -> float:
        (tmp_path / "console.log").write_text(f"msrun --worker_num {count} --local_worker_num 8 "
                                              "--node_rank 0 train.py\n")
        (tmp_path / "worker_0.log").write_text("a line\n")
        examined = examine([str(tmp_path)], jobs=1)
        began = time.process_time()
        why_text(examined.judged, "en", 80)
        return time.process_time() - began

    few = cost(2000)
    assert cost(20_000) < 25 * few + 0.5
