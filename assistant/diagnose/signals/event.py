"""`exception:`, `block:`, `error:` and `code:` signals, from the events and error lines of
the scan."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Iterator

from assistant.diagnose.match import Match, Subject, cite
from assistant.diagnose.search import search
from assistant.diagnose.signals.log import named_ranks
from assistant.diagnose.view import View
from assistant.evidence.types import ErrorLine, Event, Hit
from assistant.job.types import LogFile
from assistant.rules.types import EVENT_KINDS, CodeSignal, ErrorSignal, EventSignal


def matches(signal: EventSignal, view: View) -> Iterator[Match]:
    """One match for every kept event that fits, of every rank that it names."""
    for alike in view.events(signal.kind):
        values = _fits(signal, alike.sample)
        if values is None:
            continue
        for file, event in alike.places:
            if event.repeats < signal.at_least or not view.role_counts(file, signal.roles):
                continue
            ranks = named_ranks(signal, values, file.node, view)
            whom = ranks if ranks else (view.subject(file, event.rank, event.pid, event.line),)
            for subject in whom:
                yield _match(file, event, values, subject)


def error_matches(signal: ErrorSignal, view: View) -> Iterator[Match]:
    """One match for every shape of error line that fits."""
    for file, error, hit in view.errors(signal.roles):
        values = _error_fits(signal, error, hit)
        if values is not None:
            yield Match(view.subject(file, hit.rank, hit.pid), file.node,
                        cite(file, hit.line, hit.time, hit.text), (), values, hit.time, None,
                        error.codes, error.count)


def code_matches(signal: CodeSignal, view: View) -> Iterator[Match]:
    """One match for every event and every shape of error line that holds one of the codes."""
    # Of the hundreds of codes that rules know, a job holds a handful.
    if fits_codes(signal.codes, view.codes) is None:
        return
    for kind in EVENT_KINDS:
        for alike in view.events(kind):
            code = fits_codes(signal.codes, alike.sample.codes)
            if code is None:
                continue
            values = {"code": code, "message": first_line(alike.sample.message)}
            for file, event in alike.places:
                if view.role_counts(file, signal.roles):
                    yield _match(file, event, values,
                                 view.subject(file, event.rank, event.pid, event.line))
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
        if signal.title.isidentifier() and signal.title not in event.title:
            return None  # most titles are plain names, found sooner than RE2 is asked
        # An exception's type is meant whole, with or without the module before it.
        wanted = (rf"^(?:[\w.]*\.)?(?:{signal.title})$" if signal.kind == "traceback"
                  else signal.title)
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
    # One look at the whole, in which `^` and `$` match at every line, rules most texts out.
    if search(f"(?m:{expression})", text) is None:
        return False
    for piece in (*text.split("\n"), text):
        found = search(expression, piece)
        if found is not None:
            values |= found
            return True
    return False


def _match(file: LogFile, event: Event, values: dict[str, str], subject: Subject) -> Match:
    line, text = next((q for q in event.quotes if q[0] == event.message_line),
                      event.quotes[0] if event.quotes else
                      (event.message_line, f"{event.title}: {first_line(event.message)}"))
    if event.pid is not None:
        values = {"pid": str(event.pid), **values}
    return Match(subject, file.node, cite(file, line, event.time, text), (), values, event.time,
                 (file.name, event.line), event.codes, event.repeats)


def first_line(message: str) -> str:
    """The first line of a message that says something."""
    return next((line.strip() for line in message.split("\n") if line.strip()), "")


def _error_fits(signal: ErrorSignal, error: ErrorLine, hit: Hit) -> dict[str, str] | None:
    """The values that the line gives if it fits the signal, else None."""
    values: dict[str, str] = {}
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
