"""Evidence of lines that were numbered from 1, numbered as in the whole file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from assistant.evidence.series import Series
from assistant.evidence.types import ErrorLine, Event, FileEvidence, Frame, Hit, Line, PatternHits


def shifted(file: FileEvidence, by: int) -> FileEvidence:
    """The evidence of a part of a file before which `by` lines stand."""
    if not by:
        return file
    return replace(
        file,
        head=_lines(file.head, by),
        tail=_lines(file.tail, by),
        hits={key: _pattern(found, by) for key, found in file.hits.items()},
        events=tuple(_event(event, by) for event in file.events),
        errors=tuple(_error(error, by) for error in file.errors),
        series=_series(file.series, by),
        config_line=_known(file.config_line, by),
        time_lines=file.time_lines and (file.time_lines[0] + by, file.time_lines[1] + by))


def _known(line: int, by: int) -> int:
    """A number that is 0 where there is no such line."""
    return line + by if line else 0


def _lines(lines: Iterable[Line], by: int) -> tuple[Line, ...]:
    return tuple(replace(line, line=line.line + by) for line in lines)


def _hits(hits: Iterable[Hit], by: int) -> tuple[Hit, ...]:
    return tuple(replace(hit, line=hit.line + by,
                         event=None if hit.event is None else hit.event + by) for hit in hits)


def _pattern(found: PatternHits, by: int) -> PatternHits:
    return replace(found, hits=_hits(found.hits, by), distinct=_hits(found.distinct, by))


def _error(error: ErrorLine, by: int) -> ErrorLine:
    return replace(error, hits=_hits(error.hits, by))


def _frame(frame: Frame | None, by: int) -> Frame | None:
    return frame and replace(frame, at=frame.at + by)


def _event(event: Event, by: int) -> Event:
    return replace(
        event, line=event.line + by, end_line=event.end_line + by,
        message_line=event.message_line + by,
        innermost=_frame(event.innermost, by), user_frame=_frame(event.user_frame, by),
        chain=tuple((title, message, line + by) for title, message, line in event.chain),
        quotes=tuple((line + by, text) for line, text in event.quotes))


def _series(series: Series, by: int) -> Series:
    return replace(
        series, lines=[line + by for line in series.lines],
        texts={line + by: text for line, text in series.texts.items()},
        total_line=_known(series.total_line, by))
