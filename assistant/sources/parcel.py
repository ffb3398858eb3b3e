"""An archive of files of collected evidence: what somebody sends who collected on many nodes."""

from __future__ import annotations

import os
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, cast

from assistant.evidence.types import Skipped
from assistant.sources.archives import TarMember
from assistant.sources.compression import MAX_EXPANDED, read_head
from assistant.sources.files import open_file, open_regular, reason
from assistant.sources.kinds import COLLECTED, HEAD_SIZE, is_tar, is_zip, kind
from assistant.sources.names import member_name, printable

_CHUNK = 1 << 20
#: What archives that are damaged or hostile raise.
_BROKEN = (OSError, tarfile.TarError, zipfile.BadZipFile, EOFError, NotImplementedError,
           RuntimeError)


@dataclass(frozen=True, slots=True)
class OnDisk:
    """Files of collected evidence, each whole on this machine's disk.

    Attributes:
        files: path to the name to show (`nodes.tar!/node-3.kbt` for one that was unpacked).
        skipped: archives that could not be read to their end; what stands before is there.
    """

    files: Mapping[str, str]
    skipped: tuple[Skipped, ...] = ()


def is_parcel(path: str) -> bool:
    """Whether a file is an archive whose first file is one of collected evidence. (To know all
    of a large archive of logs, all of it would have to be read.)"""
    if kind(os.path.basename(path)) != "archive":
        return False
    try:
        first = next(_members(path), None)
    except _BROKEN:
        return False  # whoever reads it will say why it cannot be read
    return first is not None and first[0].lower().endswith(COLLECTED)


@contextmanager
def on_disk(paths: Sequence[str]) -> Iterator[OnDisk]:
    """The files of collected evidence among some paths and in archives of them, which are
    unpacked for the time being."""
    parcels = frozenset(filter(is_parcel, paths))
    if not parcels:
        yield OnDisk({path: path for path in paths})
        return
    with tempfile.TemporaryDirectory(prefix="kbtriage-") as folder:
        files: dict[str, str] = {}
        skipped: list[Skipped] = []
        for path in paths:
            if path not in parcels:
                files[path] = path
                continue
            try:
                for name, content in _members(path):
                    if name.lower().endswith(COLLECTED):
                        copy = os.path.join(folder, f"{len(files)}{COLLECTED}")
                        _copy(content, copy)
                        files[copy] = f"{path}!/{name}"
            except _BROKEN as error:
                why = reason(error) if isinstance(error, OSError) else str(error)
                skipped.append(Skipped(
                    printable(path), f"the archive cannot be read to its end: {why}; what stands "
                    "before was read", lost=True))
        yield OnDisk(files, tuple(skipped))


def _copy(content: IO[bytes], file: str) -> None:
    """Copies a member, whose own name is never a path here. Raises OSError."""
    total = 0
    with open(file, "wb") as copy:
        while chunk := content.read(_CHUNK):
            total += len(chunk)
            if total > MAX_EXPANDED:
                raise OSError("it would expand beyond what evidence can be")
            copy.write(chunk)


def _members(path: str) -> Iterator[tuple[str, IO[bytes]]]:
    """(name, content) of the files of an archive, each valid until the next one is drawn.
    Raises whatever is among _BROKEN."""
    with open_file(path) as stream:
        head = read_head(stream, HEAD_SIZE)
    if is_zip(head):
        with open_regular(path) as file, zipfile.ZipFile(file) as archive:
            for entry in archive.infolist():
                if not entry.is_dir():
                    yield member_name(entry.filename), archive.open(entry)
    elif is_tar(head):
        with open_file(path) as stream, tarfile.open(
                fileobj=cast(IO[bytes], stream), mode="r|", tarinfo=TarMember) as tar:
            for member in tar:
                content = tar.extractfile(member) if member.isreg() else None
                if content is not None:
                    yield member_name(member.name), content
