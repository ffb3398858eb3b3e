"""Where checks run: in processes of their own, or in threads of this one.

A process can be ended when its time is over or when its memory runs out, takes nothing else
with it, and uses a processor of its own. It keeps the engine loaded and does one check after
the other. What was uploaded reaches it as bytes, or, where that would be much, as the open
file without a name that holds it.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import queue
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from io import BytesIO
from multiprocessing.connection import Connection
from typing import BinaryIO, Protocol

from assistant.evidence.types import Skipped
from assistant.sources.types import LogSource
from web.answer import Answer, examine
from web.engine import Engine
from web.intake import Budget, Upload, sources
from web.problems import ProblemError
from web.settings import Settings

LOGGER = logging.getLogger("kbtriage.web")
#: An upload of more bytes is handed over as an open file.
_INLINE = 4 << 20
#: Seconds beyond its time after which a check that does not end by itself is ended.
_GRACE = 5.0
#: Seconds that a process may take to load the engine, before a check's time begins.
_LOADING = 60.0
_LOADED = "loaded"


class Workers(Protocol):
    """Runs checks, as many at once as it was made for; callers see to it that no more come."""

    def start(self) -> None:
        """Get ready, so that the first check need not wait."""

    def run(self, uploads: Sequence[Upload], inputs: tuple[str, ...]) -> Answer:
        """The answer for some logs. Raises ProblemError."""


def check(engine: Engine, settings: Settings, uploads: Sequence[Upload],
          inputs: tuple[str, ...]) -> Answer:
    """One check within the limits. Raises ProblemError."""
    sent = sum(upload.size for upload in uploads)
    budget = Budget(settings, sent)
    passes = [budget]

    def proceed() -> None:
        budget.look_at_clock()
        budget.verify()

    def again() -> Iterator[LogSource | Skipped]:
        # A second reading, for the lines around quotes, has a budget of its own: it may
        # end early, which costs those lines and not the answer.
        return sources(uploads, passes.pop() if passes else Budget(settings, sent))

    return examine(engine, again, proceed, inputs)


class Threads:
    """Checks in this process. The threads are few and stay, since each keeps memory for its
    searches."""

    def __init__(self, settings: Settings, engine: Engine) -> None:
        self._settings = settings
        self._engine = engine
        self._pool = ThreadPoolExecutor(settings.max_checks, "check")

    def start(self) -> None:
        pass  # threads are ready at once

    def run(self, uploads: Sequence[Upload], inputs: tuple[str, ...]) -> Answer:
        return self._pool.submit(check, self._engine, self._settings, uploads, inputs).result()


class Processes:
    """Checks in processes of their own, which are started when they are needed."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        # The last one used comes first: it is warm.
        self._free: queue.LifoQueue[_Process | None] = queue.LifoQueue()
        for _ in range(settings.max_checks):
            self._free.put(None)

    def start(self) -> None:
        idle = [self._free.get() for _ in range(self._settings.max_checks)]
        for process in idle:
            self._free.put(process or _Process(self._settings))

    def run(self, uploads: Sequence[Upload], inputs: tuple[str, ...]) -> Answer:
        process = self._free.get()
        try:
            if process is None or not process.alive:
                process = _Process(self._settings)
            answer = process.run([_portable(upload) for upload in uploads], inputs)
        except ProblemError as problem:
            if problem.kind in ("too-long", "defect"):
                process = None  # it was ended
            raise
        finally:
            self._free.put(process)
        return answer


class _Process:
    def __init__(self, settings: Settings) -> None:
        self._limit = settings.max_seconds + _GRACE
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, settings), daemon=True,
                                        name="kbtriage check")
        self._process.start()
        self._loaded = False
        theirs.close()

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    def run(self, uploads: Sequence[Upload], inputs: tuple[str, ...]) -> Answer:
        """The answer of the process. Raises ProblemError, and ends the process if it is late
        or has died."""
        try:
            if not self._loaded and self._connection.poll(_LOADING):
                self._loaded = self._connection.recv() == _LOADED
            self._connection.send((uploads, inputs))
            if not self._connection.poll(self._limit):
                self.end()
                raise ProblemError("too-long", limit=int(self._limit - _GRACE), unit="seconds")
            result = self._connection.recv()
        except (OSError, EOFError) as error:
            self.end()
            LOGGER.error("defect: a process that checks logs ended with %s",
                         self._process.exitcode)
            raise ProblemError("defect") from error
        if isinstance(result, ProblemError):
            raise result
        if isinstance(result, str):
            LOGGER.error("defect: %s", result)
            self.end()
            raise ProblemError("defect")
        answer: Answer = result
        return answer

    def end(self) -> None:
        self._process.kill()
        self._process.join(5)
        self._connection.close()


def _work(connection: Connection, settings: Settings) -> None:
    """What a process does until its parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends it
    with contextlib.suppress(EOFError, OSError):
        engine = Engine(settings.pack, settings.engine, settings.cache)
        connection.send(_LOADED)
        while True:
            uploads, inputs = connection.recv()
            result: Answer | ProblemError | str
            try:
                result = check(engine, settings, uploads, inputs)
            except ProblemError as problem:
                result = problem
            except Exception as error:  # its words may hold what was sent; its kind does not
                result = type(error).__name__
            connection.send(result)


def _portable(upload: Upload) -> Upload:
    """The upload so that another process can open it."""
    if upload.shared:
        return upload
    with upload.stream() as stream:
        number = _descriptor(stream) if upload.size > _INLINE else None
        if number is not None:
            return replace(upload, shared=True, opener=partial(
                _open_of_parent, f"/proc/{os.getpid()}/fd/{number}"))
        return replace(upload, shared=True, opener=partial(BytesIO, stream.read()))


def _descriptor(stream: BinaryIO) -> int | None:
    """The number of the open file behind a stream, None if another process cannot reach it."""
    if not os.path.isdir("/proc/self/fd"):
        return None
    try:
        return stream.fileno()
    except (OSError, AttributeError):
        return None


def _open_of_parent(path: str) -> BinaryIO:
    return open(path, "rb")
