"""Cases cut at random places: a report of what is left must rest on what is left.

Usage: python -m bench.cuts [--cuts N] [--seed N] [--cases FOLDER] [--only GLOB]

Each time one log of a case is cut off at a random byte, as by a full disk or a copy that broke
off. The check must not crash, and every line that a finding quotes must stand in the input, at
its place and word for word. Prints what is not so, and the numbers; exit status 1 if anything
is not so.
"""

from __future__ import annotations

import argparse
import fnmatch
import io
import random
import sys
import time
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from assistant import sources
from assistant.diagnose.run import conclude
from assistant.diagnose.types import Diagnosis
from assistant.evidence.types import Evidence, FileEvidence
from assistant.pipeline import Knowledge
from assistant.render import terminal
from assistant.rules.signals import FileSignal
from assistant.scan.compile import build_engine
from assistant.scan.scanner import scan_stream
from assistant.scan.shown import shown

CASES = Path(__file__).resolve().parent.parent / "tests" / "cases"


@dataclass(frozen=True, slots=True)
class Wrong:
    """What a cut brought to light: case, file, byte, and what was wrong."""

    case: str
    file: str
    at: int
    what: str


class Checker:
    """A check of logs that are given as bytes; what did not change is scanned once."""

    def __init__(self) -> None:
        self.knowledge = Knowledge()
        self._specs = self.knowledge.rules.patterns()
        self._engine = build_engine(self._specs, self.knowledge.cache_dir)

    def scan(self, name: str, content: bytes) -> FileEvidence:
        """The evidence of one log."""
        return scan_stream(name, io.BytesIO(content), self._engine, self._specs)

    def diagnose(self, files: Mapping[str, FileEvidence]) -> Diagnosis:
        """What the rules say of the files."""
        evidence = Evidence(tuple(files[name] for name in sorted(files)))
        return conclude(self.knowledge.judge(evidence))

    def show(self, diagnosis: Diagnosis, files: Mapping[str, FileEvidence]) -> str:
        """The report on the terminal."""
        evidence = Evidence(tuple(files[name] for name in sorted(files)))
        return terminal.render(self.knowledge.report(diagnosis, evidence, "en"), verbose=True)


def logs_of(case: Path) -> dict[str, bytes]:
    """Name to content of the logs of a case, a folder with an expect.yaml."""
    expect = yaml.safe_load((case / "expect.yaml").read_text("utf-8"))
    contents = {}
    for source in sources.find([str(case / expect.get("input", "."))]):
        if isinstance(source, sources.LogSource):
            with source.open() as stream:
                contents[source.name] = stream.read()
    return contents


def unsupported(diagnosis: Diagnosis, contents: Mapping[str, bytes]) -> Iterator[str]:
    """The quotations of findings that do not stand in the input as they are quoted."""
    for finding in diagnosis.findings:
        # What is said of the files themselves (several jobs in one folder) has no line.
        of_files = all(isinstance(signal, FileSignal) for signal in finding.rule.signals.values())
        if finding.role == "cause" and not (finding.evidence or finding.absent or of_files):
            yield f"{finding.rule.id} is named a cause without a line"
        for line in finding.quoted:
            found = contents.get(line.file, b"").removeprefix(b"\xef\xbb\xbf").split(b"\n")
            if not 0 < line.line <= len(found):
                yield f"{finding.rule.id} quotes {line.file}:{line.line}, which is not there"
                continue
            whole = shown(found[line.line - 1][:1 << 20].rstrip(b"\r"))
            # of several parts of a line (CR, a wrapper before it) one may be quoted
            if line.text.strip("…") not in whole and len(whole) < 500:
                yield (f"{finding.rule.id} quotes {line.file}:{line.line} as {line.text!r}, "
                       f"which is {whole!r}")


def cuts(case: Path, checker: Checker, count: int, chance: random.Random) -> Iterator[Wrong | None]:
    """One result a cut, None if nothing was wrong."""
    contents = logs_of(case)
    whole = {name: checker.scan(name, content) for name, content in contents.items()}
    names = [name for name in sorted(contents) if contents[name]]
    weights = [len(contents[name]) for name in names]
    for number in range(count if names else 0):
        name = chance.choices(names, weights)[0]
        at = chance.randrange(len(contents[name]))
        left = {**contents, name: contents[name][:at]}
        try:
            files = {**whole, name: checker.scan(name, left[name])}
            diagnosis = checker.diagnose(files)
            if number % 10 == 0:
                checker.show(diagnosis, files)
            what = next(unsupported(diagnosis, left), None)
        except Exception:
            what = traceback.format_exc()
        yield None if what is None else Wrong(case.name, name, at, what)


def main() -> int:
    """Run and print; gives the exit status."""
    parser = argparse.ArgumentParser(description="Check cases that are cut at random places.")
    parser.add_argument("--cuts", type=int, default=200, help="cuts a case (default: 200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=Path, default=CASES)
    parser.add_argument("--only", default="*", metavar="GLOB", help="names of cases")
    arguments = parser.parse_args()
    checker, began = Checker(), time.monotonic()
    done = wrong = 0
    cases = [file.parent for file in sorted(arguments.cases.rglob("expect.yaml"))
             if fnmatch.fnmatchcase(file.parent.name, arguments.only)]
    for case in cases:
        for result in cuts(case, checker, arguments.cuts,
                           random.Random(f"{arguments.seed} {case.name}")):
            done += 1
            if result is not None:
                wrong += 1
                print(f"{result.case}: {result.file} cut at {result.at}: {result.what}",
                      flush=True)
    print(f"{len(cases)} cases, {done} cuts, {wrong} wrong, "
          f"{time.monotonic() - began:.0f} s", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
