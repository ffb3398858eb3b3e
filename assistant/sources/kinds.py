"""Which files are logs: by their names, and where a name does not tell, by their first bytes."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

#: log: read. text: read if it is text. unsure: not read, but said if it is text.
#: archive: opened. foreign-archive: cannot be opened. other: passed over.
Kind = Literal["log", "text", "unsure", "archive", "foreign-archive", "other"]

LOOKED_FOR = ("*.log and its rotations (*.log.1), *.txt, *.out, *.err, text files without an "
              "extension, each also as .gz, .bz2, .xz or .zst, and the archives .zip, .tar, "
              ".tar.gz, .tar.bz2, .tar.xz, .tar.zst")
#: Bytes that decide whether a file is text or an archive.
HEAD_SIZE = 4096

#: The note of a log that is called as if compressed, and is not.
MISNAMED = ("not-compressed",)
#: How the name of a file of collected evidence ends.
COLLECTED = ".kbt"
COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
_ARCHIVES = (".zip", ".tar", ".tgz", ".tbz", ".tbz2", ".txz", ".tzst")
_FOREIGN = (".7z", ".rar", ".lz4", ".z", ".lzma", ".br", ".lz", ".cab", ".iso")
#: Folders in which no log is looked for: what programs make, not what they say.
PASSED_FOLDERS = frozenset({"__pycache__", "__MACOSX", "node_modules", "site-packages",
                            "kernel_meta"})
_NOT_LOGS = frozenset({
    "authors", "changelog", "changes", "contributing", "copying", "dockerfile", "license",
    "licence", "makefile", "notice", "readme", "version", "cmakelists.txt", "license.txt",
    "merges.txt", "readme.txt", "requirements.txt", "top_level.txt", "vocab.txt", "sources.txt",
    "entry_points.txt", "third_party_notices.txt",
})
_OTHER = frozenset({
    "a", "air", "avi", "bat", "bin", "bmp", "bz2", "c", "cc", "cfg", "ckpt", "conf",
    "cpp", "css", "csv", "cu", "cuh", "dat", "data", "db", "deb", "dll", "dot", "ecc", "egg",
    "env", "exe", "gguf", "gif", "h", "h5", "hpp", "html", "ico", "idx", "ini", "ipynb", "ir",
    "java", "jpeg", "jpg", "js", "json", "jsonl", "kbt", "key", "ko", "lock", "md", "mindir",
    "mindrecord", "mov", "mp3", "mp4", "node", "npy", "npz", "o", "onnx", "parquet", "patch",
    "pb", "pbtxt", "pdf", "pem", "pickle", "pid", "pkl", "png", "pptx", "prof", "proto", "pt",
    "pth", "py", "pyc", "pyi", "pyx", "record", "rpm", "rst", "s", "safetensors", "sh", "so",
    "sqlite", "sqlite3", "svg", "swp", "tfrecord", "tiff", "timeline", "toml", "tsv",
    "ttf", "wav", "webp", "whl", "xls", "xlsx", "xml", "yaml", "yml",
})


@cache
def _log_name() -> re.Pattern[str]:
    return re.compile(r"\.(?:log|txt|out|err|stdout|stderr)(?:[._-][\w-]+)*\Z|\.[oe]\d+\Z")


def kind(name: str) -> Kind:
    """What a file of this name (without folder) is held for."""
    lower = name.lower()
    if lower.endswith(_FOREIGN):
        return "foreign-archive"
    bare = uncompressed(lower)
    if lower.endswith(_ARCHIVES) or bare.endswith(".tar"):
        return "archive"
    stem, dot, extension = bare.rpartition(".")
    if bare in _NOT_LOGS or (dot and extension in _OTHER) or _summary(bare):
        return "other"
    if extension in ("bak", "tmp", "orig"):
        return "unsure"
    if _log_name().search(bare):
        return "log"
    if not dot or not stem or extension.isdigit():
        return "text"
    return "unsure"


def _summary(name: str) -> bool:
    """Whether it is a curve recorded for TensorBoard or MindInsight (`x.out.tfevents.1.host`)."""
    return ".tfevents." in name or ".events.summary." in name


def uncompressed(name: str) -> str:
    """The name without the ending of a compressed file."""
    for ending in COMPRESSED:
        if name.lower().endswith(ending):
            return name[:-len(ending)]
    return name


def unpacked(name: str) -> str:
    """The name that an archive's folder, or a compressed file's original, would have."""
    bare = uncompressed(name)
    for ending in _ARCHIVES:
        if bare.lower().endswith(ending):
            return bare[:-len(ending)]
    return bare


def extension(name: str) -> str:
    """The ending by which files of other kinds are counted."""
    dot = name.rpartition(".")
    return f".{dot[2].lower()}" if dot[1] and dot[2] else "without extension"


def is_text(head: bytes) -> bool:
    """Whether a file that begins so is text, in whatever encoding, colours and all."""
    if not head:
        return True
    odd = sum(byte < 0x20 and byte not in b"\t\n\r\f\b\x1b" for byte in head)
    return b"\x00" not in head and odd * 20 < len(head)


def is_zip(head: bytes) -> bool:
    """Whether a file that begins so is a zip archive."""
    return head.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def is_foreign(head: bytes) -> bool:
    """Whether it is an archive of a kind that is not read."""
    return head.startswith((b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07"))


def is_tar(head: bytes) -> bool:
    """Whether a decompressed file that begins so is a tar archive."""
    block = head[:512]
    if len(block) < 512:
        return False
    if not block.strip(b"\x00"):
        return len(head) >= 1024 and not head[:1024].strip(b"\x00")
    import tarfile  # few inputs need it, and importing it takes time

    try:
        tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    except (tarfile.TarError, ValueError):
        return False
    return True
