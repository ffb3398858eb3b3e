from __future__ import annotations

from tests.job.support import Log, job_of, scheduler, worker


def test_world_size_by_the_best_source() -> None:
    group = Log("worker_0.log", 1).mark("group-created", group="hccl_world_group",
                                        ranks="0, 1, 2", end="}")
    assert job_of(group).facts["world_size"] == 3
    assert job_of(group.mark("world-size", world=5)).facts["world_size"] == 5
    assert job_of(group, scheduler([0], 7, "")).facts["world_size"] == 7


def test_a_list_that_is_cut_says_nothing() -> None:
    log = Log("worker_0.log", 1).mark("group-created", group="hccl_world_group", ranks="0, 1, 2")
    assert "world_size" not in job_of(log).facts


def test_sizes_of_small_communicators_are_not_the_world() -> None:
    log = worker(0, 4).mark("hccl-rank", world=2, rank=0)
    assert job_of(log).facts["world_size"] == 4


def test_counts() -> None:
    facts = job_of(scheduler([0, 1], 4), worker(0).steps(3), worker(1).steps(2)).facts
    assert facts["registered"] == 2 and facts["expected"] == 4
    assert facts["ranks_seen"] == 2
    assert facts["last_step"] == 3 and facts["total_steps"] == 10
    assert facts["mode"] == "pynative"


def test_unknown_facts_are_left_out() -> None:
    assert set(job_of(Log("worker_0.log").plain()).facts) == {"ranks_seen", "nodes"}


def test_mode() -> None:
    assert job_of(Log("worker_0.log").mark("graph-step").step(1)).facts["mode"] == "graph"
    logs = [Log(f"worker_{r}.log").mark("banner", mode=mode)
            for r, mode in enumerate(("GRAPH", "GRAPH", "PYNATIVE"))]
    assert job_of(*logs).facts["mode"] == "graph"


def test_versions() -> None:
    log = (worker(0, 1).mark("mindspore-version", version="2.10.0")
           .mark("cann-version", version="8.2.RC1").mark("mindformers-version", version="2.1.0."))
    facts = job_of(log).facts
    assert (facts["mindspore"], facts["cann"], facts["mindformers"]) == (
        "2.10.0", "8.2.RC1", "2.1.0")


def test_formed_and_registered() -> None:
    job = job_of(scheduler([0, 1, 2], 4), worker(0, 4))
    assert job.registered == (0, 1, 2)
    assert job.formed  # rank 0 says so
    assert not job_of(scheduler([0, 1, 2], 4)).formed


def test_workers_per_node() -> None:
    logs = [worker(r, folder=f"n{r // 2}/") for r in range(4)]
    assert job_of(*logs).facts["workers_per_node"] == 2
    assert "workers_per_node" not in job_of(*logs[:3]).facts
