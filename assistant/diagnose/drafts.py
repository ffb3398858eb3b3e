"""From a rule that holds to a finding: whom it is about, its proof, its values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from assistant.diagnose.evaluate import holds, holds_on, positive_names
from assistant.diagnose.holding import Holding
from assistant.diagnose.order import reference_time
from assistant.diagnose.types import Citation
from assistant.diagnose.view import Match, Subject, View
from assistant.rules.types import EventSignal, Rule

#: Quoted lines kept of one finding.
_QUOTES = 20


@dataclass(frozen=True, slots=True)
class Draft:
    """A finding before causes and consequences are told apart.

    Attributes:
        rule: the rule that holds.
        subjects: whom it is about; empty: the job as a whole.
        matches: what it is blamed on, the most telling first.
        support: matches of the other signals that hold.
        time: of the earliest match on the reference clock.
        group: the values that set it apart from its siblings of the same rule.
    """

    rule: Rule
    subjects: tuple[int | str, ...]
    matches: tuple[Match, ...]
    support: tuple[Match, ...]
    time: float | None
    group: tuple[str, ...] = ()

    @property
    def ranks(self) -> tuple[int, ...]:
        """Global ranks, sorted."""
        return tuple(sorted(s for s in self.subjects if isinstance(s, int)))


def drafts(rule: Rule, holdings: Mapping[str, Holding], view: View) -> list[Draft]:
    """The findings of a rule, none if its condition does not hold."""
    if rule.each == "rank":
        subjects: set[Subject] = {s for s in _asked(rule, holdings, view)
                                  if holds_on(rule.when, holdings, s)}
        if not subjects:
            return []
        chosen = [m for name in _blamed(rule, holdings)
                  for m in holdings[name].matches if m.subject in subjects or m.subject is None]
        known = {m.subject for m in chosen}
        # A rank found by what is missing from its log has no match of its own to show.
        chosen += [Match(s, view.node_of(s, ""), None) for s in _sorted(subjects - known)]
        chosen = [m for m in chosen if m.subject in subjects] or chosen
    else:
        if not holds(rule.when, holdings):
            return []
        chosen = [m for name in _blamed(rule, holdings) for m in holdings[name].matches]
    support = [m for name in positive_names(rule.when) if holdings[name].true
               for m in holdings[name].matches]
    return [_draft(rule, group, matches, support, view)
            for group, matches in _groups(rule, chosen).items()]


def _asked(rule: Rule, holdings: Mapping[str, Holding], view: View) -> Iterable[Subject]:
    """The ranks that a rule is asked for: those with a log, and those its signals name."""
    named = {m.subject for h in holdings.values() for m in h.matches}
    asked = view.subjects | named
    return [s for s in asked if s is not None] or ([None] if None in asked else [])


def _blamed(rule: Rule, holdings: Mapping[str, Holding]) -> list[str]:
    names = rule.blame or positive_names(rule.when)
    if rule.each == "rank":
        return [n for n in names if holdings[n].matches]
    return [n for n in names if holdings[n].true]


def _groups(rule: Rule, matches: list[Match]) -> dict[tuple[str, ...], list[Match]]:
    """Matches that belong to one finding; each different exception is its own."""
    by = rule.group_by
    if not by and rule.fallback and any(
            isinstance(s, EventSignal) for s in rule.signals.values()):
        by = ("type", "message_shape")
    groups: dict[tuple[str, ...], list[Match]] = {}
    for match in matches:
        key = tuple(_value(match, name) for name in by)
        groups.setdefault(key, []).append(match)
    return groups or {(): []}


def _value(match: Match, name: str) -> str:
    from assistant.logtext import template

    if name.endswith("_shape"):
        source = {"message_shape": "message", "line_shape": "line_text"}[name]
        return template.shape(match.values.get(source, ""))
    return match.values.get(name, "")


def _draft(rule: Rule, group: tuple[str, ...], matches: list[Match], support: list[Match],
           view: View) -> Draft:
    subjects = {m.subject for m in matches} - {None}
    times = [t for m in matches if (t := reference_time(view, m)) is not None]
    ordered = sorted(matches, key=lambda m: _rank_key(m, view))
    own = {id(m) for m in matches}
    return Draft(rule, tuple(_sorted(subjects)), tuple(ordered),
                 tuple(m for m in support if id(m) not in own),
                 min(times) if times else None, group)


def _rank_key(match: Match, view: View) -> tuple[bool, float, str, int]:
    time = reference_time(view, match)
    quote = match.citation
    return (quote is None, time if time is not None else float("inf"),
            quote.file if quote else "", quote.line if quote else 0)


def _sorted(subjects: Iterable[Subject]) -> list[int | str]:
    known = [s for s in subjects if s is not None]
    return sorted(known, key=lambda s: (isinstance(s, str), s if isinstance(s, int) else 0,
                                        str(s)))


def quotes(draft: Draft) -> tuple[Citation, ...]:
    """The lines to quote: first one a rank, then the rest of the proof, no line twice."""
    first: list[Citation] = []
    rest: list[Citation] = []
    quoted: set[Subject] = set()
    for match in (*draft.matches, *draft.support):
        if match.citation is None:
            continue
        (rest if match.subject in quoted else first).append(match.citation)
        quoted.add(match.subject)
    more = [c for match in draft.matches[:4] for c in match.more]
    chosen = [*first[:8], *more, *first[8:], *rest]
    seen: set[tuple[str, int]] = set()
    kept = [c for c in chosen if (c.file, c.line) not in seen
            and not seen.add((c.file, c.line))]  # type: ignore[func-returns-value]
    return tuple(kept[:_QUOTES])
