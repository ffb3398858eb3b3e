"""Logs on this machine, below the roots that the operator names, and nothing else.

A path is resolved, links and `..` included, before it is compared with the roots; below it
links are not followed at all.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from assistant.sources.kinds import PASSED_FOLDERS, kind
from assistant.sources.names import printable
from assistant.sources.walk import Walker
from web.intake.upload import Upload
from web.problems import ProblemError

#: Entries of a folder that are listed.
LISTED = 1000
LINK = "it is a link: not followed on this page"


@dataclass(frozen=True, slots=True)
class Place:
    """A folder or file below a root: `root` as the operator wrote it, `relative` to it."""

    root: str
    index: int
    relative: str
    real: Path

    @property
    def is_folder(self) -> bool:
        return self.real.is_dir()


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a listing; `time` in epoch seconds."""

    name: str
    relative: str
    is_folder: bool
    size: int
    time: float


def find(roots: Sequence[str], index: int, relative: str) -> Place:
    """The place at a path relative to a root. Raises ProblemError if it is not below it."""
    if not 0 <= index < len(roots) or "\0" in relative:
        raise _nothing(relative)
    top = Path(os.path.realpath(roots[index]))
    real = Path(os.path.realpath(top / relative.lstrip("/")))
    if not real.is_relative_to(top) or not (real.is_dir() or real.is_file()):
        raise _nothing(relative)
    return Place(roots[index], index, "" if real == top else real.relative_to(top).as_posix(),
                 real)


def find_path(roots: Sequence[str], path: str) -> Place:
    """The place that a whole path means, or one relative to the first root that has it.

    Raises ProblemError if it is below no root, in the same words whether or not it exists.
    """
    path = path.strip()
    for index, root in enumerate(roots):
        if os.path.isabs(path):
            within = os.path.relpath(os.path.realpath(path), os.path.realpath(root))
            if within == ".." or within.startswith("../"):
                continue
        else:
            within = path
        try:
            return find(roots, index, within)
        except ProblemError:
            continue
    raise _nothing(path)


def listing(place: Place) -> tuple[list[Entry], int]:
    """Folders and logs of a folder, and how many were left out. Links are not shown."""
    entries: list[Entry] = []
    try:
        with os.scandir(place.real) as found:
            for item in found:
                if item.name.startswith(".") or item.is_symlink():
                    continue
                is_folder = item.is_dir(follow_symlinks=False)
                if item.name in PASSED_FOLDERS or not (
                        is_folder or kind(item.name) in ("log", "text", "archive")):
                    continue
                status = item.stat(follow_symlinks=False)
                entries.append(Entry(printable(item.name),
                                     f"{place.relative}/{item.name}".lstrip("/"), is_folder,
                                     status.st_size, status.st_mtime))
    except OSError as error:
        raise _nothing(place.relative) from error
    entries.sort(key=lambda entry: (not entry.is_folder, entry.name))
    return entries[:LISTED], max(0, len(entries) - LISTED)


def uploads(place: Place) -> list[Upload]:
    """What `kbtriage check` would read there. What lies behind links, and what cannot be read,
    is among them and says so when it is opened."""
    walker = Walker()
    if place.is_folder:
        walker.add_folder(str(place.real), "")
    else:
        walker.add_file(str(place.real), place.real.name)
    refused = [item for passed in walker.passed.values() for item in passed.named]
    refused += [(link, LINK) for link in walker.links]
    return [*(Upload(printable(found.place), found.size, partial(_open, found.path),
                     mtime=found.mtime, shared=True) for found in walker.found),
            *(Upload(printable(name), 0, BytesIO, shared=True, refused=why)
              for name, why in refused)]


def _open(path: str) -> BinaryIO:
    """A regular file that is no link. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError("it is no regular file")
    return open(descriptor, "rb")


def _nothing(path: str) -> ProblemError:
    return ProblemError("not-found", what=printable(path))
