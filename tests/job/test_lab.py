"""The job of every genuine msrun log directory, and of what can be made of them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import yaml

from assistant.evidence.types import Evidence, FileEvidence
from assistant.job import build
from assistant.job.clocks import order
from assistant.job.types import Job
from assistant.patterns.engine import Engine
from assistant.rules.types import PatternSpec
from assistant.scan import build_engine, scan_stream
from tests.job.support import process, states

ROOT = Path(__file__).parents[2]
LAB = ROOT / "tests" / "cases" / "lab"

FINISHED = dict.fromkeys(range(4), "finished")
STOPPED = dict.fromkeys(range(4), "stopped")
EXPECTED = {
    "ok-dp4": FINISHED, "ok-pp2": FINISHED, "ok-pp2-oldlayout": FINISHED, "nanloss": FINISHED,
    "nonorm": FINISHED, "straggler-rank3": FINISHED, "graphmode": FINISHED, "two-ok": FINISHED,
    "exc-rank2": {0: "killed", 1: "killed", 2: "failed", 3: "killed"},
    "exc-rank1-nojoin": {0: "failed", 1: "failed", 2: "killed", 3: "failed"},
    "kill-rank3": {0: "killed", 1: "killed", 2: "killed", 3: "crashed"},
    "hang-rank1": {0: "failed", 1: "stopped", 2: "failed", 3: "failed"},
    "latejoin-rank3": {0: "failed", 1: "failed", 2: "failed", 3: "empty"},
    "import-all": dict.fromkeys(range(4), "failed"),
    "port-occupied": dict.fromkeys(range(4), "failed"),
    "two-exc-rank3": {0: "killed", 1: "killed", 2: "killed", 3: "failed"},
    "two-noderank-absent": {0: "failed", 1: "failed", 2: "absent", 3: "absent"},
    "dataworker-rank1": {**STOPPED, 1: "failed"},
    "exc-rank1-atstart": {0: "killed", 1: "failed", 2: "killed", 3: "killed"},
    "exc-rank1-later-rank2-nojoin": {0: "killed", 1: "failed", 2: "killed", 3: "killed"},
    "exit1-rank1": {0: "killed", 1: "failed", 2: "killed", 3: "killed"},
    "few-workers": {0: "failed", 1: "failed", 2: "failed", 3: "absent"},
    "hang-all": STOPPED,
    "hang-rank2-samestep": {0: "failed", 1: "failed", 2: "stopped", 3: "failed"},
    "hang-two": {0: "failed", 1: "stopped", 2: "stopped", 3: "failed"},
    "kill-rank0-samestep": STOPPED,
    "kill-rank1-atstart": {0: "killed", 1: "crashed", 2: "killed", 3: "killed"},
    "kill-rank2-nojoin": {0: "failed", 1: "killed", 2: "stopped", 3: "killed"},
    "leave-rank1": {0: "failed", 1: "finished", 2: "failed", 3: "failed"},
    "operator-type-rank2": {0: "killed", 1: "killed", 2: "failed", 3: "killed"},
    "sizes-rank1": {0: "killed", 1: "killed", 2: "failed", 3: "killed"},
    "skip-rank1": {0: "failed", 1: "finished", 2: "failed", 3: "failed"},
    "slow-all": FINISHED,
    "two-exc-rank0": {0: "failed", 1: "killed", 2: "failed", 3: "failed"},
    "two-kill-rank0": {0: "crashed", 1: "killed", 2: "killed", 3: "killed"},
    "two-worldsize-differs": {0: "failed", 1: "failed", 2: "killed", 3: "killed"},
}
#: Where the console tells more than the logs beside it: nobody else says who died, or that
#: somebody put an end to the job.
WITHOUT_CONSOLE = {"kill-rank3": STOPPED, "exit1-rank1": STOPPED, "kill-rank1-atstart": STOPPED,
                   "hang-all": dict.fromkeys(range(4), "running")}


@cache
def engine() -> tuple[Engine, tuple[PatternSpec, ...]]:
    landmarks = yaml.safe_load((ROOT / "rules" / "landmarks.yaml").read_text("utf-8"))["landmarks"]
    specs = tuple(
        PatternSpec(f"landmark/{mark['name']}", expression) for mark in landmarks
        for expression in ([mark["log"]] if isinstance(mark["log"], str) else mark["log"]))
    return build_engine(specs), specs


def read(path: Path, name: str) -> FileEvidence:
    with path.open("rb") as stream:
        return scan_stream(name, stream, *engine())


@cache
def job_at(folder: Path) -> Job:
    return build(Evidence(tuple(
        read(path, path.relative_to(folder).as_posix())
        for path in sorted(folder.rglob("*.log")))))


def test_every_case_is_expected() -> None:
    assert {path.name for path in LAB.iterdir() if path.is_dir()} == set(EXPECTED)


@pytest.mark.parametrize("case", EXPECTED)
def test_states(case: str) -> None:
    job = job_at(LAB / case)
    assert states(job) == EXPECTED[case]
    assert all(p.rank is not None for p in job.processes)


@pytest.mark.parametrize("case", [case for case in EXPECTED if not case.startswith("two-")])
def test_states_without_the_console(case: str) -> None:
    expected = WITHOUT_CONSOLE.get(case, EXPECTED[case])
    assert states(job_at(LAB / case / "msrun_log")) == expected


def test_kill_rank3() -> None:
    rank = process(job_at(LAB / "kill-rank3"), 3)
    assert rank.exit is not None and rank.exit.code == -9
    assert (rank.pid, rank.last_step, rank.phase, rank.errors) == (20964, 4, "training", False)


def test_hang_rank1() -> None:
    job = job_at(LAB / "hang-rank1")
    assert [p.last_step for p in job.ranks()] == [5, 4, 5, 5]
    assert not process(job, 1).errors


def test_latejoin_rank3() -> None:
    job = job_at(LAB / "latejoin-rank3")
    assert (job.registered, job.formed) == ((0, 1, 2), False)
    assert (job.facts["registered"], job.facts["expected"]) == (3, 4)
    assert [p.phase for p in job.ranks()] == ["registered"] * 3 + ["launched"]


def test_import_all() -> None:
    job = job_at(LAB / "import-all" / "msrun_log")
    assert job.facts["registered"] == 0
    assert [p.phase for p in job.ranks()] == ["started"] * 4


def test_two_noderank_absent() -> None:
    job = job_at(LAB / "two-noderank-absent")
    assert [(n.key, n.name, n.index, n.ranks) for n in job.nodes] == [
        ("node 1", "node 1", 1, (2, 3)), ("node-a", "node-a", 0, (0, 1))]
    assert process(job, 2).phase is None


def test_stages() -> None:
    job = job_at(LAB / "ok-pp2")
    assert [(p.stage, p.last_stage) for p in job.ranks()] == [
        (0, False), (0, False), (1, True), (1, True)]
    assert job.facts["pipeline_parallel"] == 2


def test_facts() -> None:
    facts = job_at(LAB / "exc-rank2").facts
    assert facts == {"world_size": 4, "ranks_seen": 4, "nodes": 1, "pipeline_parallel": 1,
                     "mode": "pynative", "last_step": 5, "total_steps": 10, "registered": 4,
                     "expected": 4, "workers_per_node": 4, "master_addr": "127.0.0.1",
                     "master_port": 18533}
    assert job_at(LAB / "graphmode").facts["mode"] == "graph"


def test_two_nodes() -> None:
    job = job_at(LAB / "two-exc-rank3")
    assert [(n.key, n.name, n.ip, n.ranks) for n in job.nodes] == [
        ("node-a", "node-a", "192.0.2.1", (0, 1)), ("node-b", "node-b", "192.0.2.2", (2, 3))]
    clock = job.clocks["node-b"]  # one machine in truth
    assert abs(clock.offset) <= clock.error < 0.2
    failed, victim = process(job, 3), process(job, 1)
    assert order(job, failed.node, failed.last_time, victim.node, victim.last_time) == -1
    assert [p.local_rank for p in job.ranks()] == [0, 1, 0, 1]


@pytest.fixture
def case(tmp_path: Path) -> Callable[[str], Path]:
    """A copy of a case that may be changed."""
    def copy(name: str) -> Path:
        shutil.copytree(LAB / name, tmp_path / name, copy_function=shutil.copyfile)
        return tmp_path / name
    return copy


def test_appended_logs_of_two_runs(case: Callable[[str], Path]) -> None:
    folder = case("exc-rank2")
    for path in folder.rglob("*.log"):
        old = (LAB / "ok-dp4" / path.relative_to(folder)).read_bytes()
        path.write_bytes(old + path.read_bytes())
    job = job_at(folder)
    assert states(job) == EXPECTED["exc-rank2"]
    assert {f.runs for f in job.files} == {2}
    assert [p.pid for p in job.ranks()] == [5867, 5869, 5871, 5873]
    fresh = job_at(LAB / "exc-rank2")
    assert job.facts == fresh.facts
    assert [p.first_time for p in job.ranks()] == [p.first_time for p in fresh.ranks()]


def test_ranks_by_statement_on_a_node_without_node_rank(case: Callable[[str], Path]) -> None:
    folder = case("two-ok")
    (folder / "node-b" / "console.log").unlink()
    logs = folder / "node-b" / "msrun_log"
    (logs / "worker_2.log").rename(logs / "worker_0.log")
    (logs / "worker_3.log").rename(logs / "worker_1.log")
    job = job_at(folder)
    assert states(job) == FINISHED
    assert process(job, 3).files == ("node-b/msrun_log/worker_1.log",)
    assert process(job, 3).local_rank == 1


def test_logs_of_two_hosts_in_one_folder(case: Callable[[str], Path]) -> None:
    folder = case("two-exc-rank3")
    shared = folder / "msrun_log"
    shared.mkdir()
    for path in sorted(folder.glob("node-*/msrun_log/*.log")):
        path.rename(shared / path.name)
    for path in folder.glob("node-*/console.log"):
        path.unlink()
    job = job_at(folder)
    assert states(job) == EXPECTED["two-exc-rank3"]
    assert [(n.name, n.ranks) for n in job.nodes] == [("node-a", (0, 1)), ("node-b", (2, 3))]
    assert next(f.node for f in job.files if f.role == "scheduler") == process(job, 0).node


def test_a_console_alone(tmp_path: Path) -> None:
    shutil.copyfile(LAB / "kill-rank3" / "console.log", tmp_path / "console.log")
    job = job_at(tmp_path)
    assert states(job) == EXPECTED["kill-rank3"]
    assert job.formed


def test_a_scheduler_alone(tmp_path: Path) -> None:
    shutil.copyfile(LAB / "exc-rank2" / "msrun_log" / "scheduler.log", tmp_path / "scheduler.log")
    job = job_at(tmp_path)
    assert states(job) == dict.fromkeys(range(4), "absent")
    assert [p.rank for p in job.ranks() if p.timed_out is not None] == [2]
    assert [n.name for n in job.nodes] == ["node-0"]
