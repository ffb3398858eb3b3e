"""Which PATH arguments are files of collected evidence (`kbtriage collect`), and not logs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import BinaryIO

from assistant.sources.arguments import STDIN, is_url, resolve
from assistant.sources.compression import read_head, rewound
from assistant.sources.files import open_file
from assistant.sources.kinds import COLLECTED, kind

#: How a file of collected evidence begins.
MAGIC = b'{"kbtriage.collected":'


def split(paths: Sequence[str]) -> tuple[list[str], list[str]]:
    """(files of collected evidence, the other arguments), patterns replaced by what they match.

    A folder that holds nothing but .kbt files stands for them, and an archive that begins with
    one is one of these files (see parcel.py).

    Raises:
        UsageError: an argument leads nowhere.
    """
    collected: list[str] = []
    others: list[str] = []
    for path in resolve(paths):
        if path == STDIN or is_url(path):
            others.append(path)
        elif os.path.isdir(path):
            inside = _inside(path)
            collected += inside
            others += [] if inside else [path]
        else:
            (collected if is_collected(path) or _is_parcel(path) else others).append(path)
    return list(dict.fromkeys(collected)), others


def _is_parcel(path: str) -> bool:
    """Whether a file is an archive of files of collected evidence."""
    if kind(os.path.basename(path)) != "archive":
        return False
    from assistant.sources.parcel import is_parcel  # archives are the exception

    return is_parcel(path)


def is_collected(path: str) -> bool:
    """Whether a file holds collected evidence, by its name or its first bytes, also compressed
    (whoever loads it will refuse that, and say so)."""
    if path.lower().endswith(COLLECTED):
        return True
    try:
        with open_file(path) as file:
            return read_head(file, len(MAGIC)) == MAGIC
    except OSError:
        return False  # whoever reads it will say why it cannot be read


def looked_into(stream: BinaryIO) -> tuple[bool, BinaryIO]:
    """Whether a stream holds collected evidence; and the stream, its first bytes put back."""
    if stream.seekable():
        start = stream.tell()
        head = read_head(stream, len(MAGIC))
        stream.seek(start)
        return head == MAGIC, stream
    head = read_head(stream, len(MAGIC))
    return head == MAGIC, rewound(head, stream)


def _inside(folder: str) -> list[str]:
    """The .kbt files of a folder that holds nothing else."""
    try:
        with os.scandir(folder) as listing:
            entries = [entry for entry in listing if not entry.name.startswith(".")]
    except OSError:
        return []
    if all(entry.name.lower().endswith(COLLECTED) and entry.is_file() for entry in entries):
        return sorted(entry.path for entry in entries)
    return []
