"""Tasks on the workers until all logs are read or known to be out of reach.

First every batch is scanned. Then what was found is joined on the workers, some parts to one,
again and again, so that few connections bring it to the client. A part may get lost at any
time, as its worker dies: Dask computes it again where that can be done, on a worker that sees
the logs. What a worker was doing, or holds, that cannot be reached any more (see presence.py)
is given to another one. Where no worker that sees the logs is left, the batch is given up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from typing import Any

from assistant.cluster import tasks
from assistant.cluster.presence import Presence
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

#: One and the same from Python 3.11 on.
_TIMEOUTS = (TimeoutError, asyncio.TimeoutError)

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
        self._presence = Presence(client, workers)
        self._keep = keep
        self._progress = progress
        # Goes with every task: to give each worker a copy first (`scatter`) would wait for ever
        # for one that stands still.
        self._wanted = tasks.packed(specs)

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
        alive = self._presence.alive()
        return self._client.submit(
            tasks.scan_items, batch, self._wanted, self._keep, pure=False, retries=1,
            workers=sorted(batch[0].workers & alive or batch[0].workers or alive),
            allow_other_workers=False)

    def _settle(self, leaves: dict[Any, Batch], total: int) -> list[Skipped]:
        """Wait until every leaf is there; give up those that nobody can compute."""
        given_up: list[Skipped] = []
        while True:
            alive = self._presence.alive()
            for leaf in self._out_of_reach(leaves):
                batch = leaves.pop(leaf)
                leaf.cancel()
                if _stranded(batch, alive):
                    given_up += (Skipped(item.name, _GONE, lost=True) for item in batch)
                else:
                    leaves[self._submit(batch)] = batch
            waiting = [leaf for leaf in leaves if leaf.status != "finished"]
            if not waiting:
                return given_up
            self._wait(waiting)
            for leaf in waiting:
                if leaf.status in ("error", "lost", "cancelled"):
                    given_up += self._failed(leaf, leaves)
            self._tell(leaves, total)

    def _out_of_reach(self, leaves: dict[Any, Batch]) -> list[Any]:
        """Leaves that only workers hold, compute or could compute that are gone."""
        gone = self._presence.gone
        if not gone:
            return []
        alive = self._presence.alive()
        # Asked about all: of one that the scheduler has given up by now it would know nothing.
        doing = {key for address, keys in self._client.processing().items()
                 for key in keys if address in gone}
        holders = self._client.who_has(list(leaves))

        def is_held(leaf: Any) -> bool:
            held_by = holders.get(leaf.key)
            return bool(held_by) and gone.issuperset(held_by)

        return [leaf for leaf, batch in leaves.items() if leaf.key in doing or is_held(leaf)
                or (leaf.status == "pending" and _stranded(batch, alive))]

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
        workers = sorted(self._presence.alive())
        while len(level) > 1:
            level = [self._client.submit(tasks.join, *level[at:at + _FAN_IN], pure=False,
                                         workers=workers, allow_other_workers=False)
                     for at in range(0, len(level), _FAN_IN)]
        [root] = level
        while root.status == "pending":
            self._wait([root])
            self._presence.alive()
            if self._out_of_reach(leaves):
                root.cancel()
                return None
        try:
            part: Part = root.result(timeout=_PATIENCE)
        except Exception:  # lost between its end and here
            return None
        return list(part)

    def _wait(self, futures: list[Any]) -> None:
        from distributed import wait

        with suppress(*_TIMEOUTS), self._client.as_current():
            wait(futures, timeout=_LOOK, return_when="FIRST_COMPLETED")

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
