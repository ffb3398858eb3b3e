"""Logs behind a URL: object stores, HDFS, web servers, whatever fsspec knows.

Imported only when an argument is a URL. fsspec and what it needs for a scheme are extras.
"""

from __future__ import annotations

import datetime
import posixpath
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, BinaryIO, cast

from assistant.errors import UsageError
from assistant.evidence.types import Skipped
from assistant.sources.compression import expand, is_plain, read_head, rewound
from assistant.sources.kinds import COMPRESSED, HEAD_SIZE, PASSED_FOLDERS, is_text, kind
from assistant.sources.names import printable
from assistant.sources.remote_errors import missing_package, reason, shown
from assistant.sources.types import LogSource

#: Bytes that are asked for at a time.
_BLOCK = 1 << 22
_ARCHIVE = "an archive behind a URL is not opened: download it first"


class RemoteError(OSError):
    """What went wrong on the way to a URL."""


def find_remote(url: str, label: str, alone: bool = False) -> Iterator[LogSource | Skipped]:
    """The logs below a URL, by name.

    Args:
        url: a folder or a file; a web server's folder must end with `/`.
        label: put before their names; for a file, its name.
        alone: whether it is the only input: then files of a folder go by their own names.

    Raises:
        UsageError: a package is missing, or nothing can be reached there.
    """
    fs, root = _file_system(url)
    try:
        is_folder = url.split("?")[0].endswith("/") if _is_web(url) else fs.isdir(root)
        found = _files(fs, root) if is_folder else {root: fs.info(root)}
    except Exception as error:  # every file system has its own kinds
        raise UsageError(f"{shown(url)} cannot be reached: {reason(error, url)}") from error
    for path, info in sorted(found.items()):
        inner = path[len(root):].strip("/") if is_folder else ""
        if any(part.startswith(".") or part in PASSED_FOLDERS for part in inner.split("/") if part):
            continue
        before = "" if alone and is_folder else label
        name = printable("/".join(part for part in (before, inner) if part))
        held_for = kind(posixpath.basename(path)) if is_folder else "log"
        if held_for in ("archive", "foreign-archive"):
            yield Skipped(name, _ARCHIVE)
        elif held_for == "log" or (held_for == "text" and _looks_like_text(fs, path)):
            packed = name.lower().endswith(COMPRESSED)
            target = fs.unstrip_protocol(path)
            yield LogSource(name, None if packed else info.get("size"), _mtime(info), None,
                            partial(open_remote, target), url=target)


def open_remote(url: str) -> BinaryIO:
    """The decompressed bytes behind a URL. Raises OSError."""
    fs, path = _file_system(url)
    stream = _opened(fs, path)
    try:
        head = read_head(stream, 8)
        whole = rewound(head, stream)
        return whole if is_plain(head) else expand(whole)
    except BaseException:
        stream.close()
        raise


def _file_system(url: str) -> tuple[Any, str]:
    try:
        import fsspec
    except ImportError:
        raise UsageError(f"{shown(url)}: URLs need the extra `remote`: "
                         "pip install 'kbtriage[remote]'") from None
    try:
        fs, path = fsspec.core.url_to_fs(url)
    except ImportError as error:
        raise UsageError(f"{shown(url)}: {missing_package(url, error)}") from None
    except Exception as error:  # every file system has its own kinds
        raise UsageError(f"{shown(url)} cannot be used: {reason(error, url)}") from None
    return fs, path


def _files(fs: Any, root: str) -> Mapping[str, Mapping[str, Any]]:
    found: Mapping[str, Mapping[str, Any]] = fs.find(root, detail=True)
    if not found and not fs.exists(root):
        raise FileNotFoundError("there is nothing")
    return found


def _looks_like_text(fs: Any, path: str) -> bool:
    try:
        with _opened(fs, path) as stream:
            return is_text(read_head(stream, HEAD_SIZE))
    except OSError:
        return False


def _opened(fs: Any, path: str) -> BinaryIO:
    url = fs.unstrip_protocol(path)
    try:
        return cast(BinaryIO, _Remote(fs.open(path, "rb", block_size=_BLOCK), url))
    except Exception as error:
        raise RemoteError(reason(error, url)) from error


class _Remote:
    """A stream all of whose failures are OSErrors."""

    def __init__(self, stream: Any, url: str) -> None:
        self._stream = stream
        self._url = url

    def read(self, size: int = -1) -> bytes:
        try:
            return bytes(self._stream.read(size))
        except Exception as error:
            raise RemoteError(reason(error, self._url)) from error

    def close(self) -> None:
        self._stream.close()

    def __enter__(self) -> _Remote:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _is_web(url: str) -> bool:
    return url.startswith(("http://", "https://"))


def _mtime(info: Mapping[str, Any]) -> float | None:
    found = info.get("mtime") or info.get("LastModified") or info.get("last_modified")
    if isinstance(found, datetime.datetime):
        return found.timestamp()
    return float(found) if isinstance(found, (int, float)) else None
