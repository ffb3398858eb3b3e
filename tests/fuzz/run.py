"""Coverage-guided fuzzing of all targets, one after the other (`make fuzz`).

Usage: python -m tests.fuzz.run [--seconds N] [--target NAME] [--work FOLDER]

Needs the package atheris (extra `fuzz`). Each target runs in a process of its own for its share
of the time. What it finds is kept in WORK (default: build/fuzz): inputs that reached new code in
TARGET/, inputs that failed as TARGET/crash-*, timeout-* or oom-*. A failing input, once mended,
belongs into tests/fuzz/corpus/TARGET. Prints executions, coverage and corpus size a target; exit
status 1 if one failed.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
#: Longest input in bytes, and the seconds and MiB that reading it may take.
LENGTH, TIMEOUT, MEMORY = 1 << 14, 10, 2048
#: Bytes of a first input where lines are read one by one: many short ones tell more.
_SEED = {"redact": 1 << 10, "check": 1 << 11, "asked": 1 << 9, "prefix": 1 << 11, "steps": 1 << 11}
_LINE = re.compile(r"#(\d+)\s.*cov: (\d+) ft: (\d+) corp: (\d+)")


def seeds(target: str, folder: Path) -> None:
    """Something to begin with: pieces of the logs, rules and articles that are there."""
    written = {"rules": "rules/**/*.yaml", "article": "kb/*/*.md", "site": "**/scaffold/*.yaml"}
    files = sorted(ROOT.glob(written.get(target, "tests/cases/*/*/*/*.log")))
    for number, file in enumerate(files[::max(1, len(files) // 60)]):
        content = file.read_bytes()
        if target == "names":
            content = str(file.relative_to(ROOT)).encode()
        elif target == "check":  # with a healthy log beside it
            content = (b"==> msrun_log/worker_0.log <==\n" + content[-_SEED[target]:]
                       + b"==> msrun_log/scheduler.log <==\n" + files[0].read_bytes()[-1024:])
        elif target == "rules":  # one rule: a whole file is read ten times a second only
            head, *items = content.split(b"\n  - id: ")
            content = head + b"\n  - id: " + items[number % len(items)] if items else head
        # Of a log the end, where what went wrong stands.
        from_start = target in written or target == "check"
        (folder / f"seed-{number}").write_bytes(
            content[:LENGTH] if from_start else content[-_SEED.get(target, LENGTH):])
    if target in ("archives", "collected"):
        _pack(target, files[:3], folder)


def _pack(target: str, files: list[Path], folder: Path) -> None:
    import bz2
    import gzip
    import io
    import lzma
    import tarfile
    import zipfile

    from assistant.evidence import serial
    from assistant.evidence.types import Evidence
    from assistant.portable.kbt import Collection, write
    from assistant.scan import build_engine, scan_stream

    if target == "collected":
        found = [scan_stream("worker_0.log", io.BytesIO(file.read_bytes()[:3000]),
                             build_engine((), None, "re2"), ()) for file in files]
        with (folder / "seed-kbt").open("wb") as stream:
            write(Collection(Evidence(tuple(found))), stream)
        for number, evidence in enumerate(found):
            (folder / f"seed-line-{number}").write_bytes(
                b"{}\n" + serial.dump(evidence) + b"\n" + serial.dump(Evidence(())) + b"\n")
        return
    text = files[0].read_bytes()[:2000]
    for name, pack in (("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)):
        (folder / f"seed-{name}").write_bytes(pack(text))
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        tar.add(files[0], "logs/worker_0.log")
    (folder / "seed-tar").write_bytes(packed.getvalue()[:LENGTH])
    with zipfile.ZipFile(folder / "seed-zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("logs/worker_0.log", text)


def fuzz(target: str, arguments: list[str]) -> None:
    """Fuzz one target in this process; never returns."""
    import importlib

    atheris = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["assistant"]):
        from tests.fuzz.targets import TARGETS

        run = TARGETS[target]
        folder = next(Path(word) for word in arguments if not word.startswith("-"))
        # Code is watched only if it was imported here: run what imports it.
        for content in [b"", *(path.read_bytes() for path in sorted(folder.glob("seed-*"))[:10])]:
            run(content)
    atheris.Setup([sys.argv[0], *arguments], run)
    atheris.Fuzz()


def main() -> int:
    """Run all targets and print the numbers; gives the exit status."""
    from tests.fuzz.targets import CORPUS, TARGETS

    parser = argparse.ArgumentParser(description="Fuzz the parsers.")
    parser.add_argument("--seconds", type=int, default=int(os.environ.get("FUZZ_SECONDS", "600")),
                        help="in all (default: FUZZ_SECONDS, else 600)")
    parser.add_argument("--target", action="append", choices=sorted(TARGETS))
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "fuzz")
    options = parser.parse_args()
    targets = options.target or list(TARGETS)
    share = max(1, options.seconds // len(targets))
    failed = False
    print(f"{'target':<10} {'executions':>11} {'edges':>7} {'features':>9} {'inputs':>7}")
    for target in targets:
        folder = options.work / target
        folder.mkdir(parents=True, exist_ok=True)
        if not any(folder.glob("seed-*")):
            seeds(target, folder)
        kept = CORPUS / target
        done = subprocess.run(
            [sys.executable, "-m", "tests.fuzz.run", "--one", target, str(folder),
             *([str(kept)] if kept.is_dir() else []),
             f"-max_total_time={share}", f"-max_len={LENGTH}", f"-timeout={TIMEOUT}",
             f"-rss_limit_mb={MEMORY}", f"-artifact_prefix={folder}/"],
            stderr=subprocess.STDOUT, stdout=subprocess.PIPE, text=True, errors="replace",
            check=False, cwd=ROOT)
        numbers = _LINE.findall(done.stdout)
        executions, edges, features, inputs = numbers[-1] if numbers else ("0",) * 4
        print(f"{target:<10} {executions:>11} {edges:>7} {features:>9} {inputs:>7}", flush=True)
        if done.returncode or edges == "0":
            failed = True
            print(f"{target}: exit status {done.returncode}, {edges} edges")
            print("\n".join(done.stdout.splitlines()[-40:]), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        fuzz(sys.argv[2], sys.argv[3:])
    sys.exit(main())
