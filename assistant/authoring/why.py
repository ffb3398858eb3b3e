"""Why a rule was not found: which of its signals held, and what the others lacked."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.diagnose.drafts import drafts
from assistant.diagnose.evaluate import Evaluator, quantifier_of
from assistant.diagnose.holding import Holding
from assistant.diagnose.signals.metric import needed
from assistant.diagnose.signals.track import tracks
from assistant.diagnose.types import Diagnosis
from assistant.diagnose.versions import applies
from assistant.diagnose.view import View
from assistant.diagnose.waits import chain_ends
from assistant.report.ranges import ranges
from assistant.rules.types import LogSignal, MetricSignal, ReachedSignal, Rule, Signal, StateSignal

#: Ranks whose state is told.
_RANKS = 8


def why_not(rule: Rule, diagnosis: Diagnosis) -> list[str]:
    """A line for each signal of a rule that was not found, and one for what stands above the
    signals: an `unless`, versions, lines that others have claimed."""
    view = View(diagnosis.job)
    evaluator = Evaluator(view, chain_ends([rule], Evaluator(view)))
    holdings = evaluator.holdings(rule)
    told = []
    for name, signal in rule.signals.items():
        held = holdings[name]
        said = _held(held) if held.true else f"does not hold: {_lack(rule, name, held, view)}"
        told.append(f"signal {name}: {said}")
        if isinstance(signal, (ReachedSignal, StateSignal)) and not held.true:
            told.append("    ranks: " + (", ".join(
                f"{p.key} {p.state}, reached {p.phase or 'nothing'}"
                for p in diagnosis.job.processes[:_RANKS]) or "none"))
    return [*told, *_above(rule, diagnosis, bool(drafts(rule, holdings, view)))]


def _held(held: Holding) -> str:
    ranks = sorted(subject for subject in held.subjects if isinstance(subject, int))
    count = sum(match.count for match in held.matches)
    where = f" on rank {ranges(ranks)}" if ranks else ""
    return f"holds{where}" + (f", {count} times" if count > 1 else "")


def _lack(rule: Rule, name: str, held: Holding, view: View) -> str:
    """Why a signal does not hold."""
    signal = rule.signals[name]
    if held.matches:
        quantifier = quantifier_of(signal)
        ranks = sorted(subject for subject in held.subjects if isinstance(subject, int))
        asked = quantifier.kind if quantifier.kind not in ("count", "share") else (
            f"{quantifier.value:g}" if quantifier.kind == "count" else f"{quantifier.value:.0%}")
        return (f"found on rank {ranges(ranks) or '?'} of {len(view.subjects)} with a log, and "
                f"`ranks: {asked}` asks for others")
    if isinstance(signal, LogSignal):
        return _log(rule, name, view)
    if isinstance(signal, MetricSignal):
        return _metric(signal, view)
    return _kind(signal)


def _log(rule: Rule, name: str, view: View) -> str:
    key = f"{rule.id}/{name}"
    count = sum(file.evidence.hits[key].count for file in view.job.files
                if key in file.evidence.hits)
    if not count:
        return "no line matched"
    return (f"{count} line{'s' if count > 1 else ''} matched, but not as its other keys ask "
            "(in, level, component, inside, outside, at_least, before, after, within), or a "
            "process elsewhere printed it")


def _metric(signal: MetricSignal, view: View) -> str:
    """Steps that were found, and how many the test needs."""
    found = tracks(signal, view)
    names = " or ".join(signal.metric)
    if not found:
        rows = max((len(file.evidence.series.steps) for _, file in view.series), default=0)
        skipped = f" after the first {signal.skip_first}" if signal.skip_first else ""
        return f"no step with `{names}`{skipped} ({rows} step lines in all)"
    most = max(len(track.finite()) for track in found)
    skipped = f" after skip_first: {signal.skip_first}" if signal.skip_first else ""
    counted = (f"{most} step{'' if most == 1 else 's'} with a number for `{names}`{skipped}, "
               f"{needed(signal)} needed")
    alone = "; no other rank to compare with" if len(found) < 2 and "peers" in (
        signal.slower_than, signal.unlike) else ""
    return counted + alone + ("" if alone or most < needed(signal) else
                              "; the values do not fit the test")


def _kind(signal: Signal) -> str:
    return f"nothing in the logs fits ({type(signal).__name__.removesuffix('Signal').lower()})"


def _above(rule: Rule, diagnosis: Diagnosis, whole: bool) -> Iterator[str]:
    """What stands in the way of a rule whose condition holds."""
    import fnmatch

    if not whole:
        yield ("the condition `when` does not hold"
               + (" on any one rank (`each: rank`)" if rule.each == "rank" else ""))
        return
    yield "the condition `when` holds"
    if not applies(rule, diagnosis.job):
        yield "`applies_to` leaves it out: the logs state another version"
    for finding in diagnosis.findings:
        if any(fnmatch.fnmatchcase(finding.rule.id, glob) for glob in rule.unless):
            yield f"it gives way to {finding.rule.id}, which `unless` names"
    if rule.fallback:
        yield "it is a fallback: other findings have claimed its lines"
