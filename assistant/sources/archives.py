"""The logs inside archives, read as streams: nothing is written to disk.

A member's path is only a name. Members are valid until the next one is drawn.
"""

from __future__ import annotations

import datetime
import stat
import struct
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from typing import BinaryIO, cast

from assistant.evidence.types import Skipped
from assistant.sources.compression import (
    MAX_EXPANDED,
    compression,
    expand,
    is_bomb,
    read_head,
    rewound,
)
from assistant.sources.files import reason
from assistant.sources.filling import DamagedError
from assistant.sources.kinds import (
    COLLECTED,
    COMPRESSED,
    HEAD_SIZE,
    MISNAMED,
    PASSED_FOLDERS,
    is_tar,
    is_text,
    is_zip,
    kind,
)
from assistant.sources.names import Names, member_name
from assistant.sources.sections import Shown, is_of_a_process, shows_several
from assistant.sources.types import LogSource
from assistant.sources.walk import NAMED_ARCHIVE, NAMED_UNSURE, Passed
from assistant.sources.zip_directory import MAX_DIRECTORY, directory_size

_BUFFER = 1 << 16
#: A header that asks for a longer text than this (a path, an attribute) is hostile.
_MAX_HEADER = 1 << 20
_COLLECTED = ("it was collected by `kbtriage collect`: unpack it and give it as well, or send such "
              "files in an archive of their own")
_NESTED = "it is an archive inside an archive: unpack the outer one first"
_ZIP_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)


class Members:
    """The logs of one archive.

    Args:
        label: what the archive is called.
        prefix: put before the members' own paths.
        names: keeps names apart over the whole input.
    """

    def __init__(self, label: str, prefix: str, names: Names) -> None:
        self._label = label
        self._prefix = prefix
        self._names = names
        self._passed = Passed()

    def tar(self, stream: BinaryIO) -> Iterator[LogSource | Skipped]:
        """From the decompressed bytes of a tar archive, in the order they stand in it."""
        source = _Ending(stream)
        try:
            with tarfile.open(fileobj=cast(BinaryIO, source), mode="r|", bufsize=_BUFFER,
                              tarinfo=TarMember, encoding="utf-8",
                              errors="surrogateescape") as archive:
                while (member := archive.next()) is not None:
                    archive.members = []  # type: ignore[attr-defined]  # it would keep them all
                    if member.isreg():
                        yield from self._tar_member(archive, member)
            if source.failure is not None:
                yield self._broken(source.failure)
        except Exception as error:  # hostile headers raise nearly anything
            yield self._broken(source.failure or error)
        yield from self._rest()

    def zip(self, file: BinaryIO) -> Iterator[LogSource | Skipped]:
        """From a seekable zip archive, in the order of its directory."""
        total = 0
        try:
            if directory_size(file) > MAX_DIRECTORY:
                raise DamagedError("its directory is longer than that of any archive of logs")
            with zipfile.ZipFile(file) as archive:
                for member in archive.infolist():
                    mode = member.external_attr >> 16
                    if member.is_dir() or stat.S_ISLNK(mode):
                        continue
                    total += member.file_size
                    yield from self._zip_member(archive, member, total)
        except Exception as error:  # hostile directories raise nearly anything
            yield self._broken(error)
        yield from self._rest()

    def _tar_member(self, archive: tarfile.TarFile,
                    member: tarfile.TarInfo) -> Iterator[LogSource | Skipped]:
        def open_member() -> BinaryIO:
            return cast(BinaryIO, _TarContent(archive, member))

        if member.issparse():
            yield self._skipped(member_name(member.name), "it is stored as a sparse file")
            return
        yield from self._member(member.name, member.size, float(member.mtime), open_member)

    def _zip_member(self, archive: zipfile.ZipFile, member: zipfile.ZipInfo,
                    total: int) -> Iterator[LogSource | Skipped]:
        path = _zip_path(member)
        why = None
        if member.flag_bits & 1:
            why = "it is encrypted: unpack the archive first"
        elif member.compress_type not in _ZIP_METHODS:
            why = (f"it is compressed by a method that is not read ({member.compress_type}): "
                   "unpack the archive first")
        elif is_bomb(member.file_size, member.compress_size) or total > MAX_EXPANDED:
            why = "it would expand beyond what a log can be"
        if why is not None:
            if kind(path.rpartition("/")[2]) != "other":
                yield self._skipped(member_name(path), why)
            return

        def open_member() -> BinaryIO:
            try:
                return cast(BinaryIO, archive.open(member))
            except OSError:
                raise
            except Exception as error:
                raise OSError(f"it is damaged: {error}") from error

        yield from self._member(path, member.file_size, _zip_time(member), open_member)

    def _member(self, path: str, size: int, mtime: float,
                open_member: Callable[[], BinaryIO]) -> Iterator[LogSource | Skipped]:
        """A regular member of either kind of archive: read, or passed over."""
        parts = [part for part in path.split("/") if part not in ("", ".", "..")]
        if any(part.startswith(".") or part in PASSED_FOLDERS for part in parts):
            return
        place = member_name(path)
        base = place.rpartition("/")[2]
        held_for = kind(base)
        if held_for == "archive":
            yield self._skipped(place, _NESTED)
        elif held_for == "foreign-archive":
            yield self._skipped(place, NAMED_ARCHIVE)
        elif base.lower().endswith(COLLECTED):
            yield self._skipped(place, _COLLECTED)
        elif held_for == "other":
            self._passed.count(base)
        else:
            yield from self._by_content(place, size, mtime, held_for, open_member)

    def _by_content(self, place: str, size: int, mtime: float, held_for: str,
                    open_member: Callable[[], BinaryIO]) -> Iterator[LogSource | Skipped]:
        try:
            raw = open_member()
            outer = read_head(raw, HEAD_SIZE)
            content = expand(rewound(outer, raw))
            inner = read_head(content, HEAD_SIZE)
            stream = rewound(inner, content)
        except OSError as error:
            yield self._skipped(place, reason(error))
            return
        plain = compression(outer) is None and place.lower().endswith(COMPRESSED)
        if is_zip(outer) or is_tar(inner):
            yield self._skipped(place, _NESTED)
        elif held_for == "log" or (held_for == "text" and is_text(inner)):
            name = self._names.unique(self._prefix + place)
            several = shows_several(inner) and not is_of_a_process(place)
            yield LogSource(name, size if compression(outer) is None else None, mtime, None,
                            lambda: stream, notes=MISNAMED if plain else (),
                            shown=Shown(f"{name}!/", False) if several else None)
        elif is_text(inner):
            yield self._skipped(place, NAMED_UNSURE)
        else:
            self._passed.count(place)

    def _skipped(self, place: str, why: str) -> Skipped:
        return Skipped(self._prefix + place, why)

    def _broken(self, error: Exception) -> Skipped:
        why = reason(error) if isinstance(error, OSError) else str(error) or type(error).__name__
        return Skipped(self._label, f"the archive cannot be read to its end: {why}; "
                                    "what stands before was read")

    def _rest(self) -> Iterator[Skipped]:
        summary = self._passed.summary()
        if summary is not None:
            yield Skipped(self._label, summary)


