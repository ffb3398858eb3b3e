"""The files of a git repository, read without anything that the repository could ask for.

A repository's own configuration may name commands: `git archive` runs `tar.zip.command`, and a
missing object is fetched through `core.sshCommand`. So only `ls-tree` and `cat-file` are asked,
which run none, and every way to another place is closed (git-config(1), "protocol.allow").
"""

from __future__ import annotations

import io
import os
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

from assistant.errors import UsageError

_SECONDS = 60
#: Modes of plain files in a tree: no links, no submodules.
_PLAIN = (b"100644", b"100755")


def split_revision(path: str) -> tuple[str, str]:
    """(folder, revision) of `FOLDER@REVISION`; without one the revision is empty. One that
    begins with a dash would be an option of git, and is none."""
    if Path(path).exists():
        return path, ""
    folder, _, revision = path.rpartition("@")
    return (folder, revision) if folder and not revision.startswith("-") else (path, "")


def as_zip(path: str, limit: int) -> bytes:
    """A zip file of the plain files of a repository, or of one of its revisions.

    Args:
        path: a repository, or `FOLDER@REVISION`.
        limit: bytes that all its files may hold.

    Raises:
        UsageError: git cannot be run or cannot read it, or it holds more.
    """
    folder, revision = split_revision(path)
    listed = _git(path, folder, "ls-tree", "-r", "-z", "-l", "--full-tree", revision or "HEAD")
    files = list(_plain(path, listed))
    if sum(size for _, _, size in files) > limit:
        raise UsageError(f"{path}: larger than {limit >> 20} MB; a pack holds rules and "
                         "articles only")
    contents = io.BytesIO(_git(path, folder, "cat-file", "--batch",
                               given=b"".join(object_id + b"\n" for _, object_id, _ in files)))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, _, size in files:
            if contents.readline().split()[1:] != [b"blob", b"%d" % size]:
                raise UsageError(f"{path}: git cannot read it: {name} is not there")
            # The same files give the same bytes: no time.
            archive.writestr(zipfile.ZipInfo(name), contents.read(size))
            contents.read(1)  # the line end behind each
    return packed.getvalue()


def _plain(path: str, listed: bytes) -> Iterator[tuple[str, bytes, int]]:
    """(name, object, size) of each plain file in what `ls-tree` printed. Raises UsageError."""
    for line in filter(None, listed.split(b"\0")):
        about, _, name = line.partition(b"\t")
        mode, _, object_id, size = about.split()
        if mode in _PLAIN:
            shown = name.decode("utf-8", "replace")
            if not size.isdigit():  # `BAD`
                raise UsageError(f"{path}: git cannot read it: {shown} is not there")
            yield shown, object_id, int(size)


def _git(path: str, folder: str, *words: str, given: bytes = b"") -> bytes:
    """What git prints. Raises UsageError."""
    # A hook of git tells its own repository by variables; ours is `folder`.
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("GIT_") or name.startswith("GIT_CONFIG")}
    environment |= {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1",
                    "GIT_TERMINAL_PROMPT": "0"}
    try:
        done = subprocess.run(["git", "-C", folder, *words], input=given, capture_output=True,
                              timeout=_SECONDS, check=False, env=environment)
    except OSError as error:
        raise UsageError(f"{path}: a git repository, and git cannot be run: "
                         f"{error.strerror or error}; install git, or give a folder") from error
    except subprocess.TimeoutExpired as error:
        raise UsageError(f"{path}: git took longer than {_SECONDS} s") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise UsageError(f"{path}: git cannot read it: {said[0] if said else done.returncode}")
    return done.stdout
