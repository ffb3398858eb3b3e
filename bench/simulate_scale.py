"""What a check costs for jobs of up to 100,000 ranks, extended from costs measured here.

Usage: python bench/simulate_scale.py [--ranks N] [--megabytes N] [--per-node N] [--cores N]

Makes the logs of one node, collects and reads them, and measures: the rate of the scan, the
size of a .kbt file, the time to load one as one of thousands, in one process and what of it is
left to the main process where several share it, and the memory of the evidence (times are CPU
times, so that other work on the machine changes them little). Then it makes jobs of three
sizes out of that evidence, each rank with its own number, and measures what judging them takes.
From these it extends to larger jobs (a straight line through the two largest sizes) and prints
a table. Nothing beyond the measured sizes is run: it is a simulation.
"""

from __future__ import annotations

import argparse
import gc
import io
import re
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from assistant.evidence.keep import LIGHT, MANY_FILES
from assistant.evidence.merge import merge, relabel, thinned
from assistant.evidence.types import Evidence, FileEvidence, Hit, PatternHits
from assistant.pipeline import Knowledge, Reading
from assistant.portable import kbt
from assistant.portable.kbt import Collection
from assistant.portable.known import marks
from assistant.portable.load import labels_for, load

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "exception-on-one-rank" / "msrun_log"
#: Ranks of the jobs to extend to.
SIZES = (1_000, 10_000, 30_000, 100_000)
_STEP = re.compile(rb"step:\[ *\d+/ *\d+\]")
_VALUE = re.compile(rb"(?<=loss:)( *[\d.]+)|(?<=grad_norm:)( *[\d.]+)|(?<=per_step_time:)( *\d+)")
_RANK = re.compile(rb"(This node |rank id: |rank:)\d+")


@dataclass(frozen=True)
class Costs:
    """What was measured.

    Attributes:
        scan: bytes a second, of one process. packed: bytes of a .kbt file a rank.
        load: seconds a rank to load one in one process. left: seconds a rank of the main process
            where others load. memory: bytes a rank of evidence in a large job.
        judged: (ranks, seconds) to build the job, judge it and write the report.
    """

    scan: float
    packed: float
    load: float
    left: float
    memory: float
    judged: list[tuple[int, float]]

    def load_on(self, cores: int) -> float:
        """Seconds a rank to load on so many cores."""
        if cores == 1:
            return self.load
        return max(self.left, (self.load + self.left) / cores)


