"""`kbtriage check` against the searches that people would make instead, in the same run.

    python bench/speed.py                     the short form: a job of 8 x 8 MB
    python bench/speed.py --bytes-per-file 512M --memory 64M 256M 1G

Prints ratios: wall clock and processor time of `check` to those of ripgrep for all patterns of
all rules (same number of threads) and of the `grep` that MindSpore's guide advises; peak
memory; size of the evidence and time to merge it; time by number of rules and of processes.
Commands are run in turn and the median of each is taken.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import ripgrep
from generate import generate, size, sized
from joblog import Job
from measure import Used, in_turn, run

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))
CHECK = [sys.executable, "-m", "assistant", "check", "--exit-zero"]


def main() -> None:
    """See the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", type=int, default=8)
    parser.add_argument("--bytes-per-file", type=size, default=8 << 20)
    parser.add_argument("--level", choices=("info", "warning"), default="info")
    parser.add_argument("--between", type=int, default=100, help="lines between two step lines")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--memory", type=size, nargs="*", default=[],
                        help="further sizes of a file for which to show the peak memory")
    parser.add_argument("--rules", type=int, nargs="*", default=[50, 250, 1000])
    given = parser.parse_args()
    if shutil.which("rg") is None:
        sys.exit("ripgrep is missing: apt-get install ripgrep")
    job = Job(given.ranks, stages=2, level=given.level, between=given.between, fault="silent",
              culprit=given.ranks // 2)
    with _environment() as (scratch, environment):
        logs = scratch / "logs"
        job = sized(job, given.bytes_per_file)
        total = generate(logs, job, per_node=8)
        print(f"{total / 1e6:,.0f} MB, {job.ranks} logs, {job.steps:,} steps, level {job.level}, "
              f"{given.threads} threads, median of {given.runs} runs")
        _searches(logs, scratch, total, given.threads, given.runs, environment)
        _processes("all logs", logs, given.threads, given.runs, environment)
        _processes("one log", next(logs.rglob("worker_0.log")), given.threads, given.runs,
                   environment)
        _evidence(logs)
        _rules(logs, given.rules, given.runs, environment, scratch)
        shutil.rmtree(logs)
        for wanted in given.memory:
            total = generate(logs, sized(job, wanted), per_node=8)
            used = run([*CHECK, "--jobs", str(given.threads), str(logs)], memory=True,
                       environment=environment)
            print(f"memory, {total / 1e9:5.2f} GB: {used.memory / 1e6:6.0f} MB")
            shutil.rmtree(logs)


@contextmanager
def _environment() -> Iterator[tuple[Path, dict[str, str]]]:
    """A folder for all files, and an environment in which caches are kept in it."""
    with tempfile.TemporaryDirectory() as name:
        environment = {**os.environ, "XDG_CACHE_HOME": name, "PYTHONPATH": str(ROOT)}
        yield Path(name), environment


def _searches(logs: Path, scratch: Path, total: int, threads: int, runs: int,
              environment: dict[str, str]) -> None:
    from assistant.rules import load, packs
    from assistant.scan.compile import expressions

    patterns = scratch / "patterns"
    specs = load(packs.layers([]), cache=False).patterns()
    left_out = ripgrep.write_patterns(expressions(specs), patterns)
    print(f"{len(specs):,} patterns; ripgrep does not take {left_out} of them")
    check = [*CHECK, "--jobs", str(threads), str(logs)]
    search = ripgrep.command(patterns, logs, threads)
    grep = ["grep", "-rnE", "ERROR|CRITICAL", "-C", "10", str(logs)]
    run(check, environment=environment)  # fills the caches: compiled patterns, files
    ours, theirs, plain = in_turn(runs, [check, search, grep], output=scratch / "found",
                                  environment=environment)
    bare = in_turn(runs, [[sys.executable, "-c", "pass"]])[0]
    for name, used in (("kbtriage check", ours), ("ripgrep", theirs), ("grep -C 10", plain),
                       ("python -c pass", bare)):
        print(f"{name:24}{used.wall:8.2f} s wall {used.cpu:8.2f} s CPU "
              f"{total / used.wall / 1e6:8.0f} MB/s")
    for name, used in (("ripgrep", theirs), ("grep", plain)):
        print(f"check / {name:16}{ours.wall / used.wall:8.2f} wall   "
              f"{ours.cpu / used.cpu:8.2f} CPU")
    memory = run(check, memory=True, environment=environment).memory
    print(f"peak memory of check    {memory / 1e6:8.0f} MB (sum of proportional set sizes)")


def _processes(what: str, logs: Path, threads: int, runs: int,
               environment: dict[str, str]) -> None:
    """Time by number of processes."""
    numbers = sorted({1, 2, threads, 2 * threads})
    used = in_turn(runs, [[*CHECK, "--jobs", str(number), str(logs)] for number in numbers],
                   environment=environment)
    print(f"{what} by processes:  " + "   ".join(
        f"{number}: {each.wall:.2f} s wall, {each.cpu:.2f} s CPU"
        for number, each in zip(numbers, used, strict=True)))


def _evidence(logs: Path) -> None:
    """Size of the evidence, and how long merging its files takes."""
    from assistant.evidence import serial
    from assistant.evidence.merge import merge
    from assistant.evidence.types import Evidence
    from assistant.rules import load, packs
    from assistant.scan import scan_all
    from assistant.sources import find

    evidence = scan_all(find([str(logs)]), load(packs.layers([]), cache=False))
    packed = serial.dump(evidence)
    start = time.perf_counter()
    merge(Evidence((file,)) for file in evidence.files)
    seconds = time.perf_counter() - start
    print(f"evidence: {len(packed) / 1e3 / len(evidence.files):,.1f} KB a file, "
          f"merged in {1e6 * seconds / len(evidence.files):,.0f} us a file")


def _rules(logs: Path, numbers: Sequence[int], runs: int, environment: dict[str, str],
           scratch: Path) -> None:
    """Processor time of the scan alone by number of rules: those there are, and copies of
    them in other words where there are too few."""
    rows: list[tuple[int, Used]] = []
    for number in numbers:
        command = [sys.executable, str(Path(__file__).parent / "scan_rules.py"), str(number),
                   str(logs)]
        run(command, environment=environment)
        used = in_turn(runs, [command], environment=environment)[0]
        rows.append((number, used))
    base = next((used for number, used in rows if number == 250), rows[0][1] if rows else None)
    for number, used in rows:
        print(f"{number:5} rules: {used.cpu:6.2f} s CPU, {used.cpu / base.cpu:.2f} of 250 rules"
              if base else "")


if __name__ == "__main__":
    main()
