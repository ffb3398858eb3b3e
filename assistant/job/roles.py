"""What kind of file a log is: by its name, and where the name is silent by its content.

The kinds are those of rules.types.ROLES. Names: msrun writes `scheduler.log` and
`worker_<n>.log` (or `<--worker_log_name>_<n>.log`), the mindformers logger
`rank_<n>/info.log`, CANN `plog/plog-<pid>_<time>.log` and `device-<n>/device-<pid>_<time>.log`.
"""

from __future__ import annotations

import re

from assistant.evidence.types import FileEvidence
from assistant.job import marks

_CANN_NAME = re.compile(r"(plog|device)-\d+_\d+", re.ASCII)
_SCHEDULER_NAME = re.compile(r"(^|[^a-z])sched(uler)?([^a-z]|$)")
_WORKER_NAME = re.compile(r"(^|[^a-z])worker([^a-z]|$)")
_RANK_NAME = re.compile(r"^rank[_-]?\d+([^a-z\d]|$)")
_CONSOLE_NAME = re.compile(r"(^|[^a-z])(console|msrun|nohup)([^a-z]|$)")
_LOGGER_COPY = re.compile(r"(^|/)rank_\d+/(debug|info|warning|error)\.log")

#: `[ERROR] HCCL(42863,python3):2026-07-15-...`: two fields where MindSpore prints three.
_CANN_LINE = re.compile(r"\[[A-Z]+\] ?[A-Z][A-Z0-9_]*\(\d+,[^,()]*\):\d{4}-\d\d-\d\d-")

#: Landmarks that only msrun itself (or the script that starts it) prints.
CONSOLE_MARKS = ("console-worker", "console-scheduler", "console-spawned", "console-exit",
                  "console-kill", "console-failed", "console-interrupted", "console-ok",
                  "launcher-command", "console-auto-rank")
_SCHEDULER_MARKS = ("scheduler-begin", "scheduler-listening", "node-registered", "cluster-alive",
                    "node-timed-out", "node-unregistered", "cluster-progress", "timed-out-list")
_WORKER_MARKS = ("banner", "rank-stated", "topology-retry", "connection", "connect-failed",
                 "world-size", "communication-initialised", "building", "training-start",
                 "training-end", "graph-step", "group-created")


def role_of(evidence: FileEvidence) -> str:
    """`scheduler`, `worker`, `console`, `cann` or `other`."""
    return _by_name(evidence.name.lower()) or _by_content(evidence)


def is_logger_copy(name: str) -> bool:
    """Whether this is the mindformers logger's own file of one rank (`rank_3/info.log`)."""
    return _LOGGER_COPY.search(name) is not None


def _by_name(name: str) -> str | None:
    *folders, base = name.split("/")
    if _CANN_NAME.match(base) or "plog" in folders:
        return "cann"
    if _SCHEDULER_NAME.search(base):
        return "scheduler"
    if _WORKER_NAME.search(base) or _RANK_NAME.match(base) or is_logger_copy(name):
        return "worker"
    if _CONSOLE_NAME.search(base):
        return "console"
    return None


def _by_content(evidence: FileEvidence) -> str:
    if any(marks.seen(evidence, name) for name in CONSOLE_MARKS):
        return "console"
    if any(marks.seen(evidence, name) for name in _SCHEDULER_MARKS):
        return "scheduler"
    cann = sum(_CANN_LINE.match(line.text) is not None for line in evidence.head)
    if cann and cann * 2 >= len(evidence.head):
        return "cann"
    if evidence.series.rows or any(marks.seen(evidence, name) for name in _WORKER_MARKS):
        return "worker"
    return "other"
