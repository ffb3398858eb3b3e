"""An account in a few lines, for a test of a rule that was not found."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.explain.types import Explanation, Group, SignalWhy
from assistant.explain.words import Speech
from assistant.render.quote import gist
from assistant.report.ranges import ranges

#: Groups of ranks told of one signal.
_GROUPS = 3


def brief(account: Explanation) -> list[str]:
    """A line for each signal, with the nearest miss below it; then what the condition lacks,
    or what keeps the finding out of the report. In English, as the linter speaks."""
    return list(_lines(account, Speech("en")))


def _lines(account: Explanation, speech: Speech) -> Iterator[str]:
    for signal in account.signals:
        yield f"signal {signal.name}: {'holds' if signal.holds else 'does not hold'}"
        yield from _signal(signal, speech)
    if account.status == "missing":
        yield ("the condition `when` does not hold"
               + (" on any one rank (`each: rank`)" if account.each_rank else ""))
        for need in account.needs[:1]:
            changes = " and ".join(
                speech("need.hold" if wanted else "need.not", name=name)
                for name, wanted in need.changes)
            yield f"it would, if {changes}" + (
                f" on {_who(need.subjects)}" if need.subjects else "")
    else:
        yield "the condition `when` holds"
        yield from (f"    {speech(said)}" for said in account.above)


def _signal(signal: SignalWhy, speech: Speech) -> Iterator[str]:
    if signal.asked is not None:
        yield f"    {speech(signal.asked)}"
    for group in signal.groups[:_GROUPS]:
        yield from _group(group, speech)
    for seen in signal.elsewhere:
        where = f"{seen.quote.file}:{seen.quote.line}: " if seen.quote is not None else ""
        yield f"    {where}matches, but does not count: {speech(seen.say)}"


def _group(group: Group, speech: Speech) -> Iterator[str]:
    nearest = group.nearest
    yield f"    {_who(group.subjects)}: {speech(nearest.say)}"
    quote = nearest.quote
    if nearest.near is not None and quote is not None:
        yield f"    nearest: {quote.file}:{quote.line}: {speech(nearest.near)}"
        yield f"        {gist(quote.text)[:200]}"


def _who(subjects: tuple[int | str, ...]) -> str:
    ranks = ranges([subject for subject in subjects if isinstance(subject, int)])
    names = [subject for subject in subjects if isinstance(subject, str)]
    return ", ".join([*([f"rank {ranks}"] if ranks else ()), *names]) or "the job"