class _Ending:
    """A stream that ends where it fails: tarfile then gives what it has and notices itself
    that a member is cut off, instead of losing the bytes before an error."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.failure: OSError | None = None

    def read(self, size: int) -> bytes:
        try:
            return self._stream.read(size)
        except OSError as error:
            self.failure = error
            return b""


class _TarContent:
    """A member's bytes in a stream. (tarfile's own reader loses those before a cut.)"""

    def __init__(self, archive: tarfile.TarFile, member: tarfile.TarInfo) -> None:
        self._stream = cast(BinaryIO, archive.fileobj)
        self._at = member.offset_data
        self._end = member.offset_data + member.size

    def read(self, size: int) -> bytes:
        if self._at >= self._end:
            return b""
        self._stream.seek(self._at)
        data = self._stream.read(min(size, self._end - self._at))
        if not data:
            raise DamagedError("the archive is cut off inside it")
        self._at += len(data)
        return data

    def close(self) -> None:
        """Nothing is its own."""


class TarMember(tarfile.TarInfo):
    """A tar header that may not make us read a text of any length into memory."""

    def _proc_member(self, archive: tarfile.TarFile) -> tarfile.TarInfo | None:
        texts = (tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE,
                 tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE)
        if self.type in texts and self.size > _MAX_HEADER:
            raise tarfile.ReadError("a header is too long")
        proceed: Callable[[tarfile.TarFile], tarfile.TarInfo | None]
        proceed = super()._proc_member  # type: ignore[misc]  # made to be overridden
        return proceed(archive)

    def _proc_gnusparse_10(self, *_: object) -> None:
        raise tarfile.ReadError("a sparse file's map, which could be of any length")


def _zip_path(member: zipfile.ZipInfo) -> str:
    """The member's path; archives made on Windows hold backslashes and undeclared encodings."""
    path = member.filename
    if not member.flag_bits & 0x800:
        for encoding in ("utf-8", "gb18030"):
            try:
                path = path.encode("cp437").decode(encoding)
                break
            except UnicodeError:
                continue
    return path.replace("\\", "/")


def _zip_time(member: zipfile.ZipInfo) -> float:
    """Its modification time: exact where the archive keeps it, else by the local clock."""
    extra, at = member.extra, 0
    while at + 4 <= len(extra):
        tag, size = struct.unpack_from("<HH", extra, at)
        if tag == 0x5455 and size >= 5 and at + 9 <= len(extra) and extra[at + 4] & 1:
            return float(struct.unpack_from("<i", extra, at + 5)[0])
        at += 4 + size
    try:
        return datetime.datetime(*member.date_time).timestamp()
    except (ValueError, OverflowError):
        return 0.0
