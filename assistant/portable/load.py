"""Files of collected evidence -> one Evidence, whatever state they are in."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import BinaryIO

from assistant.errors import UsageError
from assistant.evidence.keep import LIGHT, for_files
from assistant.evidence.merge import merge, relabel
from assistant.evidence.types import Evidence, Skipped
from assistant.portable import read
from assistant.portable.read import Read
from assistant.sources.arguments import STDIN
from assistant.sources.kinds import COLLECTED
from assistant.sources.names import labels


@dataclass(frozen=True, slots=True)
class Loaded:
    """What several files of collected evidence hold.

    Attributes:
        evidences: one a file that could be used, names of files made to differ.
        skipped: the others, and why.
        not_known: rules and landmarks that some of the evidence was collected without.
    """

    evidences: tuple[Evidence, ...]
    skipped: tuple[Skipped, ...]
    not_known: tuple[str, ...]


def labels_for(collected: Sequence[str], others: Sequence[str]) -> dict[str, str]:
    """What the names of an argument's files begin with: as much of its path, without `.kbt`,
    as tells it from the others."""
    stems = [path[:-len(COLLECTED)] if path.lower().endswith(COLLECTED) else path
             for path in collected]
    every = [*collected, *others]
    return dict(zip(every, labels([*stems, *others]), strict=True))


def load(paths: Sequence[str], given: Mapping[str, str], now: Mapping[str, str],
         stdin: BinaryIO | None = None, jobs: int | None = 1) -> Loaded:
    """The evidence in files; the same whatever the number of jobs.

    Args:
        paths: the files; `-` is standard input.
        given: see labels_for; empty where there is no other input.
        now: the marks of the rules in force (see known.py).
        stdin: what `-` means.
        jobs: number of processes, None: one a processor.

    A file that says what its node is called (`--node`) is called that.
    """
    with _on_disk(paths, stdin) as files, _uncollected():
        # Before thousands of logs are there in full; a file that proves damaged has none.
        keep = for_files(sum(map(read.declared, files)))
        found = list(read.all_of(files, now, keep, jobs))
        count = sum(len(item.evidence.files) for item in found if isinstance(item, Read))
        if for_files(count) is not keep:
            found = list(read.all_of(files, now, for_files(count), jobs))
    evidences: list[Evidence] = []
    skipped: list[Skipped] = []
    missing: set[str] = set()
    taken: set[str] = set()
    for path, item in zip(paths, found, strict=True):
        if isinstance(item, Skipped):
            skipped.append(item if path != STDIN else replace(item, file=STDIN))
            continue
        missing.update(item.not_known)
        evidence = item.evidence
        label = item.node or given.get(path, "")
        if label:
            evidence = relabel(evidence, _free(label, evidence, taken))
        taken.update(file.name for file in evidence.files)
        evidences.append(evidence)
    return Loaded(tuple(evidences), tuple(skipped), tuple(sorted(missing)))


def whole(loaded: Loaded, scanned: Evidence | None) -> Evidence:
    """Collected evidence and that of logs which were read here, together.

    Raises:
        UsageError: there is none at all.
    """
    evidences = loaded.evidences if scanned is None else (*loaded.evidences, scanned)
    if not evidences:
        raise UsageError("\n".join(f"{item.file}: {item.why}" for item in loaded.skipped))
    if for_files(sum(len(evidence.files) for evidence in evidences)) is LIGHT:
        parts = (loaded.evidences, () if scanned is None else (scanned,))
        evidences = tuple(
            evidence if for_files(sum(len(other.files) for other in part)) is LIGHT
            else read.light(evidence) for part in parts for evidence in part)
    return merge([*evidences, Evidence((), loaded.skipped)])


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the collector of garbage: evidence holds no circles, and looking for some among
    millions of new objects takes as long as making them."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@contextmanager
def _on_disk(paths: Sequence[str], stdin: BinaryIO | None) -> Iterator[list[str]]:
    """The paths with a copy in place of standard input: a pipe cannot be sought."""
    if STDIN not in paths or stdin is None:
        yield list(paths)
        return
    with tempfile.TemporaryDirectory(prefix="kbtriage-") as folder:
        copy = os.path.join(folder, "stdin")
        with open(copy, "wb") as file:
            shutil.copyfileobj(stdin, file)
        yield [copy if path == STDIN else path for path in paths]


def _free(label: str, evidence: Evidence, taken: set[str]) -> str:
    """The label, or with `#2`, `#3` ... behind it, so that no two files have one name."""
    found, count = label, 1
    while any(f"{found}/{file.name}" in taken for file in evidence.files):
        count += 1
        found = f"{label}#{count}"
    return found
