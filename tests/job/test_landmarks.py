"""rules/landmarks.yaml and the names by which the code knows it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from assistant import patterns
from assistant.evidence.types import Evidence, PatternHits
from assistant.job import build, marks
from assistant.rules.types import PHASES, ROLES
from tests.job.support import Log, scheduler, worker

ROOT = Path(__file__).parents[2]
LANDMARKS: list[dict[str, Any]] = yaml.safe_load(
    (ROOT / "rules" / "landmarks.yaml").read_text("utf-8"))["landmarks"]
BY_NAME = {mark["name"]: mark for mark in LANDMARKS}

# landmark, line as logged, captures it must give
LINES = [
    ("node-registered", "[WARNING] DISTRIBUTED(5866,7f0f,python):2026-11-30-08:29:04.528.551 "
     "[meta_server_node.cc:254] ProcessRegister] The new node: 2(role: MS_WORKER), rank id: 2, "
     "device id: 0, hostname: host-b, ip: 192.0.2.2 is registered successfully. Currently "
     "registered node number: 1, expected node number: 4",
     {"node": "2", "rank": "2", "device": "0", "host": "host-b", "ip": "192.0.2.2",
      "registered": "1", "expected": "4"}),
    ("node-registered", "The new node: 7f3a-11(role: MS_WORKER) is registered successfully.",
     {"node": "7f3a-11"}),
    ("node-registered", "The new node: 0(role: MS_WORKER) is registered successfully. Currently "
     "registered node number: 3, expected node number: 8", {"registered": "3", "expected": "8"}),
    ("rank-assigned", "Assign rank id of node id: 5f2c, node ip: 192.0.2.2, host name: host-b, "
     "device id: 1, old rank id: -1, new rank id: 9", {"node": "5f2c", "rank": "9", "device": "1"}),
    ("node-timed-out", "The node: 1 is timed out. It may exit with exception, please check this "
     "node's log.", {"node": "1"}),
    ("node-timed-out", "Node 12 is timed out, please check this node's log", {"node": "12"}),
    ("timed-out-list", "RuntimeError: The total number of timed out node is 2. Timed out node "
     "list is: [const vector]{0, 3}, worker 0 is the first one timed out, please check its log.",
     {"total": "2", "nodes": "0, 3", "first": "0"}),
    ("timed-out-list", "Time out nodes are ['3', '1']", {"nodes": "'3', '1'"}),
    ("node-unregistered", "ProcessUnregister] Node 3 has unregistered.", {"node": "3"}),
    ("cluster-progress", "constructing, current alive node num: (3/8)",
     {"registered": "3", "expected": "8"}),
    ("cluster-alive", "Finalize] Cluster currently has 4 alive nodes.", {"alive": "4"}),
    ("cluster-alive", "The meta server node can not be finalized because there are still 256 "
     "alive nodes.", {"alive": "256"}),
    ("cluster-formed", "BuildCluster] Cluster is successfully initialized.", {}),
    ("rank-stated", "PostProcess] This node 2 rank id: 3", {"node": "2", "rank": "3"}),
    ("rank-stated", "Global rank id: 17", {"rank": "17"}),
    ("topology-retry", "BuildCluster] Topology build timed out., retry(3/120).", {"limit": "120"}),
    ("banner", "INFO - Running MindFormers in PYNATIVE_MODE.", {"mode": "PYNATIVE"}),
    ("banner", "INFO - Running MindFormers in GRAPH_MODE.", {"mode": "GRAPH"}),
    ("connection", "Connect] Connection 13 source: 192.0.2.2:34698, destination: 192.0.2.1:8118",
     {"ip": "192.0.2.2", "master": "192.0.2.1", "port": "8118"}),
    ("group-created", "Create collective communication group: hccl_world_group [const vector]"
     "{0, 1, 2, 3}, async: 0", {"group": "hccl_world_group", "ranks": "0, 1, 2, 3", "end": "}"}),
    ("world-size", "INFO - Current world size: 4.", {"world": "4"}),
    ("parallelism", "Got parallelism settings: data_parallel=2(dp_shard[2] * dp_replicate[1]), "
     "tensor_parallel=4, pipeline_parallel=2, context_parallel=1",
     {"dp": "2", "tp": "4", "pp": "2"}),
    ("device-mesh", "Building device mesh with parallelism: pp=2, dp_replicate=1", {"pp": "2"}),
    ("data-rank", "This rank is 5, tensor parallel = 2, pipeline stage = 1, this rank will build "
     "real data.", {"rank": "5", "stage": "1"}),
    ("graph-step", "INFO - { Epoch:[  1/  2], step:[    1/ 6500], loss: 0.000", {}),
    ("training-end", "Training completed. Final checkpoint saved.", {}),
    ("console-worker", "Start worker process with rank id:3, log file:msrun_log/worker_3.log. "
     "Environment variable [RANK_ID=3] is exported. Execute command: python t.py",
     {"rank": "3", "file": "msrun_log/worker_3.log"}),
    ("console-worker", "Start worker process with rank id:None, log file:a/b_1.log. Environment "
     "variable [RANK_ID] is exported.", {"rank": "None", "file": "a/b_1.log"}),
    ("console-exit", "Worker process 2402 exit with exception. Error code: -9.",
     {"pid": "2402", "code": "-9"}),
    ("console-exit", "Worker process 2402 exit with exception.", {"pid": "2402"}),
    ("console-kill", "There's worker exits with exception, kill all other workers.", {}),
    ("launcher-command", "Running Command: msrun --bind_core=True --worker_num=16 "
     "--local_worker_num=8 --master_addr=192.0.2.1 --master_port=8118 --node_rank=1 --join=False",
     {"world": "16", "local": "8", "index": "1"}),
    ("hccl-rank", "[HCCL_TRACE][Flat]SetupAgent rankNum[16], rank[9], rootInfo identifier[x], "
     "server[192.0.2.196%eth0], serverPort[60000]deviceType[2], logicDevId[1], phydevId[1]",
     {"world": "16", "rank": "9", "ip": "192.0.2.196", "device": "1"}),
    ("hccl-rank", "Entry-HcclCommInitRootInfoConfigInner:ranks[16], rank[3], rootinfo: host "
     "ip[127.10.0.1] port[60000] nicDeploy[1] identifier[group], deviceLogicId[3]",
     {"world": "16", "rank": "3", "device": "3"}),
    ("hccl-rank", "Task run failed, groupRank information is group:[a], user define "
     "information[], rankSize[4], rankId[1].", {"world": "4", "rank": "1"}),
    ("hccl-rank", "hcom destroy complete,take time [323391]us, rankNum[8], rank[1]",
     {"world": "8", "rank": "1"}),
    ("hccl-local-rank", "wait socket establish timeout, role[1] rank[11] timeout[130]",
     {"rank": "11"}),
    ("hccl-world", "rank num[8]is different with rank list size[4] in total topo rank info.",
     {"world": "8"}),
    ("launcher-rank", "[ERROR] 2026-02-14-22:07:21 (PID:9436, Device:0, RankID:-1) ERR00100 PTA",
     {"pid": "9436", "device": "0", "rank": "-1"}),
    ("mindspore-version", "MindSpore version:  2.1.1", {"version": "2.1.1"}),
    ("mindspore-version", "/lib/python3.11/site-packages/mindspore-2.10.0.dist-info",
     {"version": "2.10.0"}),
    ("cann-version", "MindSpore version 2.10.0 and Ascend AI software package (Ascend Data Center "
     "Solution)version 8.1 does not match", {"version": "8.1"}),
    ("cann-version", "/usr/local/Ascend/ascend-toolkit/8.2.RC1/lib64", {"version": "8.2.RC1"}),
]


def expressions(mark: dict[str, Any]) -> list[str]:
    log = mark["log"]
    return log if isinstance(log, list) else [log]


def test_phases_are_those_of_the_code() -> None:
    written = {mark["name"]: mark["phase"] for mark in LANDMARKS if "phase" in mark}
    assert written == dict(marks.PHASE_OF)
    assert set(written.values()) <= set(PHASES)


def test_names_are_unique() -> None:
    assert len(BY_NAME) == len(LANDMARKS)


class Asked(dict[str, PatternHits]):
    """Hits that remember what was asked for."""

    keys_asked: set[str]

    def get(self, key: str, default: Any = None) -> Any:
        self.keys_asked.add(key)
        return super().get(key, default)


def test_every_name_that_the_code_reads_is_defined() -> None:
    asked: set[str] = set()
    files = []
    for log in (scheduler(range(2), 3), worker(0, 3).event(), worker(1, 3),
                Log("console.log").mark("console-spawned"), Log("plog-7_1.log").error(),
                Log("anything.txt").plain()):
        evidence = log.done()
        hits = Asked(evidence.hits)
        hits.keys_asked = asked
        files.append(replace(evidence, hits=hits))
    build(Evidence(tuple(files)))
    assert len(asked) > 40
    assert asked <= {f"landmark/{name}" for name in BY_NAME}


@pytest.mark.parametrize("mark", LANDMARKS, ids=lambda mark: mark["name"])
def test_expressions_compile_in_both_engines(mark: dict[str, Any]) -> None:
    roles = mark.get("in", [])
    assert set([roles] if isinstance(roles, str) else roles) <= set(ROLES)
    for expression in expressions(mark):
        assert patterns.check(expression) is None


@pytest.mark.parametrize(("name", "line", "captures"), LINES,
                         ids=[f"{n}-{name}" for n, (name, _, _) in enumerate(LINES)])
def test_known_wordings(name: str, line: str, captures: dict[str, str]) -> None:
    engine = patterns.build(expressions(BY_NAME[name]), cache_dir=None, engine="re2")
    found = [engine.match(index, line.encode()) for index in range(len(expressions(BY_NAME[name])))]
    first = next((match for match in found if match is not None), None)
    assert first is not None
    assert captures.items() <= first.items()


def test_members_of_a_huge_group_are_not_kept() -> None:
    engine = patterns.build(expressions(BY_NAME["group-created"]), cache_dir=None, engine="re2")
    members = ", ".join(str(n) for n in range(10_000))
    line = f"Create collective communication group: g [const vector]{{{members}}}, async: 0"
    found = engine.match(0, line.encode())
    assert found is not None and "end" not in found and len(found["ranks"]) <= 400
