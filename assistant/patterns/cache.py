"""Compiled databases kept between runs. It can only save time: whatever is wrong with the
folder or a file in it, the answer is the same as without.

A file is believed only if it belongs to this user, lies in a folder that nobody else can
write, and its checksum is right: a serialised database is fed to native code.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Mapping
from pathlib import Path

from assistant import atomic

_MAGIC = b"kbtriage patterns 1\n"
_DIGEST_SIZE = 32
_SUFFIX = ".patterns"
#: Larger files are not ours.
_MAX_SIZE = 1 << 28
#: How many databases are kept; the oldest go.
KEPT = 16


def default_cache_dir(environ: Mapping[str, str] | None = None) -> Path | None:
    """The folder to keep databases in; None: keep none.

    KBTRIAGE_CACHE_DIR if set (empty: no cache), else `kbtriage` in XDG_CACHE_HOME, else in
    `~/.cache`; None without a home.
    """
    environ = os.environ if environ is None else environ
    own = environ.get("KBTRIAGE_CACHE_DIR")
    if own is not None:
        return Path(own) if own else None
    shared = environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(shared):
        return Path(shared) / "kbtriage"
    home = environ.get("HOME", "")
    return Path(home) / ".cache" / "kbtriage" if os.path.isabs(home) else None


def switched_off(environ: Mapping[str, str] | None = None) -> bool:
    """Whether the user wants no cache."""
    return (os.environ if environ is None else environ).get("KBTRIAGE_CACHE_DIR") == ""


def not_kept(folder: Path | None, why: str) -> str:
    """What to tell whoever waits for patterns that are compiled at every call."""
    where = "" if folder is None else f" in {folder}"
    return (f"compiled patterns cannot be kept{where} ({why}), so every call takes some seconds "
            "longer; set KBTRIAGE_CACHE_DIR to a folder that can be written")


def load(folder: Path, key: str) -> bytes | None:
    """What was stored under this key; None if nothing sound is there."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        if not _private(os.stat(folder)):
            return None
        descriptor = os.open(folder / (key + _SUFFIX), flags)
        with open(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or not _private(status):
                return None
            data = file.read(_MAX_SIZE)
    except (OSError, ValueError):
        return None
    head = len(_MAGIC) + _DIGEST_SIZE
    content = data[head:]
    return content if data[:head] == _MAGIC + _digest(key, content) else None


def store(folder: Path, key: str, content: bytes) -> str | None:
    """Keep content under a key, whole or not at all; gives the reason why it could not be kept,
    None if it was."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _private(os.stat(folder)):
            return "it belongs to somebody else, or others can write it"
        with atomic.written(folder / (key + _SUFFIX), 0o600) as file:
            file.write(_MAGIC + _digest(key, content) + content)
        _prune(folder)
    except (OSError, ValueError) as error:
        return str(getattr(error, "strerror", None) or error)
    return None


def _digest(key: str, content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST_SIZE, key=key.encode()[:64]).digest()


def _private(status: os.stat_result) -> bool:
    """Whether it belongs to this user and nobody else can write it."""
    if not hasattr(os, "geteuid"):
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _prune(folder: Path) -> None:
    """Remove the oldest databases beyond KEPT; another process may be doing the same."""
    ages = []
    for entry in os.scandir(folder):
        if entry.name.endswith(_SUFFIX):
            with contextlib.suppress(FileNotFoundError):
                ages.append((entry.stat(follow_symlinks=False).st_mtime, entry.path))
    for _, path in sorted(ages, reverse=True)[KEPT:]:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
