"""Which worker logs are copies of others: the logger's own files, backups, cut or altered ones.

Two files of one rank that begin with the same lines were written by one process. The one that
is called as msrun calls it is the log; what the others hold besides proves nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from assistant.job import roles
from assistant.job.names import base_of
from assistant.job.ranks import main_pid
from assistant.job.types import LogFile

_TRUE_NAME = re.compile(r"worker_\d+\.log")


def is_true_name(name: str) -> bool:
    """Whether a log is called as msrun calls it."""
    return _TRUE_NAME.fullmatch(base_of(name)) is not None


def originals(files: Iterable[LogFile]) -> Mapping[str, str]:
    """Name of each copy to the name of its original; files must carry their ranks."""
    by_rank: dict[int, list[LogFile]] = defaultdict(list)
    for file in files:
        if file.role == "worker" and file.rank is not None and not file.stale:
            by_rank[file.rank].append(file)
    found: dict[str, str] = {}
    for group in by_rank.values():
        true: list[LogFile] = []
        for file in sorted(group, key=_precedence):
            of = next((one for one in true if one.evidence.lines
                       and _repeats(file, one)), None)
            if of is None:
                true.append(file)
            else:
                found[file.name] = of.name
    return found


def _precedence(file: LogFile) -> tuple[bool, bool, bool, int, int, str]:
    """Sort key: the log itself first."""
    name = file.name
    return (roles.is_logger_copy(name), "info.log" not in name,
            not is_true_name(name), name.count("/"),
            -file.evidence.lines, name)


def _repeats(file: LogFile, original: LogFile) -> bool:
    """Whether a file holds what its process wrote into the original."""
    if roles.is_logger_copy(file.name):
        return True
    one, other = file.evidence, original.evidence
    pid = main_pid(one, file.run_start)
    if not one.head or not other.head or pid != main_pid(other, original.run_start):
        return False
    # A copy may have been altered; without a process more than its first line is asked for.
    lines = 1 if pid is not None else min(len(one.head), len(other.head))
    return [line.text for line in one.head[:lines]] == [line.text for line in other.head[:lines]]
