"""Which card a command of a step means, in words where the logs do not say it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from assistant.report.words import Words

#: A command on one card whose number is a placeholder with a stand-in.
_ON_CARD = re.compile(
    r"\b(?:npu-smi|hccn_tool)\b[^`;|\n]* -i \{(?P<name>\w+)\|(?P<stand_in>[A-Z]+)\}")


def said_which(steps: Sequence[str], values: Mapping[str, str], words: Words) -> tuple[str, ...]:
    """The steps, the first one with a command on a card that nothing names followed by how to
    find that card.

    Args:
        steps: not filled in yet.
        values: what they will be filled with.
    """
    told = list(steps)
    for place, step in enumerate(steps):
        for found in _ON_CARD.finditer(step):
            if not values.get(found["name"]):
                rank = values.get("rank")
                local = values.get("local_rank")
                key = "card.unknown" if rank is None else (
                    "card.of-rank" if local is None else "card.of-local-rank")
                how = words(key, card=found["stand_in"], rank=rank, local=local)
                told[place] = f"{step.rstrip()}{how}"
                return tuple(told)
    return tuple(told)
