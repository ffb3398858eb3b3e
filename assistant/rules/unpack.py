"""A pack that is no plain folder: a zip file, a bare git repository, a revision of a checkout.

Its rules and articles are copied into a folder that is named after their content, so that the
rest of the program sees plain files. Whatever else the archive holds is left in it.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import posixpath
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from assistant.errors import UsageError
from assistant.rules import git_files

#: What a pack consists of, but for the logs of its cases; nothing else is taken out of an archive.
_SUFFIXES = frozenset((".yaml", ".yml", ".md"))
#: Bounds of an archive: its own bytes, the files taken out of it, and their bytes.
MAX_SIZE, MAX_FILES, MAX_CONTENT = 1 << 26, 20_000, 1 << 27
#: How many unpacked packs are kept; the oldest go.
KEPT = 32


def is_packed(path: str) -> bool:
    """Whether a path names a pack that has to be unpacked first."""
    place = Path(path)
    if place.is_file():
        return place.suffix.lower() == ".zip"
    if place.is_dir():
        return _bare(place)
    folder, revision = git_files.split_revision(path)
    return bool(revision) and Path(folder).is_dir()


def unpack(path: str, cache_dir: Path | None = None) -> Path:
    """The folder that holds the rules and articles of a packed pack.

    Args:
        path: a zip file, a bare git repository, or `FOLDER@REVISION` of a git repository.
        cache_dir: where unpacked packs are kept between runs; None: in a temporary folder
            that is removed at the end of the program.

    Raises:
        UsageError: it is broken, too large, or git cannot read it.
    """
    content = _content(path)
    digest = hashlib.sha256(content).hexdigest()
    base = cache_dir / "packs" if cache_dir is not None else None
    if base is not None and (base / digest).is_dir():
        with contextlib.suppress(OSError):
            os.utime(base / digest)  # the oldest go, those in use stay
        return base / digest
    try:
        return _extract(content, base, digest, path)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError,
            ValueError) as error:
        raise UsageError(f"{path}: not a usable zip file: {error}; pack it again") from error


def _content(path: str) -> bytes:
    """The bytes of the zip file, that of the user or one made by git."""
    if not Path(path).is_file():
        return git_files.as_zip(path, MAX_SIZE)
    try:
        if os.path.getsize(path) > MAX_SIZE:
            raise UsageError(f"{path}: larger than {MAX_SIZE >> 20} MB; a pack holds rules and "
                             "articles only")
        return Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from error


def _extract(content: bytes, base: Path | None, digest: str, path: str) -> Path:
    temporary = _folder(base)
    try:
        _fill(temporary, content, path)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
    if base is None or temporary.parent != base:
        return temporary
    try:
        temporary.replace(base / digest)
    except OSError:  # another process was quicker
        shutil.rmtree(temporary, ignore_errors=True)
    _prune(base)
    return base / digest


def _fill(folder: Path, content: bytes, path: str) -> None:
    """Writes the rules and articles of a zip file into a folder."""
    left = MAX_CONTENT
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name, member in _members(archive, path):
            with archive.open(member) as stream:
                data = stream.read(left + 1)
            left -= len(data)
            if left < 0:
                raise UsageError(f"{path}: its rules and articles hold more than "
                                 f"{MAX_CONTENT >> 20} MB")
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)


def _folder(base: Path | None) -> Path:
    """An empty folder, within `base` if that can be written."""
    if base is not None:
        try:
            base.mkdir(parents=True, exist_ok=True)
            return Path(tempfile.mkdtemp(prefix=".", dir=base))
        except OSError:
            pass
    import atexit

    folder = Path(tempfile.mkdtemp(prefix="kbtriage-pack-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _members(archive: zipfile.ZipFile, path: str) -> Iterator[tuple[str, zipfile.ZipInfo]]:
    """Names and members to take out: plain files of a pack with harmless names. A folder that
    holds all of the archive, as downloads have one, is left out of the names."""
    found: list[tuple[PurePosixPath, zipfile.ZipInfo]] = []
    for member in archive.infolist():
        name = PurePosixPath(posixpath.normpath(member.filename.replace("\\", "/")))
        link = stat.S_ISLNK(member.external_attr >> 16)
        if member.is_dir() or link or name.is_absolute() or ".." in name.parts:
            continue
        case = "cases" in name.parts[:-1]  # the logs of tests
        hidden = any(part.startswith(".") for part in name.parts)
        if (case or name.suffix in _SUFFIXES) and not hidden:
            found.append((name, member))
        if len(found) > MAX_FILES:
            raise UsageError(f"{path}: more than {MAX_FILES:,} files; split the pack")
    tops = {name.parts[0] for name, _ in found if len(name.parts) > 1}
    alone = len(tops) == 1 and all(len(name.parts) > 1 for name, _ in found)
    wrapped = alone and not tops & {"rules", "kb"}
    for name, member in found:
        yield str(PurePosixPath(*name.parts[1:]) if wrapped else name), member


def _prune(base: Path) -> None:
    kept = sorted(base.iterdir(), key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in kept[KEPT:]:
        shutil.rmtree(folder, ignore_errors=True)


def _bare(folder: Path) -> bool:
    """Whether a folder is a git repository without a checkout."""
    return all((folder / name).exists() for name in ("HEAD", "objects", "refs"))
