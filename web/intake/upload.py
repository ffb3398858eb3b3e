"""Uploads -> LogSources, as `kbtriage check` would name them; archives are opened as streams."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import BinaryIO, cast

from assistant.evidence.types import Skipped
from assistant.sources.archives import Members
from assistant.sources.compression import expand, read_head
from assistant.sources.files import reason
from assistant.sources.kinds import HEAD_SIZE, is_foreign, is_tar, is_text, is_zip, kind
from assistant.sources.names import Names
from assistant.sources.sections import Shown, is_of_a_process, shows_several
from assistant.sources.types import LogSource
from assistant.sources.walk import NAMED_ARCHIVE, Passed
from web.intake.limits import Budget, OutOfBudgetError, counted


@dataclass(frozen=True, slots=True)
class Upload:
    """One thing that was sent.

    Attributes:
        name: path as the browser tells it, `/` between folders; only a name here.
        size: number of bytes.
        opener: gives its bytes from the start, seekable; from memory, from a temporary file
            without a name, or from a file on this machine.
        chosen: False for a file that came with a folder and was not picked by itself, so
            that it is read only if it looks like a log.
        mtime: modification time, epoch seconds, None if unknown.
        shared: whether another process can open it, too.
        refused: why it is not read, "" if it is.
        notes: what is odd about it, as in LogSource.
    """

    name: str
    size: int
    opener: Callable[[], BinaryIO]
    chosen: bool = True
    mtime: float | None = None
    shared: bool = False
    refused: str = ""
    notes: tuple[str, ...] = ()

    def stream(self) -> BinaryIO:
        """Its bytes from the start. Raises OSError."""
        return self.opener()


def lent(file: BinaryIO) -> BinaryIO:
    """A file from its start; closing this leaves the file open."""
    file.seek(0)
    return cast(BinaryIO, io.BufferedReader(_Lent(file)))


def sources(uploads: Sequence[Upload], budget: Budget) -> Iterator[LogSource | Skipped]:
    """The logs in uploads, by name. Can be called again to read them a second time.

    A budget that runs out ends the iteration; `budget.verify()` tells.
    """
    names = Names()
    passed = Passed()
    alone = len(uploads) == 1
    for name, upload in sorted(zip(shown_names(uploads), uploads, strict=True),
                               key=lambda item: item[0]):
        for item in _of(upload, name, alone, names, passed, budget):
            try:
                if isinstance(item, LogSource):
                    budget.count_file()
                budget.check_time()
            except OutOfBudgetError:
                return
            yield item
    for place, why in passed.named:
        yield Skipped(place, why)
    summary = passed.summary()
    if summary is not None:
        yield Skipped(".", summary)


def shown_names(uploads: Sequence[Upload]) -> list[str]:
    """The uploads' names without the one folder that was chosen, as if its path had been
    given to `kbtriage check`."""
    tops = {upload.name.partition("/")[0] for upload in uploads}
    chosen = len(tops) == 1 and all("/" in upload.name for upload in uploads)
    return [upload.name.partition("/")[2] if chosen else upload.name for upload in uploads]


def _of(upload: Upload, name: str, alone: bool, names: Names, passed: Passed,
        budget: Budget) -> Iterator[LogSource | Skipped]:
    """The logs of one upload: itself, or the members of an archive."""
    if upload.refused:
        yield Skipped(name, upload.refused)
        return
    base = name.rpartition("/")[2]
    held_for = kind(base)
    if not upload.chosen and (held_for == "other" or base.startswith(".")):
        passed.count(base)
        return
    members = Members(name, "" if alone else f"{name}!/", names)
    try:
        with upload.stream() as stream:
            head = read_head(stream, 8)
        if is_foreign(head) or held_for == "foreign-archive":
            yield Skipped(name, NAMED_ARCHIVE)
            return
        with expand(upload.stream()) as stream:
            start = b"" if is_zip(head) else read_head(stream, HEAD_SIZE)
    except OSError as error:
        yield Skipped(name, reason(error))
        return
    if is_zip(head):
        with upload.stream() as stream:
            yield from _limited(members.zip(stream), budget)
    elif is_tar(start):
        with _open(upload, budget) as stream:
            yield from members.tar(stream)
    elif upload.chosen or held_for == "log" or (held_for in ("text", "unsure")
                                                and is_text(start)):
        unique = names.unique(name)
        several = not upload.notes and shows_several(start) and not is_of_a_process(base)
        yield LogSource(unique, upload.size, upload.mtime, None, partial(_open, upload, budget),
                        notes=upload.notes,
                        shown=Shown("" if alone else f"{unique}!/", False) if several else None)
    else:
        passed.count(base)


def _open(upload: Upload, budget: Budget) -> BinaryIO:
    """The decompressed bytes of an upload, counted."""
    return counted(expand(upload.stream()), budget)


def _limited(items: Iterator[LogSource | Skipped],
             budget: Budget) -> Iterator[LogSource | Skipped]:
    """Members of an archive whose bytes are counted as they are read."""
    for item in items:
        if isinstance(item, LogSource):
            source = item

            def opened(source: LogSource = source) -> BinaryIO:
                return counted(source.open(), budget)

            yield LogSource(source.name, source.size, source.mtime, None, opened,
                            notes=source.notes, shown=source.shown)
        else:
            yield item


class _Lent(io.RawIOBase):
    """A file that is read and sought through this, and not closed with it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def fileno(self) -> int:
        return self._file.fileno()

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def readinto(self, buffer: object) -> int:
        view = memoryview(cast(bytearray, buffer))
        data = self._file.read(len(view))
        view[:len(data)] = data
        return len(data)
