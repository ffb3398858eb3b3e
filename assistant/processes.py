"""Processes that compute for this one, and end with it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

#: Linux's PR_SET_PDEATHSIG: a child whose parent was killed would wait for its next task for ever.
_SET_PARENT_DEATH_SIGNAL = 1
#: Whether a new process has all that this one has.
FORKS = sys.platform == "linux"

Result = TypeVar("Result")


def processors() -> int:
    """Number of processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def pool(jobs: int, prepare: Callable[..., None] | None = None, *arguments: Any
         ) -> ProcessPoolExecutor:
    """A number of processes; `prepare` is called in each with the arguments."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    return ProcessPoolExecutor(
        jobs, multiprocessing.get_context("fork" if FORKS else "spawn"), _begin,
        (os.getpid(), prepare, arguments))


def submit(executor: ProcessPoolExecutor, function: Callable[..., Result],
           *arguments: Any) -> Future[Result]:
    """Give one of the processes something to compute. Raises BrokenProcessPool."""
    import warnings

    with warnings.catch_warnings():
        # Python warns of forking beside threads. The children only compute: they take no
        # lock that another thread of this program could hold.
        warnings.simplefilter("ignore", DeprecationWarning)
        return executor.submit(function, *arguments)


def ended(executor: ProcessPoolExecutor) -> None:
    """Close a pool that has nothing left to do, or is broken, and see it closed: Python's own
    end, should it come upon one that is half closed, prints what it stumbles over."""
    executor.shutdown(wait=True, cancel_futures=True)


def _begin(parent: int, prepare: Callable[..., None] | None, arguments: tuple[Any, ...]) -> None:
    """Make a new process ready."""
    import gc
    import signal

    # Whatever ends the program, the parent has the word; the children just go.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    if FORKS:
        import ctypes

        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() != parent:  # it was gone before
            os._exit(1)
    # What there is by now stays: the collector need not look through it again and again, nor
    # write into pages that are shared with the parent.
    gc.freeze()
    if prepare is not None:
        prepare(*arguments)
