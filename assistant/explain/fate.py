"""What stands above a rule's condition: what keeps its finding out of the report, or says in
what role it is told."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator, Sequence

from assistant.diagnose.drafts import Draft, drafts
from assistant.diagnose.judge import Judged
from assistant.diagnose.relate import hides, only_error_lines
from assistant.diagnose.tiers import tier_of
from assistant.diagnose.verdict import meaning
from assistant.diagnose.versions import applies
from assistant.explain.roles import role_of, why_role
from assistant.explain.types import Say
from assistant.rules.ruleset import RuleSet
from assistant.rules.types import Rule


def fate(rule: Rule, judged: Judged) -> tuple[str, tuple[Say, ...], tuple[int, ...]]:
    """The status of a rule (see types.STATUSES), what is to be said of it, and its ranks."""
    for index, draft in enumerate(judged.shown):
        if draft.rule.id == rule.id:
            own = [d.ranks for d in judged.shown if d.rule.id == rule.id]
            return (role_of(judged, index), tuple(why_role(judged, index)),
                    tuple(sorted({rank for ranks in own for rank in ranks})))
    for draft in judged.silenced:
        if draft.rule.id == rule.id:
            return "silenced", (), draft.ranks
    own_drafts = [draft for draft in judged.found if draft.rule.id == rule.id]
    if own_drafts:
        return "hidden", tuple(_hidden(rule, own_drafts, judged)), own_drafts[0].ranks
    if not applies(rule, judged.view.job):
        return "other-version", tuple(_versions(rule, judged)), ()
    whole = drafts(rule, judged.evaluator.holdings(rule), judged.view)
    if whole:
        return "hidden", tuple(_claimed(rule, whole, judged)), whole[0].ranks
    return "missing", (), ()


def changes_of(rule_id: str, rules: RuleSet) -> Iterator[Say]:
    """What packs have done to a rule, each with its place."""
    for change in rules.changes.get(rule_id, ()):
        yield Say(f"fate.{change.how}", {
            "pack": change.pack, "place": f"{change.position.file}:{change.position.line}",
            "earlier": change.earlier, "keys": ", ".join(change.keys), "until": change.until,
            "reason": change.reason})


def _hidden(rule: Rule, own: Sequence[Draft], judged: Judged) -> Iterator[Say]:
    """It was found, and taken out again."""
    if rule.harmless:
        yield Say("fate.harmless")
    others = {d.rule.id: d.rule for d in judged.found if not d.rule.harmless}
    for other in others.values():
        if hides(other, rule):
            glob = next(g for g in rule.unless if fnmatch.fnmatchcase(other.id, g))
            yield Say("fate.unless", {"other": other.id, "glob": glob})
    serious = next((d.rule.id for d in judged.shown
                    if meaning(d.rule) in ("failed", "hung") and not only_error_lines(d)), None)
    if serious is not None and all(map(only_error_lines, own)):
        yield Say("fate.error-lines", {"other": serious})


def _versions(rule: Rule, judged: Judged) -> Iterator[Say]:
    for product, wanted in rule.applies_to.items():
        yield Say("fate.version", {"product": product, "wanted": wanted,
                                   "found": judged.view.job.facts.get(product, "?")})


def _claimed(rule: Rule, whole: Sequence[Draft], judged: Judged) -> Iterator[Say]:
    """A last resort whose lines other findings rest on."""
    places = {(m.citation.file, m.citation.line) for d in whole for m in d.matches if m.citation}
    events = {m.event for d in whole for m in d.matches if m.event is not None}
    takers = [d for d in judged.found if tier_of(d.rule) < tier_of(rule) and any(
        m.event in events or (m.citation is not None
                              and (m.citation.file, m.citation.line) in places)
        for m in (*d.matches, *d.support))]
    names = list(dict.fromkeys(d.rule.id for d in takers))
    if names:
        yield Say("fate.claimed", {"others": ", ".join(names[:3]), "n": len(names)})
    else:
        yield Say("fate.claimed-lines")
