"""All files of a job that runs: new ones are taken in, renamed ones go on under their names."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from assistant.evidence.keep import for_files
from assistant.evidence.types import Evidence, FileEvidence, Skipped
from assistant.patterns import Engine
from assistant.rules.types import PatternSpec
from assistant.scan.follow import Following
from assistant.scan.scanner import scan_stream
from assistant.sources import open_file
from assistant.sources.compression import is_plain, read_head
from assistant.sources.files import open_regular, reason
from assistant.sources.kinds import COMPRESSED
from assistant.sources.names import Names, labels, printable
from assistant.sources.walk import Found, Walker
from assistant.watch.tail import Tail

#: Seconds without a new byte after which a file is judged as it stands, its open ends too.
QUIET = 5.0
_ARCHIVE = "an archive is not followed: use kbtriage check"


@dataclass(frozen=True, slots=True)
class FileChange:
    """What happened to a file: `new`, `restarted` (truncated or written anew), `renamed`,
    `gone`."""

    kind: str
    name: str


class _File:
    """One file: its place, its tail (None for a compressed one), and its evidence."""

    def __init__(self, place: str, path: str, tail: Tail | None, now: float) -> None:
        self.place = place
        self.path = path
        self.tail = tail
        self.grown = now
        self.gone = False
        self.stamp: tuple[int, float] | None = None
        self.whole: FileEvidence | None = None
        self._kept: tuple[object, FileEvidence] | None = None

    def evidence(self, name: str, ended: bool) -> FileEvidence | None:
        """What it yields; made again only if something is new."""
        if self.tail is None:
            return self.whole
        scan = self.tail.scan
        state = (id(scan), scan.size, name, ended, self.tail.mtime)
        if self._kept is None or self._kept[0] != state:
            self._kept = state, scan.evidence(name, self.tail.mtime, ended=ended)
        return self._kept[1]


class Folder:
    """The files that some paths lead to, now and later.

    Args:
        paths: folders and files; they need not exist yet.
        engine, specs: as for scan_stream.
        clock: gives seconds that only grow.

    Attributes:
        grown: when a byte was last read. pending: whether more lies ready.
    """

    def __init__(self, paths: Sequence[str], engine: Engine, specs: Sequence[PatternSpec],
                 clock: Callable[[], float]) -> None:
        self._paths = list(paths)
        self._engine = engine
        self._specs = specs
        self._clock = clock
        self._files: dict[tuple[int, int], _File] = {}
        self._skipped: tuple[Skipped, ...] = ()
        self.grown = clock()
        self.pending = False

    @property
    def count(self) -> int:
        """How many files are known."""
        return len(self._files)

    @property
    def size(self) -> int:
        """Bytes read."""
        return sum(file.tail.scan.size for file in self._files.values() if file.tail)

    def look(self) -> tuple[bool, list[FileChange]]:
        """Read what is new everywhere.

        Returns:
            Whether there is anything new, and what happened to files.
        """
        walker = self._walk()
        changes: list[FileChange] = []
        found: dict[tuple[int, int], Found] = {}
        skipped = [Skipped(printable(place), why) for passed in walker.passed.values()
                   for place, why in passed.named]
        for item in sorted(walker.found, key=lambda item: (item.place, item.path)):
            try:
                status = os.stat(item.path)
            except OSError:
                continue
            found[status.st_dev, status.st_ino] = item
        changes += self._rename(found)
        changes += self._take_in(found)
        new = bool(changes)
        for key, item in found.items():
            file = self._files[key]
            try:
                new |= self._read(file, item, changes)
            except OSError as error:
                skipped.append(Skipped(printable(item.place), reason(error), lost=True))
            if item.archive is not None:
                skipped.append(Skipped(printable(item.place), _ARCHIVE))
        self.pending = any(file.tail is not None and file.tail.pending
                           for file in self._files.values())
        self._skipped = tuple(sorted(set(skipped), key=lambda item: (item.file, item.why)))
        return new, changes

    def evidence(self, *, ended: bool = False) -> Evidence:
        """The evidence of all files; `ended`: as if nothing more would come."""
        now, names = self._clock(), Names()
        files = []
        for file in sorted(self._files.values(), key=lambda file: (file.place, file.gone)):
            found = file.evidence(names.unique(printable(file.place)),
                                  ended or now - file.grown >= QUIET)
            if found is not None:
                files.append(found)
        return Evidence(tuple(sorted(files, key=lambda file: file.name)), self._skipped,
                        tuple(self._paths))

    def _walk(self) -> Walker:
        walker = Walker()
        alone = len(self._paths) == 1
        for path, label in zip(self._paths, labels(self._paths), strict=True):
            if os.path.isdir(path):
                walker.add_folder(path, "" if alone else label)
            elif os.path.exists(path):
                walker.add_file(path, label)
        walker.follow_links()
        return walker

    def _rename(self, found: dict[tuple[int, int], Found]) -> Iterator[FileChange]:
        """Follow files that have another name, and notice those that are gone."""
        places = {item.place for item in found.values()}
        for key, file in list(self._files.items()):
            item = found.get(key)
            if item is not None:
                if item.place != file.place:
                    yield FileChange("renamed", f"{file.place} -> {item.place}")
                file.place, file.path, file.gone = item.place, item.path, False
            elif not file.gone:
                file.gone = True
                yield FileChange("gone", file.place)
                # Another file stands for it: written anew, or the same, compressed.
                if file.place in places or any(file.place + end in places for end in COMPRESSED):
                    del self._files[key]

    def _take_in(self, found: dict[tuple[int, int], Found]) -> Iterator[FileChange]:
        keep = for_files(len(found))
        for key, item in found.items():
            if key not in self._files:
                tail = None if item.archive is not None or _is_recoded(item.path) else Tail(
                    key[1], lambda: Following(self._engine, self._specs, keep))
                self._files[key] = _File(item.place, item.path, tail, self._clock())
                yield FileChange("new", item.place)

    def _read(self, file: _File, item: Found, changes: list[FileChange]) -> bool:
        """Read what is new in one file; whether anything is. Raises OSError."""
        if file.tail is not None:
            change = file.tail.look(item.path)
            if change == "restarted":
                changes.append(FileChange("restarted", item.place))
            if change != "idle":
                file.grown = self.grown = self._clock()
            return change != "idle"
        stamp = (item.size, item.mtime)
        if item.archive is not None or stamp == file.stamp:
            return False
        file.stamp = stamp
        with open_file(item.path) as stream:
            file.whole = scan_stream(printable(item.place), stream, self._engine, self._specs,
                                     mtime=item.mtime)
        return True


def _is_recoded(path: str) -> bool:
    """Whether a file is no log as it lies there: compressed, or in UTF-16."""
    try:
        with open_regular(path) as file:
            return not is_plain(read_head(file, 8))
    except OSError:
        return False
