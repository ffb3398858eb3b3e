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
    """Lets `slots` in at a time; `waiting` others may wait.

    A newcomer may wait for `patience` seconds, so that a burst is served whole. When others
    have been waiting for RUSH seconds without a break, more come than can be served: a long
    queue would only make every answer late. From then on a newcomer waits for BRIEF seconds
    only, until nobody has been turned away for CALM seconds. (Controlled delay: Nichols and
    Jacobson, "Controlling Queue Delay", ACM Queue 10(5), 2012.)
    """

    RUSH = 1.0
    BRIEF = 0.005
    CALM = 5.0

    def __init__(self, slots: int, waiting: int, patience: float,
                 clock: Callable[[], float] = time.monotonic) -> None:
        self._slots = threading.BoundedSemaphore(slots)
        self._places = threading.BoundedSemaphore(slots + waiting)
        self._patience = patience
        self._size = slots
        self._clock = clock
        self._lock = threading.Lock()
        self._queue = 0
        self._queue_since = 0.0
        self._rush_until = 0.0

    @contextmanager
    def enter(self) -> Iterator[None]:
        """Wait for a turn. Raises ProblemError `too-busy` if there is none in time."""
        if not self._places.acquire(blocking=False):
            raise self._busy()
        try:
            if not self._slots.acquire(blocking=False) and not self._wait():
                raise self._busy()
            try:
                yield
            finally:
                self._slots.release()
        finally:
            self._places.release()

    def _wait(self) -> bool:
        """Whether a turn came in time."""
        with self._lock:
            if not self._queue:
                self._queue_since = self._clock()
            self._queue += 1
            patience = self._patience_now()
        try:
            return self._slots.acquire(timeout=patience)
        finally:
            with self._lock:
                self._queue -= 1

    def _patience_now(self) -> float:
        now = self._clock()
        rush = now < self._rush_until or (self._queue > 0 and now - self._queue_since > self.RUSH)
        return min(self.BRIEF, self._patience) if rush else self._patience

    def _busy(self) -> ProblemError:
        with self._lock:
            self._rush_until = self._clock() + self.CALM
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
