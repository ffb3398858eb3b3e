"""Collected evidence as a file.

    a line of JSON: {"kbtriage.collected": <layout>, "evidence": <version>, ...}
    a zstd stream of lines of JSON: the marks of the rules, one file a line, the rest
    32 bytes: SHA-256 of all that stands before

The first line can be read by people and by every version of this program. A reader checks the
whole file first, then decodes it a line at a time within bounds.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, BinaryIO, cast

import zstandard

from assistant import __version__
from assistant.errors import UsageError
from assistant.evidence import serial
from assistant.evidence.types import EVIDENCE_VERSION, Evidence, FileEvidence
from assistant.portable.known import mark_of_all
from assistant.sources.collected import MAGIC
from assistant.sources.names import printable

#: Layout of the file itself; EVIDENCE_VERSION is that of what it holds.
LAYOUT = 1
_KEY = "kbtriage.collected"
_LEVEL = 9
_DIGEST = 32
_HEAD_LIMIT = 1 << 16
_BLOCK = 1 << 18
#: Memory that the decompressor may ask for.
_WINDOW = 1 << 27
#: Longest line, and bytes of all lines: a constant and so many times the compressed size.
_LINE_LIMIT = 1 << 28
_FREE, _RATIO = 1 << 26, 1000

_COLLECT_AGAIN = "collect it again with this version (kbtriage collect)"


@dataclass(frozen=True, slots=True)
class Collection:
    """What was collected on one machine.

    Attributes:
        evidence: of its logs.
        known: the marks of the rules that it was made with (see known.py).
        node: what the node is called, None where nobody said.
        program: version of kbtriage that made it.
    """

    evidence: Evidence
    known: Mapping[str, str] = field(default_factory=dict)
    node: str | None = None
    program: str = __version__


def write(collection: Collection, stream: BinaryIO) -> None:
    """Write a collection; the same one gives the same bytes. Raises OSError."""
    out = _Hashing(stream)
    evidence = collection.evidence
    out.write(json.dumps({
        _KEY: LAYOUT, "evidence": EVIDENCE_VERSION, "program": collection.program,
        "node": collection.node, "rules": mark_of_all(collection.known),
        "files": len(evidence.files), "bytes": sum(file.size for file in evidence.files),
        "inputs": list(evidence.inputs),
    }, separators=(",", ":")).encode() + b"\n")
    with zstandard.ZstdCompressor(level=_LEVEL).stream_writer(
            cast(BinaryIO, out), closefd=False) as packed:
        packed.write(json.dumps(dict(collection.known), separators=(",", ":")).encode() + b"\n")
        for file in evidence.files:
            packed.write(serial.dump(file) + b"\n")
        packed.write(serial.dump(replace(evidence, files=())) + b"\n")
    stream.write(out.digest())


def read(stream: BinaryIO) -> Collection:
    """The collection in a file.

    Args:
        stream: at its start; it can be sought.

    Raises:
        UsageError: it is no such file, damaged, cut short, or of another version. The message
            is the rest of a sentence that begins with the file's name.
        OSError: it cannot be read.
    """
    size = stream.seek(0, os.SEEK_END)
    stream.seek(0)
    head = _head(stream)
    start, end = stream.tell(), size - _DIGEST
    if not _is_whole(stream, end):
        raise UsageError("it is damaged or cut short (its checksum differs): copy it again, "
                         "or collect it again")
    stream.seek(start)
    try:
        lines = _lines(stream, end - start)
        known = json.loads(next(lines))
        files = [serial.load(FileEvidence, next(lines)) for _ in range(int(head["files"]))]
        if len({file.name for file in files}) < len(files):
            raise ValueError("two logs of one name")
        rest = serial.load(Evidence, next(lines))
        node = head.get("node")
        return Collection(
            replace(rest, files=tuple(files)), {str(k): str(v) for k, v in known.items()},
            None if node is None else printable(str(node)), printable(str(head["program"])))
    except (KeyError, TypeError, ValueError, AttributeError, StopIteration, RecursionError,
            zstandard.ZstdError) as why:
        raise UsageError(f"it holds no usable evidence ({type(why).__name__}): "
                         f"{_COLLECT_AGAIN}") from None


def declared(stream: BinaryIO) -> int:
    """How many logs a file says that it holds, without a look at the rest of it.

    Raises:
        UsageError: as `read` does.
    """
    files = _head(stream).get("files")
    return files if isinstance(files, int) else 0


def _head(stream: BinaryIO) -> dict[str, Any]:
    line = stream.readline(_HEAD_LIMIT)
    if not line.startswith(MAGIC):
        raise UsageError("it is no file of collected evidence: give the file that "
                         "`kbtriage collect` wrote, or the logs themselves")
    try:
        head: dict[str, Any] = json.loads(line)
        layout, evidence = int(head[_KEY]), int(head["evidence"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise UsageError("it is damaged or cut short (its first line cannot be read): copy it "
                         "again, or collect it again") from None
    if (layout, evidence) == (LAYOUT, EVIDENCE_VERSION):
        return head
    maker = printable(str(head.get("program", "?")))
    if layout > LAYOUT or evidence > EVIDENCE_VERSION:
        raise UsageError(f"it was collected by a newer kbtriage ({maker}; this is "
                         f"{__version__}): check it with that version, or {_COLLECT_AGAIN}")
    raise UsageError(f"it was collected by an older kbtriage ({maker}; this is {__version__}): "
                     f"{_COLLECT_AGAIN}")


def _is_whole(stream: BinaryIO, end: int) -> bool:
    """Whether what stands before `end` has the checksum that stands there."""
    if end < 0:
        return False
    stream.seek(0)
    digest, left = hashlib.sha256(), end
    while left and (block := stream.read(min(left, _BLOCK))):
        digest.update(block)
        left -= len(block)
    return stream.read(_DIGEST) == digest.digest()


def _lines(stream: BinaryIO, size: int) -> Iterator[bytes]:
    """The lines in `size` compressed bytes. Raises ValueError where they are too many."""
    left = _FREE + _RATIO * size
    unpacker = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
    with unpacker.stream_reader(cast(BinaryIO, _Part(stream, size)), closefd=False) as plain:
        lines = io.BufferedReader(plain, _BLOCK)
        while line := lines.readline(_LINE_LIMIT):
            left -= len(line)
            if left < 0 or not line.endswith(b"\n"):
                raise ValueError("it expands beyond all bounds")
            yield line


class _Part:
    """The next `size` bytes of a stream, as a source for the decompressor."""

    def __init__(self, stream: BinaryIO, size: int) -> None:
        self._stream = stream
        self._left = size

    def read(self, size: int = -1) -> bytes:
        wanted = self._left if size < 0 else min(size, self._left)
        data = self._stream.read(wanted)
        self._left -= len(data)
        return data


class _Hashing:
    """A stream that also computes the checksum of what is written."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._hash = hashlib.sha256()

    def write(self, data: bytes) -> int:
        self._hash.update(data)
        return self._stream.write(data)

    def flush(self) -> None:
        self._stream.flush()

    def digest(self) -> bytes:
        return self._hash.digest()
