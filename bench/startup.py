"""CPU time of a start of kbtriage against that of `python -c pass`, measured in the same run.

Usage: python bench/startup.py [--runs N]

Prints one line a command: median CPU seconds (user and system, of the whole process tree)
and the ratio to the median of the bare interpreter. Exit status 1 if a ratio is above its
limit.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
KBTRIAGE = [sys.executable, "-m", "assistant"]
#: command, and how many times the CPU of `python -c pass` it may use
COMMANDS = {
    "kbtriage --version": ([*KBTRIAGE, "--version"], 8),
    "kbtriage check (8 ranks)": ([*KBTRIAGE, "check", "{logs}", "--exit-zero"], 28),
}


def cpu(command: list[str], environment: dict[str, str]) -> float:
    """CPU seconds that a command and its children use."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   env=environment, cwd=ROOT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def eight_ranks(folder: Path) -> Path:
    """A log directory of eight ranks, made of the bundled example of four."""
    source = ROOT / "examples" / "exception-on-one-rank" / "msrun_log"
    logs = folder / "msrun_log"
    logs.mkdir()
    (logs / "scheduler.log").write_bytes((source / "scheduler.log").read_bytes())
    for rank in range(8):
        text = (source / f"worker_{rank % 4}.log").read_bytes()
        stated = f"This node {rank % 4} rank id: {rank % 4}".encode()
        (logs / f"worker_{rank}.log").write_bytes(
            text.replace(stated, f"This node {rank} rank id: {rank}".encode()))
    return logs


def main() -> int:
    """Measure and print; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=15)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as name:
        logs = eight_ranks(Path(name))
        # With compiled modules, as an installed package has them.
        environment = {**os.environ, "XDG_CACHE_HOME": name, "PYTHONPYCACHEPREFIX": name}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        bare_command = [sys.executable, "-c", "pass"]
        commands = {label: ([part.replace("{logs}", str(logs)) for part in command], limit)
                    for label, (command, limit) in COMMANDS.items()}
        for command, _ in commands.values():
            cpu(command, environment)  # fills the caches
        # In turns, so that what else the machine does falls on all of them alike.
        seconds: dict[str, list[float]] = {label: [] for label in ("", *commands)}
        for _ in range(runs):
            seconds[""].append(cpu(bare_command, environment))
            for label, (command, _) in commands.items():
                seconds[label].append(cpu(command, environment))
        bare = median(seconds[""])
        print(f"{'python -c pass':28} {bare:7.4f} s")
        over = False
        for label, (_, limit) in commands.items():
            used = median(seconds[label])
            over |= used > limit * bare
            print(f"{label:28} {used:7.4f} s  {used / bare:5.1f} times (limit {limit})")
    return int(over)


if __name__ == "__main__":
    sys.exit(main())
