"""The logs in folders: every file once, whatever links lead to it."""

from __future__ import annotations

import os
import stat
from collections import Counter
from dataclasses import dataclass, field

from assistant.sources.compression import compression, read_head
from assistant.sources.files import NotRegularError, kind_of, open_file, open_regular, reason
from assistant.sources.kinds import (
    COMPRESSED,
    HEAD_SIZE,
    PASSED_FOLDERS,
    extension,
    is_foreign,
    is_tar,
    is_text,
    is_zip,
    kind,
    unpacked,
)

#: Files of one folder argument that are named one by one when they are not read.
MAX_NAMED = 20


@dataclass(frozen=True, slots=True)
class Found:
    """A file to read: its path, its place below the argument's label, size and time; `plain`:
    it is called as if compressed, and is not."""

    path: str
    place: str
    size: int
    mtime: float
    archive: str | None = None
    plain: bool = False


@dataclass(slots=True)
class Passed:
    """What was not read: (place, why) one by one, the rest by ending."""

    named: list[tuple[str, str]] = field(default_factory=list)
    counted: Counter[str] = field(default_factory=Counter)

    def skip(self, place: str, why: str) -> None:
        if len(self.named) < MAX_NAMED:
            self.named.append((place, why))
        else:
            self.count(place)

    def count(self, name: str) -> None:
        self.counted[extension(name)] += 1

    def summary(self) -> str | None:
        """One sentence on the counted ones."""
        total = sum(self.counted.values())
        if not total:
            return None
        kinds = ", ".join(f"{ending} {count}" for ending, count in
                          sorted(self.counted.items(), key=lambda item: (-item[1], item[0]))[:6])
        noun = "1 file of another kind was" if total == 1 else f"{total} files of other kinds were"
        return f"{noun} passed over: {kinds}"


_KERNEL = ("/proc/", "/sys/", "/dev/fd/")

NAMED_ARCHIVE = "it is an archive of a kind that is not read: unpack it, or pack it as .tar.gz"
NAMED_UNSURE = "it is text, but its name is not that of a log: give its path to have it read"


