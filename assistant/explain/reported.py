"""Why the findings of a report are told as they are: `kbtriage check --why`."""

from __future__ import annotations

from typing import Any

from assistant.diagnose.judge import Judged
from assistant.explain.as_json import to_dict
from assistant.explain.build import account
from assistant.explain.roles import order
from assistant.explain.text import text
from assistant.explain.types import Explanation
from assistant.explain.words import Speech


def accounts(judged: Judged) -> list[Explanation]:
    """An account of every rule that is reported, in the report's order, silenced ones last."""
    rules = {judged.shown[index].rule.id: judged.shown[index].rule for index in order(judged)}
    rules.update((draft.rule.id, draft.rule) for draft in judged.silenced)
    return [account(rule, judged) for rule in rules.values()]


def why_text(judged: Judged, lang: str, width: int) -> str:
    """The accounts one below the other, under a heading."""
    parts = [text(one, lang, width) for one in accounts(judged)]
    return "\n".join([Speech(lang)("head.why") + "\n", *parts]) if parts else ""


def why_json(judged: Judged, lang: str) -> list[dict[str, Any]]:
    """The accounts as plain values."""
    return [to_dict(one, lang) for one in accounts(judged)]
