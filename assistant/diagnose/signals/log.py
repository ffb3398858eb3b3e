"""`log:` and `landmark:` signals, from the hits that the scan kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assistant.diagnose.match import Match, Subject, cite, numbers
from assistant.diagnose.view import View
from assistant.evidence.types import Hit
from assistant.job.types import LogFile
from assistant.rules.types import EventSignal, LogSignal


def matches(signal: LogSignal, key: str, view: View) -> Iterator[Match]:
    """One match for every kept hit, of every rank that it names.

    Args:
        key: of the signal's patterns among the hits, `<rule id>/<signal>`.
    """
    for file, hits, count in view.hits(key, signal.roles):
        if count < signal.at_least:
            continue
        for hit, stands_for in _counted(hits, count):
            values = dict(hit.captures)
            if signal.pid_from in values:  # the process that the line is about, not its writer
                values["pid"] = values[signal.pid_from or ""]
            for subject in _whom(signal, file, hit, values, view):
                yield _match(file, hit, subject, values, stands_for)


def landmark(name: str, view: View) -> Iterator[Match]:
    """One match for every kept hit of a landmark."""
    for file, hits, count in view.hits(f"landmark/{name}", ()):
        for hit, stands_for in _counted(hits, count):
            yield _match(file, hit, view.subject(file, hit.rank, hit.pid), dict(hit.captures),
                         stands_for)


def _counted(hits: Sequence[Hit], count: int) -> Iterator[tuple[Hit, int]]:
    """Each hit with the number of lines it stands for: the first also for those not kept."""
    for place, hit in enumerate(hits):
        yield hit, 1 if place else 1 + max(0, count - len(hits))


def waits(signal: LogSignal | EventSignal, found: Match, view: View) -> Iterator[tuple[int, int]]:
    """(waiter, awaited) ranks that a match of a signal with `waits_for:` states."""
    if not isinstance(found.subject, int):
        return
    if signal.waits_for and signal.waits_for in found.values:
        for rank in numbers(found.values[signal.waits_for]):
            if rank != found.subject:
                yield found.subject, rank
    device_capture = signal.waits_for_device if isinstance(signal, LogSignal) else None
    if device_capture and device_capture in found.values:
        for device in numbers(found.values[device_capture]):
            awaited = view.rank_of_device(found.node, device)
            if awaited is not None and awaited != found.subject:
                yield found.subject, awaited


def named_ranks(signal: LogSignal | EventSignal, values: dict[str, str], node: str,
                view: View) -> tuple[int, ...] | None:
    """Ranks that a capture names, None if the signal names them by none."""
    if signal.rank_from is not None:
        return numbers(values.get(signal.rank_from, ""))
    if not isinstance(signal, LogSignal):
        return None
    if signal.pid_from is not None:
        found = (view.by_pid.get((node, pid), view.by_pid.get((None, pid)))
                 for pid in numbers(values.get(signal.pid_from, "")))
        return tuple(rank for rank in found if rank is not None)
    if signal.device_from is not None:
        devices = (view.rank_of_device(node, device)
                   for device in numbers(values.get(signal.device_from, "")))
        return tuple(rank for rank in devices if rank is not None)
    return None


def _whom(signal: LogSignal, file: LogFile, hit: Hit, values: dict[str, str],
          view: View) -> tuple[Subject, ...]:
    named = named_ranks(signal, values, file.node, view)
    if named:
        return named
    own = view.subject(file, hit.rank, hit.pid)
    # Who is named but cannot be told must not be mistaken for the rank that names it.
    return (None,) if named is not None and isinstance(own, int) else (own,)


def _match(file: LogFile, hit: Hit, subject: Subject, values: dict[str, str],
           count: int) -> Match:
    event = (file.name, hit.event) if hit.event is not None else None
    if hit.pid is not None:
        values = {"pid": str(hit.pid), **values}
    return Match(subject, file.node, cite(file, hit.line, hit.time, hit.text), (), values,
                 hit.time, event, (), count)
