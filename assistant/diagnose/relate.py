"""Which finding explains which, by the rules' own `explains:`, and in what order they stand."""

from __future__ import annotations

import fnmatch
import math
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.diagnose.drafts import Draft
from assistant.diagnose.tiers import GENERAL_CODES, KNOWN_KINDS, tier_of
from assistant.diagnose.verdict import meaning
from assistant.job.types import Clock, Job
from assistant.rules.types import ErrorSignal, Relation, Rule

#: Seconds by which an explanation may come later than what it explains: consequences are
#: often printed before the process that caused them has written its own last words.
_LATE = 60.0
#: Seconds by which the clocks of two nodes are believed to differ at most where nothing that
#: both of them print tells it.
_UNKNOWN_CLOCK = 300.0

_SEVERITY = {"error": 0, "warning": 1, "info": 2}


def without_hidden(found: Sequence[Draft]) -> list[Draft]:
    """Findings that no other one hides: harmless lines, `unless:`, and error lines of a
    fallback beside something that ends a job."""
    kept = [draft for draft in found if not draft.rule.harmless]
    rules = {draft.rule.id: draft.rule for draft in kept}
    hidden = {rule.id for rule in rules.values()
              if any(hides(other, rule) for other in rules.values())}
    kept = [draft for draft in kept if draft.rule.id not in hidden]
    serious = any(meaning(d.rule) in ("failed", "hung") and not only_error_lines(d)
                  for d in kept)
    return [draft for draft in kept if not (serious and only_error_lines(draft))]


def hides(other: Rule, rule: Rule) -> bool:
    """Whether `rule` gives way to `other`; of two that give way to each other one stays."""
    if other.id == rule.id or not _named(rule.unless, other.id):
        return False
    return not _named(other.unless, rule.id) or (
        (-other.confidence, other.id) < (-rule.confidence, rule.id))


def only_error_lines(draft: Draft) -> bool:
    """Whether it is about nothing but error lines that nobody knows."""
    return draft.rule.fallback and all(
        isinstance(s, ErrorSignal) for s in draft.rule.signals.values())


def explainers(found: Sequence[Draft], job: Job) -> list[int | None]:
    """For each finding the index of the one that explains it, None for causes and notes.

    A finding never explains what explains it; where rules disagree the one higher in
    `by_likelihood` wins. The root of a chain is preferred over its middle.
    """
    edges = _edges(found, job)
    place = {index: i for i, index in enumerate(by_likelihood(found, edges))}
    parents: dict[int, list[int]] = {}
    for a, b in sorted(edges, key=lambda edge: (place[edge[0]], place[edge[1]])):
        if not _reaches(parents, a, b):
            parents.setdefault(b, []).append(a)
    return [_root(parents, b, place) if b in parents else None for b in range(len(found))]


def _edges(found: Sequence[Draft], job: Job) -> list[tuple[int, int]]:
    """(explaining, explained) indexes, by the rules and by what is known of ranks and times."""
    of_rule: dict[str, list[int]] = {}
    for index, draft in enumerate(found):
        of_rule.setdefault(draft.rule.id, []).append(index)
    rules = [found[indexes[0]].rule for indexes in of_rule.values()]
    edges: list[tuple[int, int]] = []
    for one in rules:
        for other in rules:
            relations = _relations(one, other)
            edges += [(a, b) for a in of_rule[one.id] for b in of_rule[other.id]
                      if any(_ranks_fit(r, found[a], found[b]) for r in relations)
                      and not _too_late(found[a], found[b], job)] if relations else []
    return edges


@dataclass(frozen=True, slots=True)
class Link:
    """One way in which a rule says that it explains another, asked of two of their findings.

    Attributes:
        relation: the entry of `explains:`; None: the catalogue of codes settles it.
        ranks_fit: whether `ranks:` of the entry holds.
        late: whether the explanation provably came after what it would explain.
    """

    relation: Relation | None
    ranks_fit: bool
    late: bool

    @property
    def holds(self) -> bool:
        """Whether the first finding explains the second in this way."""
        return self.ranks_fit and not self.late


