"""Properties of the whole: order of files, names of ranks, unrelated files, size."""

from __future__ import annotations

import time
from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.evidence.types import Evidence, FileEvidence, PatternHits
from assistant.job import build
from assistant.job.types import Job, Process
from assistant.rules.types import Landmark
from tests.job.support import Log, job_of, process, scheduler, states, worker

ENDS = st.sampled_from(["run", "done", "raise", "crash", "silent", "empty", "sigterm", "error"])


def life_of(rank: int, end: str, steps: int, world: int) -> FileEvidence:
    log = worker(rank, world).steps(steps)
    if end == "empty":
        return FileEvidence(log.name)
    if end == "done":
        log.steps(10, steps + 1)
    elif end in ("raise", "crash"):
        log.plain(after=rank * 3.0).event("traceback" if end == "raise" else "native")
    elif end == "sigterm":
        log.mark("self-sigterm")
    elif end == "error":
        log.error()
    return log.done()


@st.composite
def jobs(draw: st.DrawFn) -> list[FileEvidence]:
    """A job of one node with ranks that end in different ways."""
    world = draw(st.integers(1, 6))
    files = [life_of(rank, draw(ENDS), draw(st.integers(0, 9)), world) for rank in range(world)]
    if draw(st.booleans()):
        log = scheduler(range(draw(st.integers(0, world))), world)
        for rank in draw(st.lists(st.integers(0, world - 1), max_size=3, unique=True)):
            log.mark("node-timed-out", node=rank)
        files.append(log.done())
    if draw(st.booleans()):
        console = Log("console.log")
        for rank in range(world):
            console.mark("console-worker", rank=rank, file=f"msrun_log/worker_{rank}.log")
        files.append(console.mark("console-spawned").mark("console-kill").done())
    return files


def of(files: list[FileEvidence]) -> Job:
    return build(Evidence(tuple(files)))


@given(jobs(), st.randoms())
def test_the_order_of_files_does_not_matter(files: list[FileEvidence], random: Random) -> None:
    before = of(files)
    shuffled = list(files)
    random.shuffle(shuffled)
    after = of(shuffled)
    assert replace(after, evidence=before.evidence) == before


@given(jobs())
def test_every_rank_once_and_every_file_once(files: list[FileEvidence]) -> None:
    job = of(files)
    known = [p.rank for p in job.ranks() if p.rank is not None]
    assert known == sorted(set(known))
    owned = [name for p in job.processes for name in p.files]
    assert len(owned) == len(set(owned))
    assert sorted(f.name for f in job.files) == sorted(f.name for f in files)


@given(jobs(), st.sampled_from(["notes.txt", "zz/other.log", "aa/pasted.txt"]))
def test_an_unrelated_file_changes_no_other_process(files: list[FileEvidence], name: str) -> None:
    before = of(files)
    after = of([*files, Log(name).plain("hello").done()])
    assert [p for p in after.processes if p.key != name] == list(before.processes)


def renamed(file: FileEvidence, new: dict[int, int]) -> FileEvidence:
    """The same file with other ranks in its name and in all captures."""
    name = file.name
    for rank, other in new.items():
        if name == f"msrun_log/worker_{rank}.log":
            name = f"msrun_log/worker_{other}.log"
            break
    hits = {}
    for key, found in file.hits.items():
        changed = [replace(hit, captures=tuple(
            (capture, str(new[int(value)]) if capture in ("rank", "node", "device")
             and value.isdigit() else
             f"msrun_log/worker_{new[int(value.split('_')[-1][:-4])]}.log"
             if capture == "file" and "worker" in value else value)
            for capture, value in hit.captures)) for hit in found.hits]
        hits[key] = PatternHits(found.count, tuple(changed), ())
    return replace(file, name=name, hits=hits)


def told(found: Process) -> tuple[object, ...]:
    """What must not change with a rank's number."""
    return (found.state, found.phase, found.last_step, found.pid, found.whole, found.errors,
            found.first_time, found.last_time, found.timed_out, found.exit, found.node)


@given(jobs(), st.permutations(range(6)))
def test_other_ranks_another_job(files: list[FileEvidence], order: list[int]) -> None:
    world = sum("worker_" in file.name for file in files)
    new = dict(enumerate(rank for rank in order if rank < world))
    before, after = of(files), of([renamed(file, new) for file in files])
    assert {new[p.rank]: told(p) for p in before.ranks() if p.rank is not None} == {
        p.rank: told(p) for p in after.ranks()}


@settings(max_examples=30)
@given(jobs())
def test_states_are_consistent(files: list[FileEvidence]) -> None:
    job = of(files)
    bad = any(p.state in ("failed", "crashed", "killed") for p in job.processes)
    for p in job.processes:
        if p.state == "stopped":
            assert bad or any(q.timed_out is not None for q in job.processes) or any(
                f.role == "console" for f in job.files)
        assert (p.state == "absent") == (not p.files)


def test_a_pack_can_add_phases() -> None:
    log = Log("worker_0.log").mark("own-mark")
    job = build(Evidence((log.done(),)), [Landmark("own-mark", ("x",), "building")])
    assert process(job, 0).phase == "building"


def test_two_files_that_claim_one_rank() -> None:
    first = worker(1, 2).steps(3)
    second = Log("msrun_log/worker_7.log", 55).started(1, 2).steps(2)
    job = job_of(worker(0, 2), first, second)
    assert [f.rank for f in job.files] == [0, 1, 1]
    assert set(process(job, 1).files) == {first.name, second.name}


def test_identical_copies_are_echoes() -> None:
    one = worker(0, 1).steps(3).done()
    copy = replace(one, name="copy/worker_0.log")
    job = build(Evidence((one, copy)))
    assert sum(f.echo for f in job.files) == 1


def test_the_loggers_own_files_are_echoes_beside_worker_logs() -> None:
    log = worker(0, 1).steps(10)
    copies = [replace(log.done(), name="log/rank_0/info.log", size=1),
              FileEvidence("log/rank_0/error.log")]
    job = build(Evidence((log.done(), *copies)))
    assert {f.name for f in job.files if f.echo} == {c.name for c in copies}
    alone = build(Evidence(tuple(copies)))
    assert {f.name for f in alone.files if f.echo} == {"log/rank_0/error.log"}
    assert states(alone) == {0: "finished"}


def test_nothing_at_all() -> None:
    job = build(Evidence(()))
    assert (job.files, job.processes, job.nodes, job.first_time) == ((), (), (), None)


def test_ten_thousand_ranks_take_seconds() -> None:
    world, per_node = 10_000, 8
    logs = [worker(rank, world, f"n{rank // per_node:04d}/msrun_log/").steps(3).done()
            for rank in range(world)]
    logs.append(scheduler(range(world), world, "n0000/msrun_log/", per_host=per_node).done())
    begin = time.process_time()
    job = build(Evidence(tuple(logs)))
    assert time.process_time() - begin < 20
    assert len(job.nodes) == world // per_node
    assert job.registered == tuple(range(world))
    assert process(job, 9_999).local_rank == 7
