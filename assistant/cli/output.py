"""Where text goes: standard output, a file written at once or not at all, standard error."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TextIO

from assistant import atomic
from assistant.errors import UsageError

#: Cells a line when nobody can be asked; and the most that a report is given.
WIDTH, WIDEST = 80, 100


def emit(text: str, file: str | None = None, *, private: bool = False) -> None:
    """Write text to `file` (atomically), or to standard output; a `private` file can be read by
    its owner only.

    A reader of standard output that went away is no error.

    Raises:
        UsageError: it cannot be written.
    """
    name = file if file and file != "-" else ""
    try:
        if name:
            _write_file(name, text, 0o600 if private else 0o666)
        elif sys.stdout is not None:
            escape_what_cannot_be_shown(sys.stdout)
            sys.stdout.write(text)
            sys.stdout.flush()
    except BrokenPipeError:
        forget_output()
    except OSError as error:
        if not name:
            forget_output()
        raise UsageError(f"{name or 'standard output'}: cannot be written: "
                         f"{error.strerror or error}") from error


def complain(message: str) -> None:
    """Say on standard error what is wrong."""
    if sys.stderr is None:
        return
    from assistant.guide.printable import printable

    lines = [printable(line) for line in message.split("\n")]
    sys.stderr.write("kbtriage: " + "\n".join(lines) + "\n")


def flush() -> None:
    """Write what `print` and argparse left in the buffer; a closed pipe is no error."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        forget_output()


def forget_output() -> None:
    """Send what is still buffered nowhere: Python flushes at exit and would complain then."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def use_colour(choice: str, file: str | None) -> bool:
    """Whether to colour, for `--color` of `auto`, `always` or `never`."""
    if choice != "auto":
        return choice == "always"
    return (not file and sys.stdout is not None and sys.stdout.isatty()
            and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb")


def width(file: str | None) -> int:
    """Cells a line for a report: that of the terminal within limits, else WIDTH."""
    if file or sys.stdout is None or not sys.stdout.isatty():
        return WIDTH
    try:
        return min(os.get_terminal_size(sys.stdout.fileno()).columns or WIDTH, WIDEST)
    except (OSError, ValueError):
        return WIDTH


def can_show(text: str, stream: TextIO | None) -> bool:
    """Whether the stream's encoding has all characters of the text."""
    try:
        text.encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def escape_what_cannot_be_shown(stream: TextIO) -> None:
    """From here on the stream writes characters that its encoding lacks as escapes."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


def _write_file(file: str, text: str, mode: int) -> None:
    with atomic.written(file, mode) as stream:
        stream.write(text.encode("utf-8"))
