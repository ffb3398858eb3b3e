"""What msrun prints on its own console: whom it started, who ended how, whom it killed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from assistant.job import marks
from assistant.job.names import base_of
from assistant.job.roles import CONSOLE_MARKS
from assistant.job.types import Exit, LogFile


@dataclass(frozen=True, slots=True)
class Console:
    """One msrun, on one node.

    Attributes:
        file: its log. node: the folder of it.
        logs: base name of a worker's log to the rank that msrun gave it (None: a rank is
            given later, the number in the name is local).
        exits: process id to how it ended.
        pids: process id to rank, as the workers' lines that it repeats state it.
        joined: it waits for its workers, and kills all when one fails (--join=True).
        kills: it killed the others. interrupted: by Ctrl+C, at the time `stopped_at`.
        ok: all ended well.
        failed: it says that the job, the scheduler or a worker failed.
        auto_ranks: ranks are given by the scheduler; numbers in file names are local.
        world, local, index: sizes of the command that the launch script echoes.
    """

    file: str
    node: str
    logs: Mapping[str, int | None] = field(default_factory=dict)
    exits: Mapping[int, Exit] = field(default_factory=dict)
    pids: Mapping[int, int] = field(default_factory=dict)
    joined: bool = False
    kills: bool = False
    interrupted: bool = False
    stopped_at: float | None = None
    ok: bool = False
    failed: bool = False
    auto_ranks: bool = False
    world: int | None = None
    local: int | None = None
    index: int | None = None


def read(files: Iterable[LogFile]) -> tuple[Console, ...]:
    """The consoles that msrun itself printed on, in the order of the files."""
    return tuple(
        _read(file) for file in files if file.role == "console" and not file.stale
        and any(marks.seen(file.evidence, name, file.run_start) for name in CONSOLE_MARKS))


def _read(file: LogFile) -> Console:
    evidence, start = file.evidence, file.run_start

    def seen(name: str) -> bool:
        return marks.seen(evidence, name, start)

    logs = {base_of(marks.text(hit, "file") or ""): marks.number(hit, "rank")
            for hit in marks.hits(evidence, "console-worker", start)}
    exits: dict[int, Exit] = {}
    for hit in marks.hits(evidence, "console-exit", start):
        pid = marks.number(hit, "pid")
        if pid is not None:
            exits.setdefault(pid, Exit(marks.number(hit, "code"), hit.time, file.name, hit.line))
    pids = {hit.pid: rank for hit in marks.hits(evidence, "rank-stated", start)
            if hit.pid is not None and (rank := marks.number(hit, "rank")) is not None}
    interruption = marks.last(evidence, "console-interrupted", start)
    command = marks.last(evidence, "launcher-command", start)
    sizes = [marks.number(command, name) if command is not None else None
             for name in ("world", "local", "index")]
    return Console(
        file=file.name, node=file.node, logs=logs, exits=exits, pids=pids,
        joined=seen("console-spawned") or seen("console-kill"),
        kills=seen("console-kill"),
        interrupted=interruption is not None,
        stopped_at=interruption.time if interruption is not None else None,
        ok=seen("console-ok"),
        failed=bool(exits) or seen("console-failed") or seen("console-scheduler-exit"),
        auto_ranks=seen("console-auto-rank") or None in logs.values(),
        world=sizes[0], local=sizes[1],
        index=sizes[2] if sizes[2] is not None and sizes[2] >= 0 else None)
