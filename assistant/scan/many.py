"""All sources -> evidence, in this process or in several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from assistant.evidence.keep import FULL, Keep, for_files
from assistant.evidence.merge import thinned
from assistant.evidence.types import Evidence, FileEvidence, Skipped
from assistant.patterns import Engine
from assistant.processes import processors
from assistant.rules.ruleset import RuleSet
from assistant.rules.types import PatternSpec
from assistant.scan.blocks import keep_memory
from assistant.scan.compile import build_engine
from assistant.scan.one import scan_logs, size_of
from assistant.scan.parts import PART_BYTES
from assistant.sources import LogSource

#: From so many bytes on, several processes are worth their start.
PARALLEL_BYTES = 64 << 20


class _Progress:
    """Counts bytes and tells (done, total) after each change."""

    def __init__(self, report: Callable[[int, int], None] | None) -> None:
        self._report = report
        self._done = self._total = 0

    def expect(self, size: int) -> None:
        self._total += size

    def advance(self, size: int) -> None:
        self._done += size
        if self._report is not None:
            self._report(min(self._done, self._total), self._total)


def scan_all(sources: Iterable[LogSource | Skipped], rules: RuleSet, *,
             inputs: Sequence[str] = (), jobs: int | None = None,
             cache_dir: Path | None = None, engine: str = "auto",
             progress: Callable[[int, int], None] | None = None,
             notify: Callable[[str], None] | None = None,
             parallel_bytes: int = PARALLEL_BYTES, part_bytes: int = PART_BYTES) -> Evidence:
    """The evidence of all sources; the same whatever their order and the number of jobs.

    Args:
        sources: drawn one by one; one that cannot be opened again is read before the next.
        inputs: the paths as the caller gave them, for Evidence.inputs.
        jobs: number of processes, None: one a processor.
        cache_dir, engine: see compile.build_engine.
        progress: called with the bytes done and the bytes known to be there.
        notify: called with one line if the engine has something to say to the user.
        parallel_bytes: from so many bytes on several processes are used.
        part_bytes: a file with twice as many may be read by several of them.

    Raises:
        UsageError: see compile.build_engine.
    """
    specs = rules.patterns()
    made = build_engine(specs, cache_dir, engine)
    if made.notice is not None and notify is not None:
        notify(made.notice)
    count = _Progress(progress)

    def scan_here(source: LogSource, keep: Keep) -> list[FileEvidence | Skipped]:
        return _scan_here(source, made, specs, count, keep)

    keep_memory()
    results: list[FileEvidence | Skipped] = []
    lasting: list[LogSource] = []
    for source in sources:
        if isinstance(source, Skipped):
            results.append(source)
            continue
        count.expect(size_of(source))
        if source.path is None or source.shown is not None:
            results += scan_here(source, for_files(len(results)))
        else:
            lasting.append(source)
    keep = for_files(len(results) + len(lasting))
    if keep is not FULL:
        results = [thinned(found, keep) if isinstance(found, FileEvidence) else found
                   for found in results]
    jobs = processors() if jobs is None else jobs
    alone = len(lasting) == 1 and size_of(lasting[0]) < 2 * part_bytes
    if jobs > 1 and lasting and not alone and sum(map(size_of, lasting)) > parallel_bytes:
        from assistant.scan.workers import Workers  # brings in multiprocessing

        workers = Workers(made, specs, cache_dir, jobs, keep, part_bytes)
        results += workers.scan(lasting, count.advance)
    else:
        for source in lasting:
            results += scan_here(source, keep)
    return Evidence(
        tuple(sorted((r for r in results if isinstance(r, FileEvidence)), key=lambda f: f.name)),
        tuple(sorted({r for r in results if isinstance(r, Skipped)},
                     key=lambda s: (s.file, s.why))),
        tuple(inputs))


def _scan_here(source: LogSource, engine: Engine, specs: Sequence[PatternSpec],
               count: _Progress, keep: Keep) -> list[FileEvidence | Skipped]:
    """Scan in this process; the bytes that progress shows add up to the source's size."""
    left = size_of(source)

    def advance(size: int) -> None:
        nonlocal left
        count.advance(min(size, left))
        left -= min(size, left)

    results = scan_logs(source, engine, specs, advance, keep)
    count.advance(left)
    return results
