"""Sources scanned in several processes; whichever of them dies takes one source with it.

A source that is too large for its share of the processes is scanned in parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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
from assistant.scan.parts import PART_BYTES, Part, Scanned, Split, cut, scan_part
from assistant.sources import LogSource

#: Sources of one task: together at most so many bytes, unless it is one, and so many of them.
_TASK_BYTES, _TASK_SOURCES = 1 << 23, 64
#: Parts of all sources together that make up the share of one process.
_PARTS = 2

_Result = FileEvidence | Skipped
_Task = tuple[LogSource | Part, ...]
_Found = Sequence[_Result | Scanned | None]

#: Set in a worker process, once, by _prepare: a task need not carry the patterns.
_prepared: tuple[Engine, Sequence[PatternSpec]] | None = None


class Workers:
    """A number of processes that scan sources.

    Args:
        engine, specs, keep: as for scan_stream. cache_dir: where the engine was cached.
        jobs: number of processes. part_bytes: fewest bytes of a part of a source.
    """

    def __init__(self, engine: Engine, specs: Sequence[PatternSpec], cache_dir: Path | None,
                 jobs: int, keep: Keep, part_bytes: int = PART_BYTES) -> None:
        self._keep = keep
        self._engine = engine
        self._specs = specs
        self._cache_dir = cache_dir
        self._jobs = jobs
        self._least = part_bytes

    def scan(self, sources: Sequence[LogSource], done: Callable[[int], None]) -> list[_Result]:
        """The evidence of all sources, in no order that means anything.

        Args:
            done: called with the bytes of each source, or part of one, that was read.
        """
        work = _Work(sources, self._part_bytes(sources), self._keep, done)
        suspects: list[LogSource] = []
        while work.waiting:
            suspects += self._run(work)
        while suspects:
            self._run_alone(suspects, work)
        return work.results

    def _part_bytes(self, sources: Sequence[LogSource]) -> int:
        """Bytes of a part with which all processes have enough to do until the end."""
        return max(self._least, sum(map(size_of, sources)) // (_PARTS * self._jobs))

    def _run(self, work: _Work) -> list[LogSource]:
        """Work until all is done or a process dies; return the sources then under way."""
        running: dict[Future[_Found], _Task] = {}
        executor = self._executor(self._jobs)
        try:
            while work.waiting or running:
                while work.waiting and len(running) < 2 * self._jobs:
                    task = work.waiting.pop()
                    try:
                        running[processes.submit(executor, _scan_task, task, self._keep)] = task
                    except BrokenProcessPool:
                        work.waiting.append(task)
                        break
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    work.take(running[future], future.result())
                    del running[future]
        except BrokenProcessPool:
            processes.ended(executor)
            return work.give_up(running.values())
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            raise
        processes.ended(executor)
        return []

    def _run_alone(self, suspects: list[LogSource], work: _Work) -> None:
        """Scan one after the other, each known to be the only one under way, until all are
        done or the process dies of one."""
        executor = self._executor(1)
        try:
            while suspects:
                source = suspects.pop()
                try:
                    found = processes.submit(executor, _scan_task, (source,), self._keep)
                    work.take((source,), found.result())
                except BrokenProcessPool:
                    work.take((source,), [Skipped(source.name, "the process that read it died, "
                                                               "perhaps for want of memory")])
                    break
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            raise
        processes.ended(executor)

    def _executor(self, jobs: int) -> ProcessPoolExecutor:
        # A forked process has the engine already; elsewhere each builds its own.
        return processes.pool(jobs, _prepare, self._specs, self._cache_dir, self._engine.name,
                              self._engine if processes.FORKS else None)


class _Work:
    """What is to be scanned, and what came of it.

    Attributes:
        waiting: tasks that no process has yet; the last one comes first.
        results: of the sources that are done.
    """

    def __init__(self, sources: Sequence[LogSource], part_bytes: int, keep: Keep,
                 done: Callable[[int], None]) -> None:
        self.results: list[_Result] = []
        self._done = done
        self._splits: dict[LogSource, Split] = {}
        whole: list[LogSource] = []
        parts: list[_Task] = []
        for source in sources:
            found = cut(source, part_bytes)
            if found:
                self._splits[source] = Split(found, keep)
                parts += ((part,) for part in reversed(found))
            else:
                whole.append(source)
        self.waiting = [*_tasks(whole), *parts]

    def take(self, task: _Task, found: _Found) -> None:
        """Take what a task yielded."""
        for item, result in zip(task, found, strict=True):
            if isinstance(item, Part):
                self._take_part(item, result if isinstance(result, Scanned) else None)
            elif result is not None and not isinstance(result, Scanned):
                self.results.append(result)
                self._done(size_of(item))

    def _take_part(self, part: Part, found: Scanned | None) -> None:
        split = self._splits.get(part.source)
        if split is None:
            return  # it is scanned as a whole meanwhile
        if found is None:
            del self._splits[part.source]
            self.waiting.append((part.source,))
            return
        self._done(0 if split.again else part.size)
        self.waiting += ((again,) for again in split.take(part, found))
        whole = split.joined()
        if whole is not None:
            self.results.append(whole)
            del self._splits[part.source]

    def give_up(self, tasks: Iterable[_Task]) -> list[LogSource]:
        """The sources of tasks that came to nothing, to be scanned as a whole."""
        sources = {item.source if isinstance(item, Part) else item
                   for task in tasks for item in task}
        for source in sources:
            self._splits.pop(source, None)
        self.waiting = [task for task in self.waiting
                        if not (isinstance(task[0], Part) and task[0].source in sources)]
        return sorted(sources, key=lambda source: source.name)


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


def _scan_task(task: _Task, keep: Keep) -> _Found:
    if _prepared is None:
        raise RuntimeError("the process was not prepared")
    engine, specs = _prepared
    return [scan_part(item, engine, specs, keep) if isinstance(item, Part)
            else scan_source(item, engine, specs, keep=keep) for item in task]


