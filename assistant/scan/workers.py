"""Sources scanned in several processes; whichever of them dies takes one source with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from assistant import processes
from assistant.evidence.keep import Keep
from assistant.evidence.types import FileEvidence, Skipped
from assistant.patterns import Engine
from assistant.rules.types import PatternSpec
from assistant.scan.blocks import keep_memory
from assistant.scan.compile import build_engine
from assistant.scan.one import scan_source, size_of
from assistant.sources import LogSource

#: Sources of one task: together at most so many bytes, unless it is one, and so many of them.
_TASK_BYTES, _TASK_SOURCES = 1 << 23, 64

_Result = FileEvidence | Skipped
_Task = tuple[LogSource, ...]

#: Set in a worker process, once, by _prepare: a task need not carry the patterns.
_prepared: tuple[Engine, Sequence[PatternSpec]] | None = None


class Workers:
    """A number of processes that scan sources.

    Args:
        engine, specs, keep: as for scan_stream. cache_dir: where the engine was cached.
        jobs: number of processes.
    """

    def __init__(self, engine: Engine, specs: Sequence[PatternSpec], cache_dir: Path | None,
                 jobs: int, keep: Keep) -> None:
        self._keep = keep
        self._engine = engine
        self._specs = specs
        self._cache_dir = cache_dir
        self._jobs = jobs

    def scan(self, sources: Sequence[LogSource],
             done: Callable[[LogSource], None]) -> list[_Result]:
        """The evidence of all sources, in no order that means anything.

        Args:
            done: called with each source when its result is there.
        """
        waiting = _tasks(sources)
        suspects: list[LogSource] = []
        results: list[_Result] = []

        def take(task: _Task, found: list[_Result]) -> None:
            results.extend(found)
            for source in task:
                done(source)

        while waiting:
            suspects += self._run(waiting, take)
        while suspects:
            self._run_alone(suspects, take)
        return results

    def _run(self, waiting: list[_Task],
             take: Callable[[_Task, list[_Result]], None]) -> list[LogSource]:
        """Work until all is done or a process dies; return the sources then under way."""
        running: dict[Future[list[_Result]], _Task] = {}
        executor = self._executor(self._jobs)
        try:
            while waiting or running:
                while waiting and len(running) < 2 * self._jobs:
                    task = waiting.pop()
                    try:
                        running[processes.submit(executor, _scan_task, task, self._keep)] = task
                    except BrokenProcessPool:
                        waiting.append(task)
                        break
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    take(running[future], future.result())
                    del running[future]
        except BrokenProcessPool:
            return [source for task in running.values() for source in task]
        finally:
            executor.shutdown(wait=False, cancel_futures=True)
        return []

    def _run_alone(self, suspects: list[LogSource],
                   take: Callable[[_Task, list[_Result]], None]) -> None:
        """Scan one after the other, each known to be the only one under way, until all are
        done or the process dies of one."""
        executor = self._executor(1)
        try:
            while suspects:
                source = suspects.pop()
                try:
                    found = processes.submit(executor, _scan_task, (source,), self._keep)
                    take((source,), found.result())
                except BrokenProcessPool:
                    take((source,), [Skipped(source.name, "the process that read it died, "
                                                          "perhaps for want of memory")])
                    return
        finally:
            executor.shutdown(wait=False, cancel_futures=True)

    def _executor(self, jobs: int) -> ProcessPoolExecutor:
        # A forked process has the engine already; elsewhere each builds its own.
        return processes.pool(jobs, _prepare, self._specs, self._cache_dir, self._engine.name,
                              self._engine if processes.FORKS else None)


def _tasks(sources: Sequence[LogSource]) -> list[_Task]:
    """Sources in groups worth a message to another process; the largest at the end."""
    tasks: list[_Task] = []
    group: list[LogSource] = []
    size = 0
    for source in sorted(sources, key=lambda s: (size_of(s), s.name)):
        if group and (size + size_of(source) > _TASK_BYTES or len(group) == _TASK_SOURCES):
            tasks.append(tuple(group))
            group, size = [], 0
        group.append(source)
        size += size_of(source)
    return [*tasks, tuple(group)] if group else tasks


def _prepare(specs: Sequence[PatternSpec], cache_dir: Path | None, name: str,
             engine: Engine | None) -> None:
    """Give a new process what its tasks need."""
    global _prepared
    keep_memory()
    _prepared = engine or build_engine(specs, cache_dir, name), specs


def _scan_task(task: _Task, keep: Keep) -> list[_Result]:
    if _prepared is None:
        raise RuntimeError("the process was not prepared")
    engine, specs = _prepared
    return [scan_source(source, engine, specs, keep=keep) for source in task]


