"""`exception:`, `block:`, `error:` and `code:` signals: what there was instead."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any

from assistant.diagnose.holding import Holding
from assistant.diagnose.match import Subject, cite
from assistant.diagnose.signals import event as judged
from assistant.diagnose.types import Citation
from assistant.diagnose.view import View
from assistant.evidence.types import Event
from assistant.explain.types import Say, Seen
from assistant.job.types import LogFile
from assistant.rules.types import EVENT_KINDS, EventSignal

#: The keys of an event signal that can be left out one at a time, and what is asked then.
_KEYS = ("title", "message", "text", "frame", "where", "codes", "roles")
#: Kinds or codes that are listed.
_LISTED = 4


def seen(signal: EventSignal, holding: Holding, asked: Iterable[Subject],
         view: View) -> Iterator[Seen]:
    """What there was on each of the asked ranks: the events, or the one that fits all keys
    but one."""
    nearly = {key: _places(_without(signal, key), view) for key in _KEYS
              if getattr(signal, key) and not (key == "title" and signal.title == ".*")}
    present = _present(signal.kind, view)
    for subject in asked:
        if holding.on(subject):
            yield _found(holding, subject, "event.fits")
            continue
        near = next(((key, *places[subject]) for key, places in nearly.items()
                     if subject in places), None)
        if near is not None:
            key, quote, value = near
            own = getattr(signal, key)
            yield Seen(subject, False, Say("event.nearly", {"kind": signal.kind}), 1.0, quote,
                       Say("event.lacks", {"key": "code" if key == "codes" else
                                           "in" if key == "roles" else key,
                                           "asked": own if isinstance(own, str)
                                           else ", ".join(own), "found": value}))
        elif subject in present:
            titles, quote = present[subject]
            yield Seen(subject, False, Say("event.others", {
                "kind": signal.kind, "titles": _listed(titles)}), 0.5, quote)
        else:
            yield Seen(subject, False, Say("event.none", {"kind": signal.kind}))


def error_seen(holding: Holding, asked: Iterable[Subject], view: View) -> Iterator[Seen]:
    """For `error:`: an error line that does not fit, or none."""
    lines = {view.subject(file, hit.rank, hit.pid): cite(file, hit.line, hit.time, hit.text)
             for file, _, hit in reversed([*view.errors(())])}
    for subject in asked:
        if holding.on(subject):
            yield _found(holding, subject, "error.fits")
        elif subject in lines:
            yield Seen(subject, False, Say("error.others"), 0.5, lines[subject])
        else:
            yield Seen(subject, False, Say("error.none"))


def code_seen(holding: Holding, asked: Iterable[Subject], view: View) -> Iterator[Seen]:
    """For `code:`: the codes that were printed instead."""
    codes: dict[Subject, list[str]] = {}
    for kind in EVENT_KINDS:
        for file, one in _events(kind, view):
            codes.setdefault(view.subject(file, one.rank, one.pid), []).extend(one.codes)
    for file, error, hit in view.errors(()):
        codes.setdefault(view.subject(file, hit.rank, hit.pid), []).extend(error.codes)
    for subject in asked:
        if holding.on(subject):
            yield _found(holding, subject, "code.found")
        elif codes.get(subject):
            yield Seen(subject, False, Say("code.others", {"codes": _listed(codes[subject])}), 0.5)
        else:
            yield Seen(subject, False, Say("code.none"))


def _found(holding: Holding, subject: Subject, key: str) -> Seen:
    own = holding.of(subject)
    quote = next((m.citation for m in own if m.citation is not None), None)
    return Seen(subject, True, Say(key, {"n": sum(m.count for m in own)}), 0.0, quote)


def _without(signal: EventSignal, key: str) -> EventSignal:
    changes: dict[str, Any] = {key: () if key in ("codes", "roles") else None}
    return dataclasses.replace(signal, **changes)


def _places(signal: EventSignal, view: View) -> dict[Subject, tuple[Citation | None, str]]:
    """Whom the events that fit are about, each with its first line and what it is called."""
    found: dict[Subject, tuple[Citation | None, str]] = {}
    for match in judged.matches(signal, view):
        event = view.event(match.event)
        name = f"{event.title}: {judged.first_line(event.message)}" if event is not None else ""
        found.setdefault(match.subject, (match.citation, name[:120].rstrip(": ")))
    return found


def _present(kind: str, view: View) -> dict[Subject, tuple[list[str], Citation | None]]:
    """The titles of all events of a kind, by whom they are about."""
    found: dict[Subject, tuple[list[str], Citation | None]] = {}
    for file, event in _events(kind, view):
        subject = view.subject(file, event.rank, event.pid)
        line, text = event.quotes[0] if event.quotes else (event.line, event.title)
        titles, _ = found.setdefault(subject, ([], cite(file, line, event.time, text)))
        titles.append(event.title)
    return found


def _events(kind: str, view: View) -> Iterator[tuple[LogFile, Event]]:
    for alike in view.events(kind):
        yield from alike.places


def _listed(names: list[str]) -> str:
    unique = [*dict.fromkeys(names)]
    return ", ".join(unique[:_LISTED]) + (", ..." if len(unique) > _LISTED else "")
