"""Files of collected evidence -> one Evidence, whatever state they are in."""

from __future__ import annotations

import io
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO, cast

from assistant.errors import UsageError
from assistant.evidence.keep import LIGHT, for_files
from assistant.evidence.merge import merge, relabel, thinned
from assistant.evidence.types import Evidence, Skipped
from assistant.portable import kbt
from assistant.portable.known import listed, not_known
from assistant.sources.arguments import STDIN
from assistant.sources.collected import ENDING
from assistant.sources.compression import compression
from assistant.sources.files import open_regular, reason
from assistant.sources.names import labels, printable

#: Bytes of standard input that are kept in memory.
_SPOOLED = 1 << 24
_MAGIC = 8
_PACKED = ("it is compressed, which a file that `kbtriage collect` wrote is already: decompress "
           "it, then check it")


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
    stems = [path[:-len(ENDING)] if path.lower().endswith(ENDING) else path
             for path in collected]
    every = [*collected, *others]
    return dict(zip(every, labels([*stems, *others]), strict=True))


def load(paths: Sequence[str], given: Mapping[str, str], now: Mapping[str, str],
         stdin: BinaryIO | None = None) -> Loaded:
    """The evidence in files.

    Args:
        paths: the files; `-` is standard input.
        given: see labels_for; empty where there is no other input.
        now: the marks of the rules in force (see known.py).
        stdin: what `-` means.

    A file that says what its node is called (`--node`) is called that.
    """
    evidences: list[Evidence] = []
    skipped: list[Skipped] = []
    missing: set[str] = set()
    taken: set[str] = set()
    light = 0  # how many of the evidences have been thinned
    for path in paths:
        found = _read(path, stdin if path == STDIN else None)
        if isinstance(found, Skipped):
            skipped.append(found)
            continue
        unknown = not_known(found.known, now)
        missing.update(unknown)
        evidence = _noted(found.evidence, unknown)
        label = found.node or given.get(path, "")
        if label:
            evidence = relabel(evidence, _free(label, evidence, taken))
        taken.update(file.name for file in evidence.files)
        evidences.append(evidence)
        if for_files(len(taken)) is LIGHT:  # before thousands of files are there in full
            evidences[light:] = map(_light, evidences[light:])
            light = len(evidences)
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
            else _light(evidence) for part in parts for evidence in part)
    return merge([*evidences, Evidence((), loaded.skipped)])


def _light(evidence: Evidence) -> Evidence:
    return replace(evidence, files=tuple(thinned(file, LIGHT) for file in evidence.files))


def _read(path: str, stream: BinaryIO | None) -> kbt.Collection | Skipped:
    try:
        if stream is not None:
            with tempfile.SpooledTemporaryFile(_SPOOLED) as copy:  # a pipe cannot be sought
                shutil.copyfileobj(stream, copy)
                return kbt.read(cast(BinaryIO, copy))
        with io.BufferedReader(open_regular(path)) as file:
            if compression(file.peek(_MAGIC)[:_MAGIC]) is not None:
                return Skipped(printable(path), _PACKED, lost=True)
            return kbt.read(file)
    except OSError as error:
        return Skipped(printable(path), reason(error), lost=True)
    except UsageError as error:
        return Skipped(printable(path), str(error), lost=True)


def _noted(evidence: Evidence, unknown: tuple[str, ...]) -> Evidence:
    """The evidence with a note on every file of what it was collected without."""
    if not unknown:
        return evidence
    note = f"collected-without: {listed(unknown)}"
    return replace(evidence, files=tuple(
        replace(file, notes=tuple(sorted((*file.notes, note)))) for file in evidence.files))


def _free(label: str, evidence: Evidence, taken: set[str]) -> str:
    """The label, or with `#2`, `#3` ... behind it, so that no two files have one name."""
    found, count = label, 1
    while any(f"{found}/{file.name}" in taken for file in evidence.files):
        count += 1
        found = f"{label}#{count}"
    return found