def links(one: Draft, other: Draft, job: Job) -> list[Link]:
    """In which ways the first finding would explain the second, and whether it does."""
    late = _too_late(one, other, job)
    return [Link(r if r in one.rule.explains else None, _ranks_fit(r, one, other), late)
            for r in _relations(one.rule, other.rule)]


def by_likelihood(found: Sequence[Draft], edges: Sequence[tuple[int, int]]) -> list[int]:
    """Indexes of findings, the most likely root cause first.

    Severity, then whether it explains anything, then what is known by name before a
    fallback, then time, then confidence, then the place in the logs; the id settles the rest.
    """
    explaining = {a for a, _ in edges}

    def key(index: int) -> tuple[object, ...]:
        draft = found[index]
        time = draft.time if draft.time is not None else float("inf")
        return (_SEVERITY[draft.rule.severity], index not in explaining, draft.rule.fallback,
                time, -draft.rule.confidence, draft.place, draft.rule.id, draft.group)

    return sorted(range(len(found)), key=key)


def _relations(one: Rule, other: Rule) -> list[Relation]:
    """In which ways the first rule explains the other one.

    A note neither explains anything, since it is never blamed, nor needs an explanation.
    """
    if one.id == other.id or "info" in (one.severity, other.severity):
        return []
    settled = [Relation((other.id,))] if _outranks(one, other) else []
    return settled + [r for r in one.explains if _named(r.rules, other.id)]


def _outranks(one: Rule, other: Rule) -> bool:
    """Whether the catalogue itself settles it: a code that mostly follows from something
    else, or says little by itself, gives way to an error that names a cause; one that says
    nothing by itself to any other code."""
    if any(_named(relation.rules, one.id) for relation in other.explains):
        return False  # a process that aborts after an error of CANN explains none
    tier = tier_of(other)
    if tier == GENERAL_CODES:
        if one.severity == "error" and (2, 0.0) <= tier_of(one) < tier:
            return True  # of two codes the one that says something
        tier = KNOWN_KINDS
    return (other.usually in ("consequence", "either") and one.severity == "error"
            and one.usually in (None, "cause") and tier_of(one) < tier)


def _named(globs: Sequence[str], rule_id: str) -> bool:
    return any(fnmatch.fnmatchcase(rule_id, glob) for glob in globs)


def _ranks_fit(relation: Relation, explaining: Draft, explained: Draft) -> bool:
    """Whether `ranks:` of the relation holds; where a rank is unknown (a finding about the
    whole job or on a fragment that states none) it may be any."""
    if relation.ranks == "any":
        return True
    own, theirs = set(explaining.subjects), set(explained.subjects)
    if not own or not theirs or any(isinstance(s, str) for s in own ^ theirs):
        return True
    return bool(own & theirs) if relation.ranks == "same" else not theirs <= own


def _too_late(explaining: Draft, explained: Draft, job: Job) -> bool:
    """Whether the explanation provably came after what it would explain."""
    if explaining.time is None or explained.time is None:
        return False
    slack = _LATE
    if explaining.node != explained.node:
        slack += sum(_doubt(job.clocks.get(d.node, Clock())) for d in (explaining, explained))
    return explaining.time > explained.time + slack


def _doubt(clock: Clock) -> float:
    """Seconds by which a node's clock may be wrong."""
    return clock.error if math.isfinite(clock.error) else _UNKNOWN_CLOCK


def _reaches(parents: dict[int, list[int]], start: int, goal: int) -> bool:
    """Whether `goal` is among the explanations of `start`, or is it."""
    todo, seen = [start], set()
    while todo:
        index = todo.pop()
        if index == goal:
            return True
        if index not in seen:
            seen.add(index)
            todo += parents.get(index, [])
    return False


def _root(parents: dict[int, list[int]], index: int, place: dict[int, int]) -> int:
    """The most likely finding without an explanation above this one."""
    todo, seen, roots = list(parents[index]), set(), []
    while todo:
        above = todo.pop()
        if above in seen:
            continue
        seen.add(above)
        if above in parents:
            todo += parents[above]
        else:
            roots.append(above)
    return min(roots, key=lambda i: place[i])
