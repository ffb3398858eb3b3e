"""Which workers can be reached, by their signs of life.

The scheduler gives up a worker that is cut off, or stands still, only after minutes (Dask's
`distributed.scheduler.worker-ttl`, 5 minutes), and as long holds back what that worker was to
do. Every worker tells the scheduler several times a minute that it lives, and the scheduler
tells when it last heard of each: one of which nothing is heard for half a minute is gone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from typing import Any

#: Seconds without a sign of life after which a worker is gone.
SILENCE = 30.0
#: Of so many workers each sends a sign of life every second; of more, accordingly fewer
#: (source: `heartbeat_interval` in distributed/scheduler.py).
_SIGNS = 200
#: Signs of life that may be missed.
_MISSED = 3
#: Seconds between two questions.
_PAUSE = 1.0


class Presence:
    """Those of some workers that can be reached.

    Args:
        client: of Dask.
        workers: addresses of those that answered at first.
        clock: gives seconds that only grow.

    Attributes:
        patience: seconds without a sign of life after which one is gone.
        gone: those that are not there any more, though the scheduler may still count on them.
    """

    def __init__(self, client: Any, workers: Collection[str],
                 clock: Callable[[], float] = time.monotonic) -> None:
        self._client = client
        self._clock = clock
        self._asked = -_PAUSE
        # Address to the scheduler's time of the last sign of life, and ours when it was new:
        # the two clocks are not compared.
        self._signs: dict[str, tuple[float, float]] = {
            address: (0.0, clock()) for address in workers}
        self.patience = SILENCE + _MISSED * len(self._signs) / _SIGNS
        self.gone: set[str] = set()

    def alive(self) -> frozenset[str]:
        """Those that can be reached. One that is gone stays so, even if it comes back."""
        now = self._clock()
        if now - self._asked >= _PAUSE:
            self._look(now)
        return frozenset(self._signs.keys() - self.gone)

    def _look(self, now: float) -> None:
        known = self._client.scheduler_info(n_workers=-1)["workers"]
        for address, (sign, heard) in self._signs.items():
            latest = known[address]["last_seen"] if address in known else None
            if latest is not None and latest != sign:
                self._signs[address] = latest, now
            elif latest is None or now - heard > self.patience:
                self.gone.add(address)
        self._asked = self._clock()
