"""One source -> its evidence, or why it was not read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from assistant.evidence.keep import FULL, Keep
from assistant.evidence.types import FileEvidence, Skipped
from assistant.patterns import Engine
from assistant.rules.types import PatternSpec
from assistant.scan.scanner import scan_stream
from assistant.sources import LogSource
from assistant.sources.files import reason

#: What a source that does not tell its size is counted as, in bytes.
_UNKNOWN_SIZE = 1 << 22


def scan_source(source: LogSource, engine: Engine, specs: Sequence[PatternSpec],
                advance: Callable[[int], None] | None = None,
                keep: Keep = FULL) -> FileEvidence | Skipped:
    """Scan a source; never raises an Exception, since one bad file must not hide the others.

    Args:
        advance: called with the number of bytes read, now and then.
        keep: how much of it is kept.
    """
    try:
        with source.open() as stream:
            found = scan_stream(source.name, stream, engine, specs, mtime=source.mtime,
                                keep=keep, advance=advance)
        return replace(found, notes=(*source.notes, *found.notes)) if source.notes else found
    except Exception as error:
        return _refused(source, error)


def _refused(source: LogSource, error: Exception) -> Skipped:
    if isinstance(error, OSError):
        return Skipped(source.name, reason(error))
    return Skipped(source.name, "it could not be analysed, which is a fault of this program: "
                                f"{type(error).__name__}: {error}")


def scan_logs(source: LogSource, engine: Engine, specs: Sequence[PatternSpec],
              advance: Callable[[int], None] | None = None,
              keep: Keep = FULL) -> list[FileEvidence | Skipped]:
    """Scan a source, or the logs that it shows under heads; as scan_source."""
    if source.shown is None:
        return [scan_source(source, engine, specs, advance, keep)]
    from assistant.scan.sections import scan_shown  # such sources are the exception

    try:
        return [*scan_shown(source, source.shown, engine, specs, keep, advance)]
    except Exception as error:
        return [_refused(source, error)]


def size_of(source: LogSource) -> int:
    """Bytes of a source, a guess where it does not tell."""
    return _UNKNOWN_SIZE if source.size is None else source.size
