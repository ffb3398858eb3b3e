"""Why a finding is a cause, a consequence or a note, and why it stands where it stands."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.diagnose.drafts import Draft
from assistant.diagnose.judge import Judged
from assistant.diagnose.relate import Link, by_likelihood, links
from assistant.explain.types import Say

#: Failed explanations that are told of one finding.
_TOLD = 3


def role_of(judged: Judged, index: int) -> str:
    """`cause`, `consequence` or `note`, as the report calls it."""
    if judged.shown[index].rule.severity == "info":
        return "note"
    return "cause" if judged.above[index] is None else "consequence"


def order(judged: Judged) -> list[int]:
    """Indexes of what is shown, as the report orders it."""
    ranked = by_likelihood(judged.shown, _edges(judged))
    place = {"cause": 0, "consequence": 1, "note": 2}
    return sorted(ranked, key=lambda index: place[role_of(judged, index)])


def why_role(judged: Judged, index: int) -> Iterator[Say]:
    """What decides the role of one of `judged.shown`, and its place among the causes."""
    role, draft, above = role_of(judged, index), judged.shown[index], judged.above[index]
    if role == "note":
        yield Say("role.note")
    elif above is None:
        yield from _cause(judged, index)
    else:
        yield from _consequence(judged, draft, judged.shown[above])


def _cause(judged: Judged, index: int) -> Iterator[Say]:
    draft = judged.shown[index]
    yield Say("role.cause")
    told = 0
    for other in judged.shown:
        if other is draft or told == _TOLD:
            continue
        found = links(other, draft, judged.view.job)
        if found:
            told += 1
            yield _failed(other, found[0]) if not any(one.holds for one in found) else Say(
                "role.mutual", {"other": other.rule.id})
    explained = [judged.shown[i] for i, above in enumerate(judged.above) if above == index]
    if explained:
        names = dict.fromkeys(one.rule.id for one in explained)
        yield Say("role.explains", {"n": len(names), "others": ", ".join([*names][:4])})
    yield from _place(judged, index)


def _failed(other: Draft, link: Link) -> Say:
    """An explanation that the rules offer and that does not hold here."""
    values = {"other": other.rule.id, "ranks": link.relation.ranks if link.relation else "any"}
    return Say("role.late" if link.late else "role.ranks", values)


def _consequence(judged: Judged, draft: Draft, above: Draft) -> Iterator[Say]:
    direct = [(other, link) for other in judged.shown if other is not draft
              for link in links(other, draft, judged.view.job) if link.holds]
    own = next((link for other, link in direct if other is above), None)
    if own is not None:
        yield _explained("role.explained", above, own)
    else:  # a chain: whoever explains it is explained itself
        middle = next(((other, link) for other, link in direct), None)
        if middle is not None:
            yield _explained("role.explained", *middle)
        yield Say("role.chain", {"other": above.rule.id})
    if draft.time is not None and above.time is not None:
        seconds = draft.time - above.time
        yield Say("role.after" if seconds >= 0 else "role.before",
                  {"seconds": f"{abs(seconds):.3g}", "other": above.rule.id})


def _explained(key: str, other: Draft, link: Link) -> Say:
    if link.relation is None:
        return Say("role.settled", {"other": other.rule.id})
    return Say(key, {"other": other.rule.id, "globs": ", ".join(link.relation.rules[:4]),
                     "ranks": link.relation.ranks})


def _place(judged: Judged, index: int) -> Iterator[Say]:
    """What sets the cause apart from the one before it or behind it."""
    causes = [i for i in order(judged) if role_of(judged, i) == "cause"]
    place = causes.index(index)
    if len(causes) < 2:
        return
    first = place == 0
    one, other = (index, causes[1]) if first else (causes[place - 1], index)
    yield Say("role.first" if first else "role.behind",
              {"other": judged.shown[other if first else one].rule.id,
               **_decider(judged, one, other)})


def _decider(judged: Judged, one: int, other: int) -> dict[str, str]:
    """The first of the keys by which findings are ordered that tells the two apart."""
    explaining = {a for a in judged.above if a is not None}
    a, b = judged.shown[one], judged.shown[other]
    if a.rule.severity != b.rule.severity:
        return {"key": "severity"}
    if (one in explaining) != (other in explaining):
        return {"key": "explains"}
    if a.rule.fallback != b.rule.fallback:
        return {"key": "fallback"}
    if a.time != b.time:
        return {"key": "time"}
    return {"key": "confidence" if a.rule.confidence != b.rule.confidence else "id"}


def _edges(judged: Judged) -> list[tuple[int, int]]:
    return [(a, b) for b, a in enumerate(judged.above) if a is not None]
