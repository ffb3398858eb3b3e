"""Where the command begins: an interrupt means the same from the first moment to the last."""

from __future__ import annotations

import os

from assistant.cli import INTERRUPTED


def run() -> int:
    """The installed command; gives the exit status."""
    try:
        from assistant.cli import signals  # imports are what an early interrupt falls into

        signals.end_at_once()
        from assistant.cli.main import main

        return main()
    except KeyboardInterrupt:
        os._exit(INTERRUPTED)
