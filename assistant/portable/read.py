"""Files of collected evidence, each as far as it can be used, in this process or in several."""

from __future__ import annotations

import io
import os
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assistant import processes
from assistant.errors import UsageError
from assistant.evidence.keep import FULL, LIGHT, Keep
from assistant.evidence.merge import thinned
from assistant.evidence.types import Evidence, Skipped
from assistant.portable import kbt
from assistant.portable.known import listed, not_known
from assistant.sources.compression import compression
from assistant.sources.files import open_regular, reason
from assistant.sources.names import printable

if TYPE_CHECKING:
    from concurrent.futures import Future

#: From so many bytes of files on, several processes are worth their start.
PARALLEL_BYTES = 1 << 21
#: Files of one task: together about so many bytes, unless it is one.
_TASK_BYTES = 1 << 18
_MAGIC = 8
_PACKED = ("it is compressed, which a file that `kbtriage collect` wrote is already: decompress "
           "it, then check it")


@dataclass(frozen=True, slots=True)
class Read:
    """What one file holds.

    Attributes:
        evidence: noted with what it was collected without, and thinned.
        node: what the node is called, None where nobody said.
        not_known: rules and landmarks that it was collected without.
    """

    evidence: Evidence
    node: str | None
    not_known: tuple[str, ...]


def declared(path: str) -> int:
    """How many logs a file says that it holds; 0 where it cannot say so."""
    try:
        with io.BufferedReader(open_regular(path)) as file:
            return kbt.declared(file)
    except (OSError, UsageError):
        return 0


def all_of(paths: Sequence[str], now: Mapping[str, str], keep: Keep,
           jobs: int | None) -> Iterator[Read | Skipped]:
    """What each of the files holds, in their order.

    Args:
        now: the marks of the rules in force (see known.py).
        keep: how much of each log is kept.
        jobs: number of processes, None: one a processor.
    """
    jobs = processes.processors() if jobs is None else jobs
    tasks = _tasks(paths)
    if jobs == 1 or len(tasks) == 1 or sum(map(_size, paths)) < PARALLEL_BYTES:
        return (item for task in tasks for item in _read_task(task, now, keep))
    return _in_parallel(tasks, now, keep, min(jobs, len(tasks)))


def light(evidence: Evidence) -> Evidence:
    """So much of it as is kept of each of thousands of logs."""
    return replace(evidence, files=tuple(thinned(file, LIGHT) for file in evidence.files))


def _in_parallel(tasks: Sequence[Sequence[str]], now: Mapping[str, str], keep: Keep,
                 jobs: int) -> Iterator[Read | Skipped]:
    """As all_of. Should a process die, the rest is read by this one."""
    from concurrent.futures.process import BrokenProcessPool

    waiting = deque(tasks)
    running: deque[tuple[Sequence[str], Future[list[Read | Skipped]]]] = deque()
    executor = processes.pool(jobs)
    try:
        while waiting or running:
            with suppress(BrokenProcessPool):
                while waiting and len(running) < 2 * jobs:
                    future = processes.submit(executor, _read_task, waiting[0], now, keep)
                    running.append((waiting.popleft(), future))
            if not running:  # they are dead
                yield from _read_task(waiting.popleft(), now, keep)
                continue
            task, future = running.popleft()
            try:
                yield from future.result()
            except BrokenProcessPool:
                yield from _read_task(task, now, keep)
        processes.ended(executor)
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def _tasks(paths: Sequence[str]) -> list[list[str]]:
    """The paths in groups worth a message to another process."""
    tasks: list[list[str]] = [[]]
    size = 0
    for path in paths:
        if tasks[-1] and size + _size(path) > _TASK_BYTES:
            tasks.append([])
            size = 0
        tasks[-1].append(path)
        size += _size(path)
    return tasks


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _read_task(paths: Sequence[str], now: Mapping[str, str], keep: Keep) -> list[Read | Skipped]:
    return [_read(path, now, keep) for path in paths]


def _read(path: str, now: Mapping[str, str], keep: Keep) -> Read | Skipped:
    try:
        with io.BufferedReader(open_regular(path)) as file:
            if compression(file.peek(_MAGIC)[:_MAGIC]) is not None:
                return Skipped(printable(path), _PACKED, lost=True)
            found = kbt.read(file)
    except OSError as error:
        return Skipped(printable(path), reason(error), lost=True)
    except UsageError as error:
        return Skipped(printable(path), str(error), lost=True)
    unknown = not_known(found.known, now)
    evidence = _noted(found.evidence, unknown)
    return Read(evidence if keep == FULL else light(evidence), found.node, unknown)


def _noted(evidence: Evidence, unknown: tuple[str, ...]) -> Evidence:
    """The evidence with a note on every file of what it was collected without."""
    if not unknown:
        return evidence
    note = f"collected-without: {listed(unknown)}"
    return replace(evidence, files=tuple(
        replace(file, notes=tuple(sorted((*file.notes, note)))) for file in evidence.files))
