"""Which finding explains which, by the rules' own `explains:`, and in what order they stand."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence

from assistant.diagnose.drafts import Draft
from assistant.diagnose.tiers import tier_of
from assistant.job.types import Job
from assistant.rules.types import ErrorSignal, Relation

#: Seconds by which an explanation may come later than what it explains: consequences are
#: often printed before the process that caused them has written its own last words.
_LATE = 60.0

_SEVERITY = {"error": 0, "warning": 1, "info": 2}


def without_hidden(found: Sequence[Draft]) -> list[Draft]:
    """Findings that no other one hides: harmless lines, `unless:`, error lines of a
    fallback beside a real error, and rules whose lines another finding rests on."""
    held = {draft.rule.id for draft in found if not draft.rule.harmless}
    serious = any(d.rule.severity == "error" and not _only_error_lines(d) and not d.rule.harmless
                  for d in found)
    return [draft for draft in found
            if not draft.rule.harmless
            and not any(_named(draft.rule.unless, other) for other in held - {draft.rule.id})
            and not (serious and _only_error_lines(draft))]


def _only_error_lines(draft: Draft) -> bool:
    return draft.rule.fallback and all(
        isinstance(s, ErrorSignal) for s in draft.rule.signals.values())


def explainers(found: Sequence[Draft], job: Job) -> list[int | None]:
    """For each finding the index of the one that explains it, None for causes and notes.

    A finding never explains what explains it; where rules disagree the one higher in
    `by_likelihood` wins. The root of a chain is preferred over its middle.
    """
    edges = [(a, b) for a, explaining in enumerate(found) for b, explained in enumerate(found)
             if a != b and _explains(explaining, explained, job)]
    order = by_likelihood(found, edges)
    place = {index: i for i, index in enumerate(order)}
    parents: dict[int, list[int]] = {}
    for a, b in sorted(edges, key=lambda edge: (place[edge[0]], place[edge[1]])):
        if not _reaches(parents, a, b):
            parents.setdefault(b, []).append(a)
    return [_root(parents, b, place) if b in parents else None for b in range(len(found))]


def by_likelihood(found: Sequence[Draft], edges: Sequence[tuple[int, int]]) -> list[int]:
    """Indexes of findings, the most likely root cause first.

    Severity, then whether it explains anything, then what is known by name before a
    fallback, then time, then confidence; the id settles the rest.
    """
    explaining = {a for a, _ in edges}

    def key(index: int) -> tuple[object, ...]:
        draft = found[index]
        time = draft.time if draft.time is not None else float("inf")
        return (_SEVERITY[draft.rule.severity], index not in explaining, draft.rule.fallback,
                time, -draft.rule.confidence, draft.rule.id, draft.group)

    return sorted(range(len(found)), key=key)


def _explains(explaining: Draft, explained: Draft, job: Job) -> bool:
    if explained.rule.severity == "info":
        return False
    if _outranked_code(explaining, explained):
        return not _too_late(explaining, explained, job)
    return any(_named(relation.rules, explained.rule.id)
               and _ranks_fit(relation, explaining, explained)
               for relation in explaining.rule.explains) and not _too_late(
                   explaining, explained, job)


def _outranked_code(explaining: Draft, explained: Draft) -> bool:
    """Whether the catalogue itself settles it: a code that mostly follows from something
    else, or says little by itself, gives way to an error that names a cause."""
    if explained.rule.usually not in ("consequence", "either"):
        return False
    return (explaining.rule.severity == "error" and explaining.rule.usually in (None, "cause")
            and tier_of(explaining.rule) < tier_of(explained.rule))


def _named(globs: Sequence[str], rule_id: str) -> bool:
    return any(fnmatch.fnmatchcase(rule_id, glob) for glob in globs)


def _ranks_fit(relation: Relation, explaining: Draft, explained: Draft) -> bool:
    if relation.ranks == "any" or not explaining.subjects or not explained.subjects:
        return True
    own, theirs = set(explaining.subjects), set(explained.subjects)
    return bool(own & theirs) if relation.ranks == "same" else not theirs <= own


def _too_late(explaining: Draft, explained: Draft, job: Job) -> bool:
    """Whether the explanation provably came after what it would explain."""
    if explaining.time is None or explained.time is None:
        return False
    nodes = {m.node for m in (*explaining.matches, *explained.matches)}
    errors = [job.clocks[n].error for n in nodes if n in job.clocks] if len(nodes) > 1 else []
    slack = _LATE + sum(errors)
    return explaining.time > explained.time + slack


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
