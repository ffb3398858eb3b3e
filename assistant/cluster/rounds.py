"""Tasks on the workers until all logs are read or known to be out of reach.

First every batch is scanned. Then what was found is joined on the workers, some parts to one,
again and again, so that few connections bring it to the client. A part may get lost at any
time, as its worker dies: Dask computes it again where that can be done, on a worker that sees
the logs. Where no such worker is left, the batch is given up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from typing import Any

from assistant.cluster import tasks
from assistant.cluster.tasks import Item, Part
from assistant.evidence.keep import Keep
from assistant.evidence.types import Skipped
from assistant.rules.types import PatternSpec

#: Parts that are joined to one.
_FAN_IN = 16
#: How often that is tried before every part is brought by itself.
_JOINS = 5
#: Seconds that a part is given to come.
_PATIENCE = 60.0
#: Seconds between two looks at which workers live.
_LOOK = 1.0
_GONE = "no worker of the cluster that sees it can be reached any more"
_DEADLY = "the workers that read it died, perhaps for want of memory"

Batch = tuple[Item, ...]


class Rounds:
    """Scans batches of logs on a cluster.

    Args:
        client: of Dask. specs, keep: as for scan_stream.
        workers: addresses of those that answer; no other one is given anything, since a
            single node that is cut off would hold up, or end, what is sent to all.
        progress: called with the bytes done and the bytes in all.
    """

    def __init__(self, client: Any, specs: tuple[PatternSpec, ...], keep: Keep,
                 workers: Collection[str],
                 progress: Callable[[int, int], None] | None = None) -> None:
        self._client = client
        self._workers = sorted(workers)
        self._keep = keep
        self._progress = progress
        # Every worker has a copy, so that none has to be asked for it.
        [self._specs] = client.scatter([specs], workers=self._workers, broadcast=True,
                                       hash=False)

    def run(self, batches: Iterable[Batch]) -> list[Any]:
        """The evidence of all logs, and what could not be read."""
        leaves = {self._submit(batch): batch for batch in batches}
        total = sum(item.size for batch in leaves.values() for item in batch)
        given_up = self._settle(leaves, total)
        for _ in range(_JOINS):
            found = self._joined(leaves) if leaves else []
            if found is not None:
                return [*found, *given_up]
            # A part got lost, and with it what was joined of it.
            given_up += self._settle(leaves, total)
        return [*(result for leaf, batch in leaves.items() for result in _single(leaf, batch)),
                *given_up]

    def _submit(self, batch: Batch) -> Any:
        return self._client.submit(
            tasks.scan_items, batch, self._specs, self._keep, pure=False, retries=1,
            workers=sorted(batch[0].workers) or self._workers, allow_other_workers=False)

    def _settle(self, leaves: dict[Any, Batch], total: int) -> list[Skipped]:
        """Wait until every leaf is there; give up those that nobody can compute."""
        given_up: list[Skipped] = []
        while waiting := [leaf for leaf in leaves if leaf.status != "finished"]:
            self._wait(waiting)
            alive = self._alive()
            for leaf in waiting:
                if leaf.status in ("error", "lost", "cancelled"):
                    given_up += self._failed(leaf, leaves)
                elif leaf.status == "pending" and _stranded(leaves[leaf], alive):
                    given_up += (Skipped(item.name, _GONE, lost=True) for item in leaves[leaf])
                    del leaves[leaf]
                    leaf.cancel()
            self._tell(leaves, total)
        return given_up

    def _failed(self, leaf: Any, leaves: dict[Any, Batch]) -> list[Skipped]:
        """Try the logs of a batch that failed one by one; a single one is given up."""
        batch = leaves.pop(leaf)
        if len(batch) > 1:
            leaves.update({self._submit((item,)): (item,) for item in batch})
            return []
        error = leaf.exception() if leaf.status == "error" else None
        why = _DEADLY if error is None or type(error).__name__ == "KilledWorker" else (
            f"it could not be analysed: {type(error).__name__}: {error}")
        return [Skipped(batch[0].name, why, lost=True)]

    def _joined(self, leaves: dict[Any, Batch]) -> list[Any] | None:
        """Everything that was found; None if some of it got lost on the way."""
        level: list[Any] = list(leaves)
        while len(level) > 1:
            level = [self._client.submit(tasks.join, *level[at:at + _FAN_IN], pure=False,
                                         workers=self._workers, allow_other_workers=False)
                     for at in range(0, len(level), _FAN_IN)]
        [root] = level
        while root.status == "pending":
            self._wait([root])
            alive = self._alive()
            if any(leaf.status != "finished" and _stranded(batch, alive)
                   for leaf, batch in leaves.items()):
                root.cancel()
                return None
        try:
            part: Part = root.result(timeout=_PATIENCE)
        except Exception:  # lost between its end and here
            return None
        return list(part)

    def _wait(self, futures: list[Any]) -> None:
        from distributed import wait

        with suppress(TimeoutError), self._client.as_current():
            wait(futures, timeout=_LOOK, return_when="FIRST_COMPLETED")

    def _alive(self) -> frozenset[str]:
        """Those that answered at first and that the scheduler still knows."""
        return frozenset(self._client.scheduler_info(n_workers=-1)["workers"]).intersection(
            self._workers)

    def _tell(self, leaves: dict[Any, Batch], total: int) -> None:
        if self._progress is not None:
            left = sum(item.size for leaf, batch in leaves.items()
                       if leaf.status != "finished" for item in batch)
            self._progress(total - left, total)


def _single(leaf: Any, batch: Batch) -> Part:
    """What one batch yielded, or that it is out of reach."""
    try:
        part: Part = leaf.result(timeout=_PATIENCE)
    except Exception:
        return tuple(Skipped(item.name, _GONE, lost=True) for item in batch)
    return part


def _stranded(batch: Batch, alive: frozenset[str]) -> bool:
    """Whether no worker that sees a batch is left."""
    workers = batch[0].workers
    return not workers & alive if workers else not alive
