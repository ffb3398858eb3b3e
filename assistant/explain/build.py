"""The account of one rule on one job, put together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assistant.diagnose.drafts import asked_of
from assistant.diagnose.evaluate import quantifier_of
from assistant.diagnose.holding import Holding
from assistant.diagnose.judge import Judged
from assistant.diagnose.match import Subject, in_order
from assistant.explain import events, lines, numbers, ranks
from assistant.explain.clauses import clause, needs
from assistant.explain.fate import changes_of, fate
from assistant.explain.probes import Probes, Scan, probe
from assistant.explain.spelling import spelled_signal
from assistant.explain.types import Explanation, Group, Say, Seen, SignalWhy
from assistant.rules.types import (
    CodeSignal,
    ConfigSignal,
    ErrorSignal,
    EventSignal,
    FactSignal,
    FileSignal,
    LandmarkSignal,
    LogSignal,
    MetricSignal,
    ReachedSignal,
    Rule,
    StateSignal,
)

#: Values of `ranks:` that ask for pipeline stages.
_STAGES = ("first-stage", "last-stage", "early-stages")
#: Kinds of file whose lines are about one rank each.
_OF_A_RANK = frozenset(("worker", "cann", "other"))
#: Values by which groups of ranks are told apart.
_TOLD_APART = ("state", "titles", "codes", "kind")


def account(rule: Rule, judged: Judged, scan: Scan | None = None) -> Explanation:
    """The account of a rule.

    Args:
        judged: what came of all rules on the job, this one among them.
        scan: looks at the logs once more for the lines that nearly match; None: they are
            not at hand.
    """
    view = judged.view
    holdings = judged.evaluator.holdings(rule)
    asked = sorted_subjects(asked_of(holdings, view))
    each = rule.each == "rank"
    status, above, on = fate(rule, judged)
    probes = probe(rule, scan) if scan is not None else Probes()
    signals = tuple(_signal(rule, name, holdings, judged, probes, asked) for name in rule.signals)
    missing = status == "missing"
    return Explanation(
        rule.id, rule.source, f"{rule.position.file}:{rule.position.line}", status,
        clause(rule.when, holdings, asked if each else None), each, signals,
        needs(rule, holdings, asked if each else None) if missing else (),
        (*above, *changes_of(rule.id, judged.rules)), on)


def sorted_subjects(subjects: set[Subject]) -> list[Subject]:
    """Ranks, then fragments; the job as a whole where there is neither."""
    return [*in_order(subjects)] or [None]


def _signal(rule: Rule, name: str, holdings: Mapping[str, Holding], judged: Judged,
            probes: Probes, asked: list[Subject]) -> SignalWhy:
    signal, holding = rule.signals[name], holdings[name]
    roles = set(getattr(signal, "roles", ()))
    if isinstance(signal, (FactSignal, ConfigSignal)) or (roles and not roles & _OF_A_RANK):
        asked = sorted_subjects({m.subject for m in holding.matches})
    found = list(_seen(rule, name, holding, judged, probes, asked))
    elsewhere: tuple[Seen, ...] = ()
    if isinstance(signal, LogSignal):
        elsewhere = tuple(lines.elsewhere(rule, name, signal, holding, judged.view, probes,
                                          holdings))
    return SignalWhy(name, spelled_signal(signal), holding.true,
                     _quantifier(rule, name, holding, judged), tuple(_groups(found)), elsewhere)


def _seen(rule: Rule, name: str, holding: Holding, judged: Judged, probes: Probes,
          asked: list[Subject]) -> Iterator[Seen]:
    signal, view = rule.signals[name], judged.view
    match signal:
        case LogSignal():
            return lines.seen(name, signal, holding, asked, view, probes)
        case EventSignal():
            return events.seen(signal, holding, asked, view)
        case ErrorSignal():
            return events.error_seen(holding, asked, view)
        case CodeSignal():
            return events.code_seen(holding, asked, view)
        case MetricSignal():
            return numbers.seen(signal, holding, asked, view)
        case StateSignal():
            return ranks.state_seen(signal, holding, asked, view)
        case ReachedSignal():
            return ranks.reached_seen(signal, holding, asked, view)
        case FactSignal() | ConfigSignal():
            return numbers.fact_seen(signal, holding, view)
        case LandmarkSignal():
            return ranks.plain_seen(signal.name, holding, asked)
        case FileSignal():
            return ranks.plain_seen(signal.condition, holding, asked)
        case _:
            return ranks.plain_seen(type(signal).__name__.removesuffix("Signal").lower(),
                                    holding, asked)


def _quantifier(rule: Rule, name: str, holding: Holding, judged: Judged) -> Say | None:
    """What `ranks:` asks for, where that is why a signal with matches does not hold, or where
    it asks for a stage and nobody tells the stages."""
    quantifier = quantifier_of(rule.signals[name])
    processes = judged.view.by_subject.values()
    if quantifier.kind in _STAGES and all(one.last_stage is None for one in processes):
        return Say("signal.no-stages")
    if holding.true or not holding.matches:
        return None
    asked = (f"{quantifier.value:g}" if quantifier.kind == "count" else
             f"{quantifier.value:.0%}" if quantifier.kind == "share" else quantifier.kind)
    found = {m.subject for m in holding.matches if m.subject is not None}
    return Say("signal.ranks", {"n": len(found), "all": len(judged.view.subjects | found),
                                "asked": asked})


def _groups(found: list[Seen]) -> Iterator[Group]:
    """Ranks of which the same is to be said; of each group the one that came nearest."""
    groups: dict[tuple[object, ...], list[Seen]] = {}
    for one in found:
        near = (one.near.key, one.near.values.get("part")) if one.near is not None else ()
        fixed = tuple(sorted((name, str(value)) for name, value in one.say.values.items()
                             if name in _TOLD_APART or (
                                 name == "phase" and one.say.key.startswith("reached."))))
        groups.setdefault((one.holds, one.say.key, *near, *fixed), []).append(one)
    for key in sorted(groups, key=lambda key: not key[0]):
        members = groups[key]
        yield Group(tuple(in_order(one.subject for one in members)), bool(key[0]),
                    max(members, key=lambda one: one.close))
