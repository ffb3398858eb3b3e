"""An account as JSON: the same facts, each sentence with the key of its kind."""

from __future__ import annotations

from typing import Any

from assistant.diagnose.types import Citation
from assistant.explain.types import Clause, Explanation, Group, Say, Seen, SignalWhy
from assistant.explain.words import Speech

#: Version of the layout.
VERSION = 1


def to_dict(account: Explanation, lang: str) -> dict[str, Any]:
    """The account as plain values; sentences in the language."""
    speech = Speech(lang)
    return {
        "version": VERSION, "lang": lang, "rule": account.rule, "source": account.source,
        "place": account.place, "status": account.status, "ranks": list(account.ranks),
        "each": "rank" if account.each_rank else "job",
        "why": [_say(said, speech) for said in account.above],
        "when": _clause(account.when) if account.when is not None else None,
        "signals": [_signal(signal, speech) for signal in account.signals],
        "needs": [{"subjects": list(need.subjects),
                   "changes": [{"signal": name, "must": "hold" if wanted else "not hold"}
                               for name, wanted in need.changes]} for need in account.needs],
    }


def _say(said: Say, speech: Speech) -> dict[str, Any]:
    return {"kind": said.key, "text": speech(said)}


def _clause(clause: Clause) -> dict[str, Any]:
    found: dict[str, Any] = {"text": clause.text, "holds": clause.holds}
    if clause.on is not None:
        found["on"] = list(clause.on)
    return {**found, "parts": [_clause(part) for part in clause.parts]}


def _signal(signal: SignalWhy, speech: Speech) -> dict[str, Any]:
    return {
        "name": signal.name, "spelled": signal.spelled, "holds": signal.holds,
        "asked": _say(signal.asked, speech) if signal.asked is not None else None,
        "groups": [_group(group, speech) for group in signal.groups],
        "not_counted": [_seen(seen, speech) for seen in signal.elsewhere],
    }


def _group(group: Group, speech: Speech) -> dict[str, Any]:
    return {"subjects": list(group.subjects), "holds": group.holds,
            "nearest": _seen(group.nearest, speech)}


def _seen(seen: Seen, speech: Speech) -> dict[str, Any]:
    return {"subject": seen.subject, **_say(seen.say, speech),
            "near_miss": _say(seen.near, speech) if seen.near is not None else None,
            "line": _quote(seen.quote)}


def _quote(quote: Citation | None) -> dict[str, Any] | None:
    return None if quote is None else {"file": quote.file, "line": quote.line,
                                       "text": quote.text}