class Walker:
    """Collects files over all arguments, so that none is taken twice.

    Links are followed last: a file that is reached without one keeps its own name.
    """

    def __init__(self) -> None:
        self.found: list[Found] = []
        self.passed: dict[str, Passed] = {}
        self._seen: set[tuple[int, int]] = set()
        self._links: list[tuple[str, str, Passed]] = []
        self._roots: list[str] = []

    def add_folder(self, path: str, label: str) -> None:
        """All logs below a folder; `label` is put before their places."""
        passed = self.passed.setdefault(label, Passed())
        self._roots.append(os.path.realpath(path))
        self._folder(path, label, passed)

    def add_file(self, path: str, label: str) -> None:
        """A file that was named: read whatever it is called. Its label is its place."""
        passed = self.passed.setdefault("", Passed())
        try:
            status = os.stat(path)
            if not stat.S_ISREG(status.st_mode):
                raise NotRegularError(f"it is {kind_of(status.st_mode)}")
            content = _content(path)
        except OSError as error:
            passed.skip(label, f"{reason(error)}: not opened")
            return
        if content == "foreign":
            passed.skip(label, NAMED_ARCHIVE)
        elif self._first_time(status):
            archive = content if content in ("zip", "tar") else None
            self.found.append(Found(path, label, status.st_size, status.st_mtime, archive,
                                    _is_plain(label, content)))

    @property
    def links(self) -> list[str]:
        """Places of the links that have not been followed."""
        return [place for _, place, _ in self._links]

    def follow_links(self) -> None:
        """Take in what was found behind links, and behind links found there."""
        while self._links:
            path, place, passed = self._links.pop(0)
            try:
                status = os.stat(path)
            except OSError as error:
                passed.skip(place, f"it is a link that leads nowhere: {reason(error)}")
                continue
            if _leads_through_kernel(path):
                passed.skip(place, "it is a link into /proc or /sys: not followed")
                continue
            if stat.S_ISDIR(status.st_mode):
                target = os.path.realpath(path)
                if any(_is_within(root, target) for root in self._roots):
                    passed.skip(place, "it is a link to a folder above: not followed")
                else:
                    self._folder(path, place, passed)
            else:
                self._file(path, place, status, passed)

    def _folder(self, top: str, top_place: str, passed: Passed) -> None:
        waiting = [(top, top_place)]
        while waiting:
            path, place = waiting.pop()
            try:
                if not self._first_time(os.stat(path)):
                    continue
                with os.scandir(path) as listing:
                    entries = sorted(listing, key=lambda entry: entry.name)
            except OSError as error:
                passed.skip(place or ".", f"the folder cannot be listed: {reason(error)}")
                continue
            names = {entry.name for entry in entries}
            for entry in entries:
                if entry.name.startswith(".") or entry.name in PASSED_FOLDERS:
                    continue
                below = f"{place}/{entry.name}" if place else entry.name
                try:
                    if entry.is_symlink():
                        self._links.append((entry.path, below, passed))
                    elif entry.is_dir(follow_symlinks=False):
                        waiting.append((entry.path, below))
                    elif unpacked(entry.name) != entry.name and unpacked(entry.name) in names:
                        passed.skip(below, "what it was packed from lies beside it")
                    else:
                        self._file(entry.path, below, entry.stat(follow_symlinks=False), passed)
                except OSError as error:
                    passed.skip(below, reason(error))

    def _file(self, path: str, place: str, status: os.stat_result, passed: Passed) -> None:
        if not stat.S_ISREG(status.st_mode):
            passed.skip(place, f"it is {kind_of(status.st_mode)}: not opened")
            return
        name = os.path.basename(place)
        held_for = kind(name)
        if held_for == "other":
            passed.count(name)
        elif held_for == "foreign-archive":
            passed.skip(place, NAMED_ARCHIVE)
        elif not os.access(path, os.R_OK):
            passed.skip(place, "permission denied")
        elif held_for == "log" and unpacked(name) == name:
            self._take(Found(path, place, status.st_size, status.st_mtime), status)
        else:
            self._by_content(path, place, status, held_for, passed)

    def _by_content(self, path: str, place: str, status: os.stat_result, held_for: str,
                    passed: Passed) -> None:
        """A file whose first bytes decide."""
        try:
            content = _content(path)
        except OSError as error:
            passed.skip(place, reason(error))
            return
        found = Found(path, place, status.st_size, status.st_mtime,
                      plain=_is_plain(place, content))
        if content == "foreign":
            passed.skip(place, NAMED_ARCHIVE)
        elif content in ("zip", "tar"):
            self._take(Found(path, place, status.st_size, status.st_mtime, content), status)
        elif held_for == "archive":
            passed.skip(place, "it is named as an archive, and is none")
        elif held_for == "log" or (content in ("text", "packed-text") and held_for == "text"):
            self._take(found, status)
        elif content in ("text", "packed-text") and status.st_size:
            passed.skip(place, NAMED_UNSURE)
        else:
            passed.count(place)

    def _take(self, found: Found, status: os.stat_result) -> None:
        if self._first_time(status):
            self.found.append(found)

    def _first_time(self, status: os.stat_result) -> bool:
        key = (status.st_dev, status.st_ino)
        new = key not in self._seen
        self._seen.add(key)
        return new


def _leads_through_kernel(link: str) -> bool:
    """Whether a link, or one that it leads to, goes through what the kernel makes up: there a
    path means something else for every process, and folders have no end."""
    for _ in range(40):  # the kernel itself follows no more
        if not os.path.islink(link):
            break
        link = os.path.normpath(os.path.join(os.path.dirname(link), os.readlink(link)))
        if link.startswith(_KERNEL):
            return True
    return os.path.realpath(link).startswith(_KERNEL)


def _is_within(path: str, folder: str) -> bool:
    """Whether `path` lies in `folder` or is it."""
    return os.path.join(path, "").startswith(os.path.join(folder, ""))


def _is_plain(place: str, content: str) -> bool:
    return place.lower().endswith(COMPRESSED) and content in ("text", "binary")


def _content(path: str) -> str:
    """`zip`, `tar`, `foreign`, `text` or `binary`, the latter two with `packed-` before them
    where they are compressed, by the first bytes. Raises OSError."""
    with open_regular(path) as file:
        head = read_head(file, HEAD_SIZE)
    if is_zip(head):
        return "zip"
    if is_foreign(head):
        return "foreign"
    packed = "packed-" if compression(head) else ""
    try:
        with open_file(path) as file:
            head = read_head(file, HEAD_SIZE)
    except OSError:
        pass  # damaged: judged by its raw bytes, and the reading will say so
    if is_tar(head):
        return "tar"
    return packed + ("text" if is_text(head) else "binary")
