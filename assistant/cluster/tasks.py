"""What a worker does: say what logs it sees, scan some of them, join what was found.

These functions are called on the workers, which need this package, too.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import socket
import threading
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from assistant import __version__
from assistant.evidence.keep import Keep
from assistant.evidence.types import EVIDENCE_VERSION, FileEvidence, Skipped
from assistant.patterns import Engine, default_cache_dir
from assistant.rules.types import PatternSpec
from assistant.scan.compile import build_engine
from assistant.scan.one import scan_logs, scan_source
from assistant.sources import LogSource
from assistant.sources.files import open_regular
from assistant.sources.find import opened
from assistant.sources.walk import Found, Walker

Part = tuple[FileEvidence | Skipped, ...]

#: Bytes from the start of a file that tell it from others of the same inode number.
_HEAD = 256


@dataclass(frozen=True, slots=True)
class Seen:
    """A file that a worker sees; `identity` is the same wherever the file is seen from."""

    found: Found
    identity: str


@dataclass(frozen=True, slots=True)
class Place:
    """What a worker finds under one path.

    Attributes:
        path: absolute. exists: whether there is anything. folder: whether it is a folder.
        files: the logs, their places relative to it. passed: (place, why) of what is not read.
    """

    path: str
    exists: bool = False
    folder: bool = False
    files: tuple[Seen, ...] = ()
    passed: tuple[tuple[str, str], ...] = ()
    summary: str | None = None


@dataclass(frozen=True, slots=True)
class Survey:
    """What one worker sees: a Place a path, and the program that it runs."""

    host: str
    places: tuple[Place, ...]
    program: tuple[str, int] = (__version__, EVIDENCE_VERSION)


@dataclass(frozen=True, slots=True)
class Item:
    """One log to scan: a file that workers see, or what any machine can open.

    Attributes:
        name: what its log is called; of an archive's members, what their names begin with.
        size: bytes, as far as known. found: a file. url, mtime: else where it lies.
        workers: addresses of those that see it; empty: any.
        bare: whether members of an archive go by their own paths.
    """

    name: str
    size: int
    found: Found | None = None
    url: str | None = None
    mtime: float | None = None
    workers: frozenset[str] = field(default_factory=frozenset)
    bare: bool = False


def survey(paths: Sequence[str]) -> Survey:
    """What this worker sees under paths, relative ones from its own working directory."""
    return Survey(socket.gethostname(), tuple(map(_place, paths)))


def packed(specs: tuple[PatternSpec, ...]) -> bytes:
    """What is looked for, small enough to go with every task."""
    return zlib.compress(pickle.dumps(specs, pickle.HIGHEST_PROTOCOL), 9)


def scan_items(items: Sequence[Item], wanted: bytes, keep: Keep) -> Part:
    """The evidence of some logs; `wanted` is what `packed` gave."""
    engine, specs = _engines.engine(wanted)
    results: list[FileEvidence | Skipped] = []
    for item in items:
        if item.found is None:
            from assistant.sources.remote import open_remote

            url = item.url or ""
            source = LogSource(item.name, None, item.mtime, None, partial(open_remote, url), url)
            results.append(scan_source(source, engine, specs, keep=keep))
            continue
        for found in opened([item.found], bare=item.bare):
            results += ([found] if isinstance(found, Skipped)
                        else scan_logs(found, engine, specs, keep=keep))
    return tuple(results)


def join(*parts: Part) -> Part:
    """Several parts as one, on its way to the client."""
    return tuple(found for part in parts for found in part)


def _place(path: str) -> Place:
    full = os.path.abspath(path)
    if not os.path.exists(full):
        return Place(full)
    walker, folder = Walker(), os.path.isdir(full)
    if folder:
        walker.add_folder(full, "")
    else:
        walker.add_file(full, os.path.basename(full))
    walker.follow_links()
    passed = walker.passed.get("")
    return Place(full, True, folder,
                 tuple(Seen(found, _identity(found)) for found in walker.found),
                 tuple(passed.named) if passed else (), passed.summary() if passed else None)


def _identity(found: Found) -> str:
    """The same on every machine that sees this file, and no other file's: its inode and its
    first bytes, which a log keeps while it grows (of an empty one, its time)."""
    try:
        with open_regular(found.path) as file:
            status, head = os.fstat(file.fileno()), file.read(_HEAD)
    except OSError:
        return f"unreadable {socket.gethostname()} {found.path}"
    rest = hashlib.sha256(head).hexdigest() if head else f"empty {status.st_mtime_ns}"
    return f"{status.st_ino} {rest}"


class _Engines(threading.local):
    """The engine of each thread: a worker may scan several logs at a time."""

    def __init__(self) -> None:
        self._made: tuple[bytes, Engine, tuple[PatternSpec, ...]] | None = None

    def engine(self, wanted: bytes) -> tuple[Engine, tuple[PatternSpec, ...]]:
        if self._made is None or self._made[0] != wanted:
            specs: tuple[PatternSpec, ...] = pickle.loads(zlib.decompress(wanted))
            self._made = wanted, build_engine(specs, default_cache_dir()), specs
        return self._made[1:]


_engines = _Engines()
