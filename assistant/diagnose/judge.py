"""Every rule asked, and the findings told apart: what is shown, what is hidden, what explains
what. The diagnosis is made from it, and so is the account of why it came out so."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.diagnose.claims import Claims
from assistant.diagnose.drafts import Draft, drafts
from assistant.diagnose.evaluate import Evaluator
from assistant.diagnose.relate import explainers, without_hidden
from assistant.diagnose.tiers import LAST_TIER, tier_of
from assistant.diagnose.versions import applies
from assistant.diagnose.view import View
from assistant.diagnose.waits import chain_ends
from assistant.job.types import Job
from assistant.rules.ruleset import RuleSet


@dataclass(frozen=True)
class Judged:
    """What came of asking every rule.

    Attributes:
        rules: the rules that were in force.
        view, evaluator: the job as the rules were asked about it.
        found: a draft for each finding, hidden ones too, by tier.
        shown: those that are reported, without silenced ones.
        silenced: those that are noted only.
        above: for each of `shown` the index of the one that explains it, or None.
        claims: the lines and events that findings rest on.
    """

    rules: RuleSet
    view: View
    evaluator: Evaluator
    found: tuple[Draft, ...]
    shown: tuple[Draft, ...]
    silenced: tuple[Draft, ...]
    above: tuple[int | None, ...]
    claims: Claims


def judge(job: Job, rules: RuleSet) -> Judged:
    """Ask every rule about the job, in the order of tiers.py."""
    view = View(job)
    known = (*rules.rules, *rules.codes.rules_for(view.codes))
    wanted = sorted((r for r in known if applies(r, job)), key=lambda r: r.id)
    evaluator = Evaluator(view, chain_ends(wanted, Evaluator(view)))
    claims = Claims()
    found: list[Draft] = []
    asked = [(tier_of(rule), rule) for rule in wanted if evaluator.may_hold(rule)]
    for tier in sorted({tier for tier, _ in asked}):
        free = claims.free(view) if tier[0] else None
        new = [draft for own, rule in asked if own == tier
               for draft in drafts(rule, evaluator.holdings(rule, free), view)]
        if tier < LAST_TIER:
            claims.add(new)
        found += new
    kept = without_hidden(found)
    quiet = rules.silenced
    shown = tuple(d for d in kept if d.rule.id not in quiet)
    silenced = tuple(d for d in kept if d.rule.id in quiet)
    return Judged(rules, view, evaluator, tuple(found), shown, silenced,
                  tuple(explainers(shown, job)), claims)
