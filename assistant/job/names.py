"""What a log's name says: its folder, its number, its process, its host."""

from __future__ import annotations

import re

#: Folders that lie between a node's folder and its logs.
_INNER = re.compile(
    r"(msrun_?logs?|logs?|outputs?|debug|run|security|plog|ascend|slog|device-[\w-]+"
    r"|rank[_-]?\d+)", re.IGNORECASE)
#: How a log that was rotated is called from then on: `x.log.1`, `x.log-20261130`,
#: `x.log.2026-11-30_08`.
_TURN = r"(?:\.\d+|[.-]\d{4}-?\d\d-?\d\d(?:[._-]\d+)*)"
_SUFFIX = re.compile(rf"(\.(gz|bz2|xz|zst|log|txt|out|err)|(?<=\.log){_TURN}|(?<=\.out){_TURN})$",
                     re.IGNORECASE)
_ROTATED = re.compile(rf"(?P<whole>.*?\.(?:log|out|txt|err))(?P<turn>{_TURN})", re.IGNORECASE)
_NUMBER = re.compile(r"(?:^|[^\d.]|[A-Za-z]\.)(\d{1,6})$")
#: Schedulers of clusters name a job's output so.
_OF_A_JOB = re.compile(r"(?i:slurm|job|pbs)[-_.]?\d")
#: From so many digits on a number is a job's or a date's, unless the name says whose it is.
_JOB_DIGITS = 4
_OF_A_RANK = re.compile(r"(?i:worker|rank)")
_CANN_PID = re.compile(r"(?:plog|device)-(\d+)_\d+")
_FOLDER_RANK = re.compile(r"(?:^|/)rank_(\d{1,6})/[^/]*$")
_ADDRESS = re.compile(r"(?<![\d.])(\d{1,3}(?:\.\d{1,3}){3})(?![\d.])[_-]*([A-Za-z][\w.-]*?)?_\d+$")


def folder_of(name: str) -> str:
    """The folder that stands for a node: the path without the inner folders' names.

    `node-a/msrun_log/worker_0.log` -> `node-a`; `msrun_log/worker_0.log` -> ``.
    """
    parts = name.split("/")[:-1]
    while parts and _INNER.fullmatch(parts[-1]):
        parts.pop()
    return "/".join(parts)


def base_of(name: str) -> str:
    """The last part of a path, without the suffixes of compression."""
    return re.sub(r"\.(gz|bz2|xz|zst)$", "", name.rsplit("/", 1)[-1], flags=re.IGNORECASE)


def part_of(name: str) -> tuple[str, int]:
    """The path of the log of which a file is a part, and how long ago that part was rotated
    away: 0 for the one that is written, more for earlier ones (`a/x.log.2.gz`: `a/x.log`, 2)."""
    folder, slash, _ = name.rpartition("/")
    base = base_of(name)
    match = _ROTATED.fullmatch(base)
    if match is None:
        return folder + slash + base, 0
    turn = match["turn"]
    digits = int(re.sub(r"\D", "", turn)[:18])
    # Of dates the later one is the later part.
    age = digits if turn[1:].isdigit() and len(turn) < 8 else 10**18 - digits
    return folder + slash + match["whole"], max(age, 1)


def stem_of(name: str) -> str:
    """The last part of a path without suffixes: `worker_3.log.gz` -> `worker_3`."""
    stem = name.rsplit("/", 1)[-1]
    while (shorter := _SUFFIX.sub("", stem)) != stem:
        stem = shorter
    return stem


def number_in(name: str) -> int | None:
    """The number at the end of a log's name, or of its folder `rank_<n>`, None if there is none.

    It is the rank, or the local number on a node that was started without --node_rank; not
    the number of a job (`slurm-37361.out`) or a date (`train_0914.log`).
    """
    in_folder = _FOLDER_RANK.search(name)
    if in_folder is not None:
        return int(in_folder.group(1))
    stem = stem_of(name)
    at_end = _NUMBER.search(stem)
    if at_end is None or _OF_A_JOB.match(stem):
        return None
    named = _OF_A_RANK.search(stem) is not None or host_in(name)[1] is not None
    return int(at_end.group(1)) if named or len(at_end.group(1)) < _JOB_DIGITS else None


def rank_folder(name: str) -> int | None:
    """The rank of a folder `rank_<n>` that holds the log: a global rank, None elsewhere."""
    found = _FOLDER_RANK.search(name)
    return int(found.group(1)) if found is not None else None


def cann_pid(name: str) -> int | None:
    """The process in a CANN log's name: `plog-5513_20251003231450863.log` -> 5513."""
    found = _CANN_PID.match(name.rsplit("/", 1)[-1])
    return int(found.group(1)) if found is not None else None


def host_in(name: str) -> tuple[str | None, str | None]:
    """(host name, address) that `--worker_log_name` put into a log's name, None where absent."""
    found = _ADDRESS.search(stem_of(name))
    return (found.group(2), found.group(1)) if found is not None else (None, None)
