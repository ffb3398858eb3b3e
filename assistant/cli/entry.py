"""Where the command begins: an interrupt means the same from the first moment to the last."""

from __future__ import annotations

import gc
import os

from assistant.cli import INTERRUPTED

#: New objects between two searches for garbage. Rules and evidence are tens of thousands of
#: objects that live to the end; Python's own 700 would have them looked through again and again.
_BETWEEN_SEARCHES = 20_000


def run() -> int:
    """The installed command; gives the exit status."""
    gc.set_threshold(_BETWEEN_SEARCHES)
    try:
        from assistant.cli import signals  # imports are what an early interrupt falls into

        signals.end_at_once()
        from assistant.cli.main import main

        status = main()
        gc.freeze()  # what is there goes with the process; nobody need look through it again
        return status
    except KeyboardInterrupt:
        os._exit(INTERRUPTED)