def write_logs(folder: Path, ranks: int, size: int) -> None:
    """Logs of about so many bytes, with the lines of a real job and steps up to that size:
    nearly all lines are step lines, the dearest kind to read and to keep."""
    random = Random(1)
    lines = (EXAMPLE / "worker_0.log").read_bytes().split(b"\n")
    steps = [i for i, line in enumerate(lines) if _STEP.search(line)]
    start, period = lines[:steps[0]], lines[steps[1]:steps[2]]
    folder.mkdir(parents=True)
    for rank in range(ranks):
        head = _RANK.sub(lambda found, rank=rank: found[1] + b"%d" % rank, b"\n".join(start))
        count = max(1, (size - len(head)) // sum(len(line) + 1 for line in period))
        body = (_VALUE.sub(lambda found: _like(found[0], random), _STEP.sub(
            b"step:[%5d/%5d]" % (step, count), line))
            for step in range(1, count + 1) for line in period)
        (folder / f"worker_{rank}.log").write_bytes(head + b"\n" + b"\n".join(body) + b"\n")
    (folder / "scheduler.log").write_bytes((EXAMPLE / "scheduler.log").read_bytes())


def _like(value: bytes, random: Random) -> bytes:
    """Another number of the same form."""
    if b"." in value:
        return b" %10.6f" % random.uniform(2, 3)
    return b" %6d" % random.randint(900, 1000)


def measure(ranks: int, size: int, per_node: int) -> Costs:
    """The costs, with jobs of a quarter of so many ranks, a half, and all."""
    knowledge = Knowledge()
    with tempfile.TemporaryDirectory() as name:
        logs = Path(name) / "msrun_log"
        write_logs(logs, per_node, size)
        knowledge.scan([str(logs)], Reading(jobs=1))  # fills caches
        start = time.process_time()
        evidence = knowledge.scan([str(logs)], Reading(jobs=1))
        scan = time.process_time() - start
    workers = [file for file in evidence.files if file.name.startswith("worker")]
    packed = io.BytesIO()
    kbt.write(Collection(evidence, marks(knowledge.rules.patterns())), packed)
    judged: list[tuple[int, float]] = []
    memory = 0.0
    for count in (ranks // 4, ranks // 2, ranks):
        gc.collect()
        before = resident()
        job = merge(node for node in nodes(evidence, count, per_node))
        memory = (resident() - before) / count
        judged.append((count, min(judging(knowledge, job) for _ in range(3))))
        del job
    # Last, since the memory that it gives back would be taken again unseen.
    loads = [loading(packed.getvalue(), len(workers), jobs) for jobs in (1, 2)]
    return Costs(sum(file.size for file in evidence.files) / scan, packed.tell() / len(workers),
                 loads[0], loads[1], memory, judged)


def judging(knowledge: Knowledge, job: Evidence) -> float:
    """CPU seconds from evidence to the report."""
    start = time.process_time()
    knowledge.report(knowledge.diagnose(job), job, "en")
    return time.process_time() - start


def loading(packed: bytes, ranks: int, jobs: int) -> float:
    """CPU seconds a rank of this process to load a file among so many that less is kept."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [f"{folder}/{number}.kbt" for number in range(MANY_FILES // ranks + 1)]
        for path in paths:
            Path(path).write_bytes(packed)
        labels = labels_for(paths, [])
        start = time.process_time()
        load(paths, labels, {}, jobs=jobs)
        return (time.process_time() - start) / (len(paths) * ranks)


def nodes(evidence: Evidence, ranks: int, per_node: int) -> Iterator[Evidence]:
    """The evidence of all nodes of a job, made from one's, each rank with its own number."""
    packed = io.BytesIO()
    kbt.write(Collection(evidence), packed)
    for first in range(0, ranks, per_node):
        # Loaded anew, so that nodes share as little memory as those of a real job.
        fresh = kbt.read(packed).evidence
        files = tuple(
            thinned(_renumbered(file, first + int(file.name.split("_")[1].split(".")[0])), LIGHT)
            if file.name.startswith("worker") else file
            for file in fresh.files if first == 0 or file.name.startswith("worker"))
        yield relabel(replace(fresh, files=files), f"node-{first // per_node}")


def _renumbered(file: FileEvidence, rank: int) -> FileEvidence:
    def hit(found: Hit) -> Hit:
        return replace(found, captures=tuple(
            (name, str(rank) if name == "rank" else text) for name, text in found.captures))

    hits = {key: PatternHits(found.count, tuple(map(hit, found.hits)),
                             tuple(map(hit, found.distinct)))
            if key.startswith("landmark/") else found for key, found in file.hits.items()}
    return replace(file, name=f"worker_{rank}.log", hits=hits)


def resident() -> int:
    """Bytes of memory that this process holds (Linux)."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


def extended(points: list[tuple[int, float]], ranks: int) -> float:
    """The value at a size, by the straight line through the two largest that were measured."""
    (one, less), (other, more) = points[-2:]
    found = less + (ranks - one) * (more - less) / (other - one)
    return max(more, found) if ranks > other else max(0.0, found)


def table(costs: Costs, size: int, per_node: int, cores: int) -> Iterator[str]:
    """The costs, and what they come to, as lines of Markdown."""
    yield f"measured: scan {costs.scan / 1e6:.0f} MB/s a core;"
    yield (f".kbt {costs.packed / 1e3:.1f} KB a rank; load {costs.load * 1e3:.1f} ms a rank, "
           f"{costs.left * 1e3:.1f} ms of it in the main process; "
           f"memory {costs.memory / 1e3:.0f} KB a rank;")
    yield "judging " + ", ".join(f"{ranks:,} ranks {taken:.2f} s" for ranks, taken in costs.judged)
    yield ""
    yield ("| ranks | nodes | logs | scan, one core | scan, on each node | .kbt files | "
           f"load them | ... on {cores} cores | memory | judge |")
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for ranks in SIZES:
        logs = ranks * size
        yield (f"| {ranks:,} | {ranks // per_node:,} | {logs / 1e9:,.0f} GB "
               f"| {logs / costs.scan:,.0f} s | {per_node * size / costs.scan:.2f} s "
               f"| {ranks * costs.packed / 1e6:,.0f} MB | {ranks * costs.load:,.0f} s "
               f"| {ranks * costs.load_on(cores):,.0f} s "
               f"| {ranks * costs.memory / 1e9:.1f} GB "
               f"| {extended(costs.judged, ranks):,.1f} s |")


def main() -> None:
    """Measure and print; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", type=int, default=2000, help="ranks of the largest job judged")
    parser.add_argument("--megabytes", type=float, default=1.0, help="size of a rank's log")
    parser.add_argument("--per-node", type=int, default=8, help="ranks of a node")
    parser.add_argument("--cores", type=int, default=8, help="cores of the machine that loads")
    arguments = parser.parse_args()
    size = int(arguments.megabytes * 1e6)
    for line in table(measure(arguments.ranks, size, arguments.per_node), size,
                      arguments.per_node, arguments.cores):
        print(line)


if __name__ == "__main__":
    main()
