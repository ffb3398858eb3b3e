"""Takes each guard away and sees its test fail (`make guards`).

Usage: python -m tests.guards [--only WORD] [--seconds N]

`tests/guards.yaml` lists what is tried to break, the guard, and its test. The guard is taken
away in a copy of the project, where nothing else can come to harm; the test must pass there
before and fail after. A test that is still running after N seconds (default 300) has failed, too:
without their guard some of them never end. Prints a line a guard; exit status 1 if one was not
missed.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "tests" / "guards.yaml"
#: Bytes of memory that a test may take.
_MEMORY = 6 << 30
#: What a copy needs not.
_LEFT_OUT = (".git", "build", "dist", "images", "__pycache__", ".*_cache")


@dataclass(frozen=True, slots=True)
class Guard:
    """A guard: what it is against, its file, its text and what stands there without it, and the
    test (a file, a folder or one function) that must then fail."""

    item: str
    file: str
    before: str
    after: str
    test: str


def guards() -> list[Guard]:
    """The guards of the table, in its order."""
    rows = yaml.safe_load(TABLE.read_text("utf-8"))
    return [Guard(row["item"], row["file"], row["from"], row["to"], row["test"]) for row in rows]


def passes(folder: Path, test: str, seconds: int) -> bool:
    """Whether a test passes in a copy of the project in time."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", test],
            cwd=folder, env=environment, capture_output=True, timeout=seconds, check=False,
            preexec_fn=_bounded)
    except subprocess.TimeoutExpired:
        return False
    if done.returncode > 1:
        raise SystemExit(f"{test}: pytest ended with {done.returncode}\n{done.stdout.decode()}")
    return done.returncode == 0


def _bounded() -> None:
    """Without its guard a test may ask for all the memory that there is."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def missed(folder: Path, guard: Guard, seconds: int) -> bool:
    """Whether the test fails without the guard; the file is as before afterwards."""
    file = folder / guard.file
    text = file.read_text("utf-8")
    try:
        file.write_text(text.replace(guard.before, guard.after), "utf-8")
        return not passes(folder, guard.test, seconds)
    finally:
        file.write_text(text, "utf-8")


def main() -> int:
    """Try all guards; gives the exit status."""
    parser = argparse.ArgumentParser(description="Take each guard away and see its test fail.")
    parser.add_argument("--only", default="", help="those whose item holds this word")
    parser.add_argument("--seconds", type=int, default=300, help="for one test (default: 300)")
    options = parser.parse_args()
    tried = [guard for guard in guards() if options.only in guard.item]
    sound: dict[str, bool] = {}
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "copy"
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*_LEFT_OUT))
        for guard in tried:
            if guard.test not in sound:
                sound[guard.test] = passes(folder, guard.test, options.seconds)
            found = ("the test fails with it, too" if not sound[guard.test] else
                     "missed" if missed(folder, guard, options.seconds) else "NOT MISSED")
            failed += found != "missed"
            print(f"{found:<11} {guard.item}  ({guard.test})", flush=True)
    print(f"{len(tried) - failed} of {len(tried)} guards are missed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
