"""The steps of a diagnosis, in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assistant.diagnose.drafts import QUOTES, Draft, beside, codes_of, quotes
from assistant.diagnose.judge import Judged, judge
from assistant.diagnose.relate import by_likelihood
from assistant.diagnose.types import Citation, Diagnosis, Finding
from assistant.diagnose.verdict import verdict
from assistant.diagnose.view import View
from assistant.job.types import Job
from assistant.rules.ruleset import RuleSet

#: So many lines above a quoted line that belongs to no event are read first.
_LINES_ABOVE = 10
#: Facts that are placeholders of every finding.
_FACTS = ("world_size", "total_steps", "master_addr", "master_port")


def run(job: Job, rules: RuleSet) -> Diagnosis:
    """See assistant.diagnose.diagnose."""
    return conclude(judge(job, rules))


def conclude(judged: Judged) -> Diagnosis:
    """The diagnosis that follows from what came of the rules."""
    view, silenced = judged.view, judged.rules.silenced
    notes = tuple(replace(_finding(d, "note", None, quotes(d, view), (), view),
                          silenced=silenced[d.rule.id]) for d in judged.silenced)
    causes, consequences = _by_role(judged.shown, judged.above)
    return Diagnosis(view.job, verdict(causes, consequences, view.job),
                     _findings(judged.shown, judged.above, view) + notes,
                     judged.claims.unexplained(view))


def _edges(above: Sequence[int | None]) -> list[tuple[int, int]]:
    return [(a, b) for b, a in enumerate(above) if a is not None]


def _by_role(shown: Sequence[Draft],
             above: Sequence[int | None]) -> tuple[list[Draft], list[Draft]]:
    """Causes and consequences, each in order of likelihood; notes are neither."""
    serious = [i for i in by_likelihood(shown, _edges(above)) if shown[i].rule.severity != "info"]
    return ([shown[i] for i in serious if above[i] is None],
            [shown[i] for i in serious if above[i] is not None])


def _findings(shown: Sequence[Draft], above: Sequence[int | None],
              view: View) -> tuple[Finding, ...]:
    order = by_likelihood(shown, _edges(above))
    own = {index: quotes(shown[index], view) for index in order}
    # The lines that each cause quotes: none of them stands beside another cause.
    taken = {index: _places(own[index]) for index in order if above[index] is None}
    groups: dict[str, list[Finding]] = {"cause": [], "consequence": [], "note": []}
    for index in order:
        draft, explained = shown[index], above[index]
        role = ("note" if draft.rule.severity == "info"
                else "cause" if explained is None else "consequence")
        by = shown[explained].rule.id if explained is not None and role != "note" else None
        told = _places(own[index]).union(*(taken[i] for i in taken if i != index))
        near = [quote for quote in beside(draft, view) if (quote.file, quote.line) not in told]
        near = near[:max(0, QUOTES - len(own[index]))]
        if index in taken:
            taken[index] |= _places(near)
        groups[role].append(_finding(draft, role, by, own[index], near, view))
    return tuple(f for role in ("cause", "consequence", "note") for f in groups[role])


def _places(quoted: Sequence[Citation]) -> set[tuple[str, int]]:
    return {(quote.file, quote.line) for quote in quoted}


def _finding(draft: Draft, role: str, by: str | None, evidence: tuple[Citation, ...],
             near: Sequence[Citation], view: View) -> Finding:
    """Args: near: what was printed together with the evidence."""
    ranks = draft.ranks
    nodes = {view.node_of(rank, "") for rank in ranks} if ranks else {
        m.node for m in draft.matches if m.citation is not None}
    return Finding(
        rule=draft.rule, role=role, explained_by=by,
        confidence=round(_confidence(draft, view), 2), ranks=ranks,
        nodes=tuple(sorted(nodes & view.node_names.keys())),
        codes=codes_of(draft, (*evidence, *near), view), evidence=evidence,
        values=_values(draft, evidence, view), time=draft.time,
        count=_count(draft), absent=draft.absent, named=draft.named,
        beside=tuple(near))


def _count(draft: Draft) -> int:
    """Lines and events behind it; one that names several ranks counts once."""
    counts = {(m.citation.file, m.citation.line): m.count
              for m in draft.matches if m.citation is not None}
    return max(1, sum(counts.values()))


def _confidence(draft: Draft, view: View) -> float:
    """The rule's own, less where logs are missing or the rule is a last resort."""
    known = view.job.ranks()
    missing = sum(p.state == "absent" for p in known)
    share = missing / len(known) if known and missing < len(known) else 0.0
    return draft.rule.confidence * (1.0 - 0.3 * share) * (0.8 if draft.rule.fallback else 1.0)


def _top(draft: Draft, quoted: Citation) -> int:
    """The line from which to read on, so that what led to a quoted line is seen, too: the first
    one of the event that holds it (a traceback ends, not begins, with its message)."""
    held = (m.event[1] for m in draft.matches
            if m.event is not None and m.citation is not None
            and (m.citation.file, m.citation.line) == (quoted.file, quoted.line))
    return next(held, max(1, quoted.line - _LINES_ABOVE))


def _values(draft: Draft, evidence: Sequence[Citation], view: View) -> dict[str, str]:
    """Placeholders: those of the first match that gives them, then of the finding as such."""
    values: dict[str, str] = {}
    for match in (*draft.matches, *draft.support, *draft.asides):
        for name, text in match.values.items():
            values.setdefault(name, text)
    if evidence:
        values |= {"file": evidence[0].file, "line": str(evidence[0].line),
                   "top": str(_top(draft, evidence[0]))}
    # All of them speak of one rank: that whose line is quoted first.
    rank = draft.first_rank
    if rank is not None:
        values["rank"] = str(rank)
        process = view.by_subject.get(rank)
        # The pid on a line may be that of the process that wrote it about another one.
        values.pop("pid", None)
        for name in ("pid", "local_rank", "device"):
            number = getattr(process, name, None)
            if number is not None:
                values[name] = str(number)
        if process is not None and process.files:
            values["rank_file"] = process.files[0]
        node = view.node_names.get(view.node_of(rank, ""))
        if node:
            values["node"] = node
    for name in _FACTS:
        if name in view.job.facts:
            values.setdefault(name, str(view.job.facts[name]))
    return values
