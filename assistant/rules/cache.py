"""Parsed rules kept between runs: JSON behind a checksum, one file a state of a pack.

A cache that is damaged, unreadable or cannot be written costs time, never the answer.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from assistant import atomic

#: Layout of what is kept; another one gives another key.
VERSION = 4
#: How many states are kept; the oldest go first.
KEPT = 64


def key(parts: Iterable[tuple[str, bytes]]) -> str:
    """The key of a pack's state: a hash of its files' names and contents and the version."""
    from assistant import __version__

    digest = hashlib.sha256(f"{VERSION} {__version__}".encode())
    for name, content in parts:
        digest.update(f"\0{name}\0{len(content)}\0".encode("utf-8", "surrogateescape"))
        digest.update(content)
    return digest.hexdigest()


def load(folder: Path | None, name: str) -> Any:
    """What was kept under a key; None if nothing whole is there."""
    if folder is None:
        return None
    try:
        content = (folder / f"{name}.json").read_bytes()
    except OSError:
        return None
    checksum, _, body = content.partition(b"\n")
    if hashlib.sha256(body).hexdigest().encode() != checksum:
        return None
    try:
        return json.loads(body)
    except ValueError:
        return None


def save(folder: Path | None, name: str, value: Any) -> None:
    """Keeps a value; a reader never sees half of it."""
    if folder is None:
        return
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        with atomic.written(folder / f"{name}.json") as file:
            file.write(hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
        _prune(folder)


def _prune(folder: Path) -> None:
    kept = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in kept[KEPT:]:
        path.unlink(missing_ok=True)
