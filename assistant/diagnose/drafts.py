"""From a rule that holds to a finding: whom it is about, its proof, its values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from assistant.diagnose.absence import missing
from assistant.diagnose.evaluate import holds, holds_on, positive_names
from assistant.diagnose.holding import Holding
from assistant.diagnose.match import Match, Subject, in_order
from assistant.diagnose.timeline import reference_time
from assistant.diagnose.types import Citation
from assistant.diagnose.view import View
from assistant.rules.types import EventSignal, Rule

#: Quoted lines kept of one finding, and of them those that show one rank each before the
#: details of the first matches.
QUOTES, _FIRST_QUOTES, _DETAILED = 20, 8, 4
#: Findings that one rule makes by `group_by:` at most; what is beyond is told together.
_GROUPS = 50
#: Values by which findings of fallback rules are told apart: the value, and its shape.
_SHAPES = {"message_shape": "message", "line_shape": "line_text"}


@dataclass(frozen=True, slots=True)
class Draft:
    """A finding before causes and consequences are told apart.

    Attributes:
        rule: the rule that holds.
        subjects: whom it is about; empty: the job as a whole.
        matches: what it is blamed on, the most telling first.
        support: matches of the other signals that hold.
        time: of the earliest match on the reference clock; node: on which it stands.
        group: the values that set it apart from its siblings of the same rule.
        asides: matches of optional signals, which tell more and claim nothing.
        absent, named: as for a Finding.
    """

    rule: Rule
    subjects: tuple[int | str, ...]
    matches: tuple[Match, ...]
    support: tuple[Match, ...]
    time: float | None
    node: str = ""
    group: tuple[str, ...] = ()
    asides: tuple[Match, ...] = ()
    absent: tuple[str, ...] = ()
    named: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def ranks(self) -> tuple[int, ...]:
        """Global ranks, sorted."""
        return tuple(sorted(s for s in self.subjects if isinstance(s, int)))

    @property
    def place(self) -> tuple[str, int]:
        """File and line of the first quoted match, the last of all places where there is none."""
        return next(((m.citation.file, m.citation.line) for m in self.matches
                     if m.citation is not None), (chr(0x10FFFF), 0))

    @property
    def first_rank(self) -> int | None:
        """The rank of the most telling match that is about one."""
        return next((m.subject for m in self.matches if isinstance(m.subject, int)), None)


def drafts(rule: Rule, holdings: Mapping[str, Holding], view: View) -> list[Draft]:
    """The findings of a rule, none if its condition does not hold."""
    support = [m for name in positive_names(rule.when) if holdings[name].true
               for m in holdings[name].matches]
    if rule.each == "rank":
        subjects = {s for s in asked_of(holdings, view) if holds_on(rule.when, holdings, s)}
        if not subjects:
            return []
        blamed = _matches_on(rule, holdings, subjects, view)
        support = [m for m in support if m.subject in subjects or m.subject is None]
    elif holds(rule.when, holdings):
        blamed = [m for name in rule.blame or positive_names(rule.when) if holdings[name].true
                  for m in holdings[name].matches]
    else:
        return []
    own = {id(m) for m in blamed}
    support = [m for m in support if id(m) not in own]
    asides = tuple(m for name in rule.optional if holdings[name].true
                   for m in holdings[name].matches)
    absent = missing(rule, holdings)
    named = {name: ranks for name, holding in holdings.items() if holding.true
             and (ranks := tuple(sorted(s for s in holding.subjects if isinstance(s, int))))}
    return [replace(_draft(rule, group, matches, support, view), asides=asides, absent=absent,
                    named=named)
            for group, matches in _groups(rule, blamed).items()]


def asked_of(holdings: Mapping[str, Holding], view: View) -> set[Subject]:
    """The ranks that a rule is asked for: those with a log, and those its signals name; the
    job as a whole only where there are none."""
    asked = set[Subject]().union(view.subjects, *(h.subjects for h in holdings.values()))
    return asked - {None} or asked


def _matches_on(rule: Rule, holdings: Mapping[str, Holding], subjects: set[Subject],
                view: View) -> list[Match]:
    """What a rule that is asked for each rank is blamed on: all of them have a match."""
    matches = [m for name in rule.blame or positive_names(rule.when)
               for m in holdings[name].matches if m.subject in subjects]
    # A rank found by what is missing from its log has no match of its own to show.
    bare = subjects - {m.subject for m in matches}
    return matches + [Match(s, view.node_of(s, ""), None) for s in in_order(bare)]


def _groups(rule: Rule, matches: list[Match]) -> dict[tuple[str, ...], list[Match]]:
    """Matches that belong to one finding; each different exception is its own."""
    by = rule.group_by
    if not by and rule.fallback and any(
            isinstance(s, EventSignal) for s in rule.signals.values()):
        by = ("type", "message_shape")
    groups: dict[tuple[str, ...], list[Match]] = {}
    for match in matches:
        groups.setdefault(tuple(_value(match, name) for name in by), []).append(match)
    if len(groups) > _GROUPS:
        order = sorted(groups, key=lambda key: (-len(groups[key]), key))
        rest = [m for key in order[_GROUPS - 1:] for m in groups[key]]
        groups = {key: groups[key] for key in order[:_GROUPS - 1]}
        groups[("…",) * len(by)] = rest
    return groups or {(): []}


def _value(match: Match, name: str) -> str:
    return _shape(match.values.get(_SHAPES[name], "")) if name in _SHAPES else (
        match.values.get(name, ""))


@lru_cache(maxsize=4096)
def _shape(text: str) -> str:
    from assistant.logtext import template

    return template.shape(text)


def _draft(rule: Rule, group: tuple[str, ...], matches: list[Match], support: list[Match],
           view: View) -> Draft:
    # What is missing has no time of its own: then it is known since the rest is.
    time, node = _earliest(matches, view) or _earliest(support, view) or (None, "")
    return Draft(rule, tuple(in_order({m.subject for m in matches})),
                 tuple(sorted(matches, key=lambda m: _precedence(m, view))), tuple(support),
                 time, node, group)


def _earliest(matches: list[Match], view: View) -> tuple[float, str] | None:
    """(time on the reference clock, node) of the earliest match that has a time."""
    return min(((time, match.node) for match in matches
                if (time := reference_time(view, match)) is not None), default=None)


def _precedence(match: Match, view: View) -> tuple[bool, float, bool, int, str, int]:
    """What can be quoted first, then the earliest; rank, file and line settle the rest."""
    time = reference_time(view, match)
    quote, rank = match.citation, match.subject if isinstance(match.subject, int) else None
    return (quote is None, time if time is not None else float("inf"), rank is None, rank or 0,
            quote.file if quote else "", quote.line if quote else 0)


def quotes(draft: Draft, view: View) -> tuple[Citation, ...]:
    """The lines to quote, no line twice: first one a rank, with what stands beside the
    earliest of them, then the rest of the proof."""
    first: list[Citation] = []
    rest: list[Citation] = []
    quoted: set[Subject] = set()
    for match in (*draft.matches, *draft.support):
        if match.citation is not None:
            (rest if match.subject in quoted else first).append(match.citation)
            quoted.add(match.subject)
    details = [c for match in draft.matches[:_DETAILED] for c in _details(match, view)]
    chosen: dict[tuple[str, int], Citation] = {}
    aside = [m.citation for m in draft.asides if m.citation is not None]
    for quote in (*first[:_FIRST_QUOTES], *details, *aside[:_DETAILED],
                  *first[_FIRST_QUOTES:], *rest):
        chosen.setdefault((quote.file, quote.line), quote)
    return tuple(chosen.values())[:QUOTES]


def beside(draft: Draft, view: View) -> tuple[Citation, ...]:
    """Errors that were printed together with what a finding about an error quotes first."""
    first = next((m.citation for m in draft.matches if m.citation is not None), None)
    return view.beside(first) if first is not None and draft.rule.severity == "error" else ()


def _details(match: Match, view: View) -> list[Citation]:
    """Further lines of a match, and those of the event that holds it."""
    event = view.event(match.event)
    if event is None or match.event is None:
        return list(match.more)
    return [*match.more, *(Citation(match.event[0], line, event.time, text)
                           for line, text in event.quotes)]


def codes_of(draft: Draft, quoted: Iterable[Citation], view: View) -> tuple[str, ...]:
    """The error codes in what a finding rests on, in order, and in what it quotes."""
    from assistant.logtext import codes

    found: dict[str, None] = {}
    for match in (*draft.matches, *draft.support):
        event = view.event(match.event)
        found |= dict.fromkeys((*match.codes, *(event.codes if event is not None else ())))
    for quote in quoted:
        found |= dict.fromkeys(codes.find(quote.text))
    return tuple(found)
