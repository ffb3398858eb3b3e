from __future__ import annotations

from assistant.job.types import Node
from tests.job.support import Log, job_of, process, scheduler, worker


def nodes_of(*logs: Log) -> dict[str, Node]:
    return {node.key: node for node in job_of(*logs).nodes}


def test_one_host() -> None:
    nodes = nodes_of(scheduler(range(2), 2), worker(0, 2), worker(1, 2), Log("console.log"))
    assert nodes == {"": Node("", "node-a", 0, None, (0, 1))}


def test_without_any_name() -> None:
    assert nodes_of(worker(0, 1))[""].name == ""  # none is made up
    assert nodes_of(worker(0, 1, folder="far/msrun_log/"))["far"].name == "far"
    archive = nodes_of(worker(0, 1, folder="far.tar.gz!/msrun_log/"))
    assert archive["far.tar.gz!"].name == "far"


def test_a_folder_a_host() -> None:
    logs = [worker(r, folder=f"n{r // 2}/msrun_log/") for r in range(4)]
    nodes = nodes_of(scheduler(range(4), 4, "n0/msrun_log/", per_host=2), *logs)
    assert nodes == {"n0": Node("n0", "host-0", 0, "192.0.2.1", (0, 1)),
                     "n1": Node("n1", "host-1", 1, "192.0.2.2", (2, 3))}


def test_several_hosts_in_one_folder() -> None:
    logs = [worker(r) for r in range(4)]
    job = job_of(scheduler(range(4), 4, per_host=2), *logs)
    assert [(n.key, n.ranks) for n in job.nodes if n.ranks] == [
        ("@host-0", (0, 1)), ("@host-1", (2, 3))]


def test_the_scheduler_of_a_shared_folder_lives_where_workers_connect_to() -> None:
    logs = [worker(r).mark("connection", ip=f"192.0.2.{r // 2 + 1}", master="192.0.2.2", port=8118)
            for r in range(4)]
    job = job_of(scheduler(range(4), 4, per_host=2), *logs)
    assert [f.node for f in job.files if f.role == "scheduler"] == ["@host-1"]


def test_names_of_files_tell_hosts_apart() -> None:
    logs = [Log(f"msrun_log/worker_192.0.2.{r // 2 + 1}_h{r // 2}_{r}.log", r).started(r)
            for r in range(4)]
    nodes = nodes_of(*logs)
    assert {key: node.ranks for key, node in nodes.items()} == {"@h0": (0, 1), "@h1": (2, 3)}
    assert nodes["@h1"].ip == "192.0.2.2"


def test_hosts_of_one_name_are_told_apart_by_address() -> None:
    logs = [worker(r, folder=f"n{r}/", world=2) for r in range(2)]
    log = Log("n0/scheduler.log", 9)
    for r in range(2):
        log.mark("node-registered", node=r, rank=r, host="same", ip=f"192.0.2.{r}",
                 registered=r + 1, expected=2)
    nodes = nodes_of(log, *logs)
    assert [node.name for node in nodes.values()] == ["n0", "n1"]


def test_ranks_that_never_came_live_on_a_node_without_a_folder() -> None:
    console = Log("n0/console.log")
    for rank in (0, 1):
        console.mark("console-worker", rank=rank, file=f"worker_{rank}.log")
    job = job_of(scheduler([0, 1], 4, "n0/"), worker(0, folder="n0/"), worker(1, folder="n0/"),
                 console)
    assert [(n.key, n.name, n.index, n.ranks) for n in job.nodes] == [
        ("n0", "node-a", 0, (0, 1)), ("node 1", "node 1", 1, (2, 3))]
    assert process(job, 3).node == "node 1" and process(job, 3).local_rank == 1
    assert job.facts["nodes"] == 2


def test_registered_ranks_without_files_live_on_their_host() -> None:
    job = job_of(scheduler(range(4), 4, "n0/", per_host=2), worker(0, folder="n0/"),
                 worker(1, folder="n0/"))
    assert [(n.key, n.ranks) for n in job.nodes] == [("host-1", (2, 3)), ("n0", (0, 1))]


def test_an_absent_rank_of_a_known_node() -> None:
    job = job_of(scheduler(range(4), 4), worker(0), worker(1), worker(3))
    assert process(job, 2).state == "absent"
    assert process(job, 2).node == ""
    assert process(job, 2).phase == "joined"


def test_files_beside_go_to_the_node_of_their_processes() -> None:
    plog = Log("ascend-b/plog/plog-8_1.log", 8).error()
    job = job_of(worker(0, 2, "a/", pid=7), worker(1, 2, "b/", pid=8), plog)
    assert next(f.node for f in job.files if f.role == "cann") == "b"
    assert next(f.rank for f in job.files if f.role == "cann") == 1


def test_a_lone_scheduler_folder_goes_to_the_only_node() -> None:
    job = job_of(scheduler(range(2), 2, "sched/"), worker(0, 2, "w/"), worker(1, 2, "w/"))
    assert {f.node for f in job.files} == {"w"}


def test_the_master_is_where_most_workers_seek_it() -> None:
    logs = [Log(f"worker_{n}.log", 9).mark("connection", ip="192.0.2.9", master=master, port=8118)
            for n, master in enumerate(("192.0.2.1", "192.0.2.1", "192.0.2.7"))]
    facts = job_of(*logs).facts
    assert (facts["master_addr"], facts["master_port"]) == ("192.0.2.1", 8118)
    assert "master_addr" not in job_of(worker(0, 1)).facts


def test_the_line_that_states_how_many_registered() -> None:
    log = Log("scheduler.log", 9)
    for r in range(3):
        log.mark("node-registered", node=r, rank=r, registered=r + 1, expected=4)
    assert job_of(log).stated == {"registered": ("scheduler.log", 3),
                                  "expected": ("scheduler.log", 3)}


def test_a_phase_is_shown_by_its_first_line() -> None:
    log = Log("worker_0.log", 9).mark("banner", mode="PYNATIVE").mark("rank-stated", rank=0)
    log.mark("rank-stated", rank=0).step(1)
    assert process(job_of(log), 0).passed == {
        "started": ("worker_0.log", 1), "joined": ("worker_0.log", 2),
        "training": ("worker_0.log", 4)}
