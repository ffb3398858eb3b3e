"""The client's side: ask the workers what they see, give them the logs, bring it together.

Whatever fails on the way (a worker dies, a node cannot be reached, a file is gone) takes with
it only what nobody else can read; that is named, and the rest goes on.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from assistant.cluster import tasks
from assistant.cluster.layout import Layout, lay_out
from assistant.cluster.rounds import Rounds
from assistant.cluster.tasks import Item, Survey
from assistant.errors import UsageError
from assistant.evidence.keep import for_files
from assistant.evidence.types import Evidence, FileEvidence, Skipped
from assistant.rules.types import PatternSpec
from assistant.sources import LogSource
from assistant.sources.arguments import STDIN, is_url

#: How an engine is called that is a cluster.
PREFIX = "dask://"
#: Seconds that the scheduler, and each worker, is given to answer.
ANSWER = 30.0
#: Logs of one task: together at most so many bytes, unless it is one, and so many of them.
_TASK_BYTES, _TASK_ITEMS = 1 << 26, 64


def scan(paths: Sequence[str], specs: tuple[PatternSpec, ...], address: str, *,
         labels: Mapping[str, str] | None = None, placed: bool = False,
         progress: Callable[[int, int], None] | None = None,
         notify: Callable[[str], None] | None = None) -> Evidence:
    """The evidence of logs that the workers of a cluster see.

    Args:
        paths: folders and files as they are on the workers, or URLs.
        specs: what is looked for.
        address: `dask://HOST:PORT` of the scheduler.
        labels: what names begin with, by path, for paths that are not the whole input.
        placed: whether the evidence is to say where all its logs lie (see Evidence.places).
        progress: called with the bytes done and the bytes in all.
        notify: called with a line on what is amiss.

    Raises:
        UsageError: the extra is missing, the scheduler does not answer, a worker runs another
            version, or there is nothing to read.
    """
    if STDIN in paths:
        raise UsageError("-: standard input is not on the workers; check it without --engine")
    local = [path for path in paths if not is_url(path)]
    with _connected(address) as client:
        found: list[LogSource | Skipped] = []
        if len(local) < len(paths):
            from assistant.sources import find

            found = list(find([path for path in paths if is_url(path)],
                              labels=labels or _mixed_labels(paths)))
        surveys, silent = _surveys(client, local)
        for worker in silent:
            if notify is not None:
                notify(f"the worker {worker.file} is left out: {worker.why}")
        if not surveys:
            raise UsageError(f"no worker of the cluster answers within {ANSWER:.0f} s: see that "
                             "each `dask worker` runs and can be reached from its scheduler")
        layout = Layout()
        if local:
            layout = lay_out(local, surveys, labels or _mixed_labels(paths))
        items = [*_from_urls(found), *layout.items]
        skipped = [*_skipped(found), *layout.skipped]
        rounds = Rounds(client, specs, for_files(len(items)), surveys, progress)
        results = rounds.run(_batches(items))
    files = [result for result in results if isinstance(result, FileEvidence)]
    skipped += [*silent, *(result for result in results if isinstance(result, Skipped))]
    return Evidence(
        tuple(sorted(files, key=lambda file: file.name)),
        tuple(sorted(set(skipped), key=lambda item: (item.file, item.why))), tuple(paths),
        layout.all_places if placed else layout.places)


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    try:
        from distributed import Client
    except ImportError:
        raise UsageError("--engine dask:// needs the extra `cluster`: "
                         "pip install 'kbtriage[cluster]'") from None
    where = address[len(PREFIX):]
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client = Client(f"tcp://{where}", timeout=ANSWER, set_as_default=False)
    except (OSError, ValueError) as error:  # a time-out is an OSError
        raise UsageError(f"no Dask scheduler answers at {where}: start one with "
                         "`dask scheduler`, and a `dask worker` on each node "
                         f"({type(error).__name__})") from None
    try:
        yield client
    finally:
        client.close(timeout=ANSWER)


def _surveys(client: Any, paths: Sequence[str]) -> tuple[dict[str, Survey], list[Skipped]]:
    """Address of a worker to what it sees; and the workers that did not answer."""
    addresses = sorted(client.scheduler_info(n_workers=-1)["workers"])
    if not addresses:
        raise UsageError("the cluster has no worker: start a `dask worker` on each node")
    asked = {address: client.submit(tasks.survey, list(paths), workers=[address],
                                    allow_other_workers=False, pure=False)
             for address in addresses}
    deadline = time.monotonic() + ANSWER
    surveys: dict[str, Survey] = {}
    silent: list[Skipped] = []
    for address, future in asked.items():
        answer = _answer(address, future, max(0.1, deadline - time.monotonic()))
        if isinstance(answer, Survey):
            surveys[address] = answer
        else:
            silent.append(answer)
    own = Survey("", ()).program
    for address, survey in surveys.items():
        if survey.program != own:
            raise UsageError(f"the worker {address} runs kbtriage {survey.program[0]}, and this "
                             f"is {own[0]}: install the same version on all")
    return surveys, silent


def _answer(address: str, future: Any, patience: float) -> Survey | Skipped:
    """What a worker sees, or why it does not say it."""
    try:
        survey: Survey = future.result(timeout=patience)
    except (ImportError, AttributeError) as error:
        raise UsageError(f"the worker {address} cannot run kbtriage ({error}): install "
                         "the same version there") from None
    except Exception as error:
        future.cancel()
        why = str(error).strip() or type(error).__name__
        return Skipped(address, f"the worker did not answer: {why[:200]}", lost=True)
    return survey


def _mixed_labels(paths: Sequence[str]) -> dict[str, str] | None:
    """What names begin with where URLs and paths are mixed; None where they are not."""
    if len(set(map(is_url, paths))) == 1:
        return None
    from assistant.sources.names import labels

    return dict(zip(paths, labels(paths), strict=True))


def _from_urls(found: Iterable[LogSource | Skipped]) -> list[Item]:
    return [Item(source.name, source.size or 0, url=source.url, mtime=source.mtime)
            for source in found if isinstance(source, LogSource)]


def _skipped(found: Iterable[LogSource | Skipped]) -> list[Skipped]:
    return [item for item in found if isinstance(item, Skipped)]


def _batches(items: Iterable[Item]) -> Iterator[tuple[Item, ...]]:
    """Logs that the same workers see in groups worth a task, the largest first."""
    batch: list[Item] = []
    size = 0
    for item in sorted(items, key=lambda item: (sorted(item.workers), -item.size, item.name)):
        full = size + item.size > _TASK_BYTES or len(batch) == _TASK_ITEMS
        if batch and (full or batch[0].workers != item.workers):
            yield tuple(batch)
            batch, size = [], 0
        batch.append(item)
        size += item.size
    if batch:
        yield tuple(batch)
