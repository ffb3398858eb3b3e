"""`exception:`, `block:` and `error:` signals, from the events and error lines of the scan."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Iterator

from assistant.diagnose.search import search
from assistant.diagnose.signals.log import named_ranks
from assistant.diagnose.view import Match, View, cite
from assistant.evidence.types import ErrorLine, Event
from assistant.job.types import LogFile
from assistant.rules.types import EVENT_KINDS, CodeSignal, ErrorSignal, EventSignal


def matches(signal: EventSignal, view: View) -> Iterator[Match]:
    """One match for every kept event that fits, of every rank that it names."""
    for file, event in view.events(signal.kind, signal.roles):
        if event.repeats < signal.at_least:
            continue
        values = _fits(signal, event)
        if values is None:
            continue
        ranks = named_ranks(signal, values, file.node, view)
        whom = ranks if ranks else (view.subject(file, event.rank, event.pid),)
        for subject in whom:
            yield _match(file, event, values, view, subject)


def error_matches(signal: ErrorSignal, view: View) -> Iterator[Match]:
    """One match for every shape of error line that fits."""
    for file, error in view.errors(signal.roles):
        values = _error_fits(signal, error)
        if values is None:
            continue
        hit = next(h for h in error.hits if h.line >= file.run_start)
        yield Match(view.subject(file, hit.rank, hit.pid), file.node,
                    cite(file, hit.line, hit.time, hit.text), (), values, hit.time, None,
                    error.codes, error.count)


def code_matches(signal: CodeSignal, view: View) -> Iterator[Match]:
    """One match for every event and every shape of error line that holds one of the codes."""
    for kind in EVENT_KINDS:
        for file, event in view.events(kind, signal.roles):
            code = fits_codes(signal.codes, event.codes)
            if code is not None:
                values = {"code": code, "message": first_line(event.message)}
                yield _match(file, event, values, view,
                             view.subject(file, event.rank, event.pid))
    yield from error_matches(ErrorSignal(codes=signal.codes, roles=signal.roles), view)


def fits_codes(wanted: Iterable[str], found: Iterable[str]) -> str | None:
    """The first found code that one of the wanted codes or globs names."""
    for code in found:
        if any(fnmatch.fnmatchcase(code, glob) for glob in wanted):
            return code
    return None


def _fits(signal: EventSignal, event: Event) -> dict[str, str] | None:
    """The values that the event gives if it fits the signal, else None."""
    values = {"type": event.title, "message": first_line(event.message)}
    if signal.codes:
        code = fits_codes(signal.codes, event.codes)
        if code is None:
            return None
        values["code"] = code
    elif event.codes:
        values["code"] = event.codes[0]
    if signal.title is not None:
        # An exception's type is meant whole, with or without the module before it.
        wanted = rf"^(?:[\w.]*\.)?(?:{signal.title})$"
        if not _search(wanted, event.title, values):
            return None
    frame = event.innermost
    if frame is not None:
        values |= {"frame_file": frame.file, "frame_line": str(frame.line),
                   "frame_function": frame.function}
    if signal.where is not None:
        own = frame is not None and event.user_frame == frame
        if own != (signal.where == "user"):
            return None
    if signal.frame is not None:
        place = f"{frame.file}:{frame.function}" if frame is not None else ""
        if not _search(signal.frame, place, values):
            return None
    if signal.message is not None and not _search(signal.message, event.message, values):
        return None
    if signal.text is not None and not _search(signal.text, _whole_text(event), values):
        return None
    return values


def _whole_text(event: Event) -> str:
    chain = [f"{kind}: {message}" for kind, message, _ in event.chain]
    blocks = [f"{title}\n{text}" for title, text in event.sections]
    return "\n".join([*chain, f"{event.title}: {event.message}", *blocks])


def _search(expression: str, text: str, values: dict[str, str]) -> bool:
    """Search the text line by line, then as a whole; named groups go to the values."""
    for piece in (*text.split("\n"), text):
        found = search(expression, piece)
        if found is not None:
            values |= found
            return True
    return False


def _match(file: LogFile, event: Event, values: dict[str, str], view: View,
           subject: int | str | None) -> Match:
    quotes = [cite(file, line, event.time, text) for line, text in event.quotes]
    place = next((i for i, q in enumerate(quotes) if q.line == event.message_line), 0)
    lead = quotes[place] if quotes else cite(file, event.message_line, event.time,
                                             f"{event.title}: {first_line(event.message)}")
    more = tuple(q for q in quotes if q.line != lead.line)
    if event.pid is not None:
        values = {"pid": str(event.pid), **values}
    return Match(subject, file.node, lead, more, values, event.time,
                 (file.name, event.line), event.codes, event.repeats)


def first_line(message: str) -> str:
    """The first line of a message that says something."""
    return next((line.strip() for line in message.split("\n") if line.strip()), "")


def _error_fits(signal: ErrorSignal, error: ErrorLine) -> dict[str, str] | None:
    values: dict[str, str] = {}
    hit = error.hits[0]
    if signal.components and hit.component not in signal.components:
        return None
    if signal.levels and hit.level not in signal.levels:
        return None
    if signal.codes:
        code = fits_codes(signal.codes, error.codes)
        if code is None:
            return None
        values["code"] = code
    if signal.text is not None and not _search(signal.text, hit.text, values):
        return None
    return {"line_text": hit.text.strip(), **values}
