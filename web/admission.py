"""Who may check now: so many at once, so many waiting, so many a minute from one address."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from web.problems import ProblemError

#: Addresses that are remembered; the one unheard of for longest is forgotten first.
_ADDRESSES = 10_000


class Gate:
    """Lets `slots` in at a time; `waiting` others may wait for `patience` seconds."""

    def __init__(self, slots: int, waiting: int, patience: float) -> None:
        self._slots = threading.BoundedSemaphore(slots)
        self._places = threading.BoundedSemaphore(slots + waiting)
        self._patience = patience
        self._size = slots

    @contextmanager
    def enter(self) -> Iterator[None]:
        """Wait for a turn. Raises ProblemError `too-busy` if there is none in time."""
        if not self._places.acquire(blocking=False):
            raise self._busy()
        try:
            if not self._slots.acquire(timeout=self._patience):
                raise self._busy()
            try:
                yield
            finally:
                self._slots.release()
        finally:
            self._places.release()

    def _busy(self) -> ProblemError:
        return ProblemError("too-busy", retry_after=2, limit=self._size, unit="checks at once")


class Rate:
    """At most `a_minute` admissions from one address, spent as fast as wanted (token bucket)."""

    def __init__(self, a_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._a_minute = a_minute
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def admit(self, address: str) -> None:
        """Count one. Raises ProblemError `too-often` if the address has no admission left."""
        if not self._a_minute:
            return
        now = self._clock()
        with self._lock:
            left, since = self._left.pop(address, (float(self._a_minute), now))
            left = min(float(self._a_minute), left + (now - since) * self._a_minute / 60)
            admitted = left >= 1
            self._left[address] = (left - 1 if admitted else left, now)
            if len(self._left) > _ADDRESSES:
                self._left.popitem(last=False)
        if not admitted:
            seconds = int((1 - left) * 60 / self._a_minute) + 1
            raise ProblemError("too-often", retry_after=seconds, limit=self._a_minute,
                               unit="checks a minute")
