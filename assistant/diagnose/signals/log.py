"""`log:` and `landmark:` signals, from the hits that the scan kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from assistant.diagnose.match import Match, Subject, cite, numbers
from assistant.diagnose.timeline import reference_time
from assistant.diagnose.view import View
from assistant.evidence.types import Hit
from assistant.job.types import LogFile
from assistant.rules.types import EventSignal, LogSignal


def matches(signal: LogSignal, key: str, view: View) -> Iterator[Match]:
    """One match for every kept hit, of every rank that it names.

    Args:
        key: of the signal's patterns among the hits, `<rule id>/<signal>`.
    """
    found = _matches(signal, key, view)
    if signal.differs is not None:
        found = iter(rarer(signal, list(found)))
    return found if signal.earliest is None else iter(first(list(found), signal.earliest, view))


def _matches(signal: LogSignal, key: str, view: View) -> Iterator[Match]:
    for file, hits, count in view.hits(key, signal.roles):
        if count < signal.at_least:
            continue
        if signal.missing_from is not None:
            yield from _missing(signal, file, hits, count, view)
            continue
        for hit, stands_for in _counted(hits, count):
            values = dict(hit.captures)
            if signal.pid_from in values:  # the process that the line is about, not its writer
                values["pid"] = values[signal.pid_from or ""]
            for subject in _whom(signal, file, hit, values, view):
                yield _match(file, hit, subject, values, stands_for)


def _missing(signal: LogSignal, file: LogFile, hits: Sequence[Hit], count: int,
             view: View) -> Iterator[Match]:
    """One match for every rank that is in none of the lists of a file: a long list takes several
    lines. Where some of them were not kept, or nobody is in them, they tell nothing."""
    capture = signal.missing_from or ""
    listed = [hit for hit in hits if dict(hit.captures).get(capture)]
    there = {rank for hit in listed
             for rank in _ranks(signal, capture, dict(hit.captures), view)}
    if not there or count > len(hits):
        return
    first = listed[0]
    for rank in _members(signal, dict(first.captures), view):
        if rank not in there:
            yield _match(file, first, rank, dict(first.captures), 1)


def rarer(signal: LogSignal, found: Sequence[Match]) -> list[Match]:
    """Matches whose capture `differs` is not the one of most others with the same captures
    `same`; of a tie all hold, since nobody can tell who is odd."""
    values: dict[tuple[str, ...], Counter[str]] = {}
    for match in found:
        mine = match.values.get(signal.differs or "")
        if mine is not None:
            values.setdefault(_alike(signal, match), Counter())[mine] += 1
    odd = []
    for match in found:
        mine, seen = match.values.get(signal.differs or ""), values.get(_alike(signal, match))
        if mine is None or seen is None or len(seen) < 2:
            continue
        (first, most), (_, next_most) = seen.most_common(2)
        if most == next_most or mine != first:
            odd.append(match)
    return odd


def first(found: Sequence[Match], margin: float, view: View) -> list[Match]:
    """The earliest matches of the job, and those at most `margin` seconds later on the common
    clock; all of them where no line has a time."""
    times = [reference_time(view, match) for match in found]
    known = [time for time in times if time is not None]
    if not known:
        return list(found)
    limit = min(known) + margin
    return [match for match, time in zip(found, times, strict=True)
            if time is not None and time <= limit]


def _alike(signal: LogSignal, match: Match) -> tuple[str, ...]:
    return tuple(match.values.get(name, "") for name in signal.same)


def landmark(name: str, view: View) -> Iterator[Match]:
    """One match for every kept hit of a landmark."""
    for file, hits, count in view.hits(f"landmark/{name}", ()):
        for hit, stands_for in _counted(hits, count):
            whom = view.subject(file, hit.rank, hit.pid, hit.event)
            yield _match(file, hit, whom, dict(hit.captures), stands_for)


def _counted(hits: Sequence[Hit], count: int) -> Iterator[tuple[Hit, int]]:
    """Each hit with the number of lines it stands for: the first also for those not kept."""
    for place, hit in enumerate(hits):
        yield hit, 1 if place else 1 + max(0, count - len(hits))


def waits(signal: LogSignal | EventSignal, found: Match, view: View) -> Iterator[tuple[int, int]]:
    """(waiter, awaited) ranks that a match of a signal with `waits_for:` states."""
    if not isinstance(found.subject, int):
        return
    if signal.waits_for and signal.waits_for in found.values:
        for rank in _ranks(signal, signal.waits_for, found.values, view):
            if rank != found.subject:
                yield found.subject, rank
    device_capture = signal.waits_for_device if isinstance(signal, LogSignal) else None
    if device_capture and device_capture in found.values:
        for device in numbers(found.values[device_capture]):
            awaited = view.rank_of_device(found.node, device)
            if awaited is not None and awaited != found.subject:
                yield found.subject, awaited


def named_ranks(signal: LogSignal | EventSignal, values: Mapping[str, str], node: str,
                view: View) -> tuple[int, ...] | None:
    """Ranks that a capture names, None if the signal names them by none."""
    if signal.rank_from is not None:
        listed = _ranks(signal, signal.rank_from, values, view)
        return _counted_ranks(signal, listed, view) if isinstance(signal, LogSignal) else listed
    if not isinstance(signal, LogSignal):
        return None
    if signal.pid_from is not None:
        found = (view.by_pid.get((node, pid), view.by_pid.get((None, pid)))
                 for pid in numbers(values.get(signal.pid_from, "")))
        return tuple(rank for rank in found if rank is not None)
    at: str | None = node
    if signal.host_from is not None:
        at = view.node_at(values.get(signal.host_from, ""))
        if at is None:
            return ()
        if signal.device_from is None:
            return next((n.ranks for n in view.job.nodes if n.key == at), ())
    if signal.device_from is not None:
        devices = (view.rank_of_device(at or "", device)
                   for device in numbers(values.get(signal.device_from, "")))
        return tuple(rank for rank in devices if rank is not None)
    return None


def _ranks(signal: LogSignal | EventSignal, capture: str, values: Mapping[str, str],
           view: View) -> tuple[int, ...]:
    """The ranks that a capture lists; within a group they are positions, and of a group that
    nobody knows they tell nothing."""
    listed = numbers(values.get(capture, ""))
    if not isinstance(signal, LogSignal) or signal.group_from is None:
        return listed
    group = view.groups.get(values.get(signal.group_from, ""), ())
    return tuple(group[place] for place in listed if place < len(group))


def _strides(signal: LogSignal) -> bool:
    return (signal.rank_base, signal.rank_stride) != (0, 1)


def _counted_ranks(signal: LogSignal, listed: tuple[int, ...], view: View) -> tuple[int, ...]:
    """Numbers that stand for ranks (`rank_base`, `rank_stride`) as ranks of the job."""
    if not _strides(signal):
        return listed
    ranks = ((number - signal.rank_base) // signal.rank_stride for number in listed)
    return tuple(rank for rank in ranks if rank in view.by_subject)


def _members(signal: LogSignal, values: Mapping[str, str], view: View) -> Sequence[int]:
    """All ranks of the group that a signal names, else of the job."""
    if signal.group_from is not None:
        return view.groups.get(values.get(signal.group_from, ""), ())
    world = view.job.facts.get("world_size")
    return range(world) if isinstance(world, int) else [
        p.rank for p in view.job.ranks() if p.rank is not None]


def _whom(signal: LogSignal, file: LogFile, hit: Hit, values: dict[str, str],
          view: View) -> tuple[Subject, ...]:
    named = named_ranks(signal, values, file.node, view)
    if named or (named is not None and _strides(signal)):
        return named  # a number that stands for no rank is no number of the kind
    own = view.subject(file, hit.rank, hit.pid, hit.event)
    # Who is named but cannot be told must not be mistaken for the rank that names it.
    return (None,) if named is not None and isinstance(own, int) else (own,)


def _match(file: LogFile, hit: Hit, subject: Subject, values: dict[str, str],
           count: int) -> Match:
    event = (file.name, hit.event) if hit.event is not None else None
    if hit.pid is not None:
        values = {"pid": str(hit.pid), **values}
    return Match(subject, file.node, cite(file, hit.line, hit.time, hit.text), (), values,
                 hit.time, event, (), count)
