"""What a signal does to a command: it ends at once, with all its processes.

An exception (Python's KeyboardInterrupt) would be lost where it falls into a callback of
native code or a finaliser, and shows a traceback where it falls into an import.
"""

from __future__ import annotations

import os
import signal
import sys

#: Ctrl-C, and what batch systems and service managers send.
NUMBERS = (signal.SIGINT, signal.SIGTERM)


def end_at_once() -> None:
    """From here on these signals end the program with status 128 + number. A signal that
    whoever started it has switched off (`nohup`, `&` in a script) stays so."""
    for number in NUMBERS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _end)


def _end(number: int, _frame: object) -> None:
    multiprocessing = sys.modules.get("multiprocessing")
    if multiprocessing is not None:
        for child in multiprocessing.active_children():
            child.kill()
    if sys.stderr is not None and sys.stderr.isatty():
        os.write(sys.stderr.fileno(), b"\r\x1b[K")  # a bar may stand there
    os._exit(128 + number)
