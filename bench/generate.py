"""Makes the log folder of an msrun job of any size.

    python bench/generate.py FOLDER --ranks 8 --bytes-per-file 512M --fault silent --culprit 3

One folder holds all logs, or with --per-node each node's lie in a folder of its own, the
scheduler's in the first.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import get_args

from joblog import Fault, Job, Level, scheduler, worker

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
#: Bytes written at a time.
_BLOCK = 1 << 22
#: Steps of the sample by which the steps of a file of a given size are reckoned.
_SAMPLE = 64


def size(text: str) -> int:
    """`512M` -> bytes. Raises argparse.ArgumentTypeError."""
    match = re.fullmatch(r"(\d+)([KMG]?)", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no size: write e.g. 512M")
    return int(match[1]) * _UNITS[match[2]]


def sized(job: Job, wanted: int) -> Job:
    """The job with as many steps as make the log of a worker about this long."""
    short = replace(job, steps=_SAMPLE, fault="none")
    pieces = [len(piece) for piece in worker(short, job.ranks - 1)]
    a_step = sum(pieces[1:-1]) / _SAMPLE
    return replace(job, steps=max(4, int((wanted - pieces[0]) / a_step)))


def write(path: Path, pieces: Iterable[bytes]) -> int:
    """Write a file in large blocks; return its size."""
    path.parent.mkdir(parents=True, exist_ok=True)
    total, waiting, pending = 0, [], 0
    with path.open("wb", buffering=0) as file:
        for piece in pieces:
            waiting.append(piece)
            pending += len(piece)
            if pending >= _BLOCK:
                file.write(b"".join(waiting))
                total, waiting, pending = total + pending, [], 0
        file.write(b"".join(waiting))
    return total + pending


def generate(folder: Path, job: Job, per_node: int | None = None) -> int:
    """Write all logs of a job; return how many bytes they are.

    Args:
        per_node: ranks of a node, each node with a folder of its own; None: one folder.
    """
    def place(rank: int) -> Path:
        return folder if per_node is None else folder / f"node-{rank // per_node:04d}"

    total = write(place(0) / "scheduler.log", scheduler(job))
    for rank in range(job.ranks):
        total += write(place(rank) / f"worker_{rank}.log", worker(job, rank))
    return total


def main() -> None:
    """See the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--ranks", type=int, default=8)
    parser.add_argument("--stages", type=int, default=1, help="pipeline stages")
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--bytes-per-file", type=size, help="instead of --steps, e.g. 512M")
    parser.add_argument("--between", type=int, default=100, help="lines between two step lines")
    parser.add_argument("--level", choices=get_args(Level), default="info")
    parser.add_argument("--fault", choices=get_args(Fault), default="none")
    parser.add_argument("--culprit", type=int, default=0, help="rank with the fault")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--per-node", type=int, help="ranks a node; a folder each")
    given = parser.parse_args()
    job = Job(given.ranks, given.stages, given.steps, given.between, given.level, given.fault,
              given.culprit, given.seed)
    if given.bytes_per_file is not None:
        job = sized(job, given.bytes_per_file)
    total = generate(given.folder, job, given.per_node)
    print(f"{total:,} bytes, {job.ranks} ranks, {job.steps} steps")


if __name__ == "__main__":
    main()
