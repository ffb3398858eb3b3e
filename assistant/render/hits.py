"""What a search found, for a terminal and as JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from assistant.guide.printable import printable
from assistant.guide.search import Hit
from assistant.render.cells import wrap
from assistant.render.style import Style
from assistant.report.words import Words

SCHEMA = "kbtriage.search/1"
#: Lines of a passage.
_LINES = 2
_INDENT = "    "


def terminal(hits: Sequence[Hit], lang: str, cells: int = 80, colour: bool = False) -> str:
    """The hits one below the other: title, the passage that fits, the command that shows more."""
    words, style = Words(lang), Style(colour)
    margin = len(f"{len(hits)}. ")
    lines: list[str] = []
    for number, hit in enumerate(hits, 1):
        head = f"{number}. ".rjust(margin)
        for index, line in enumerate(wrap(printable(hit.title), max(cells, 40) - margin)):
            lines.append((head if index == 0 else " " * margin) + style("bold", line))
        passage = f"{hit.section}: {hit.passage}" if hit.section and hit.passage else hit.passage
        if hit.rule is not None:
            passage = f"{words('search.recognised', rule=hit.rule)} {passage}"
        lines += [_INDENT + line for line in
                  wrap(printable(passage), max(cells, 40) - len(_INDENT), lines=_LINES)]
        command = words("more.code", code=hit.id) if hit.kind == "code" else words(
            "more.article", article=hit.id)
        lines.append(_INDENT + style("cyan", command))
    return "\n".join(lines) + "\n" if lines else ""


def to_dict(hits: Sequence[Hit], query: str, lang: str) -> dict[str, Any]:
    """The same for programs. A hit that a rule recognised has no score."""
    return {"schema": SCHEMA, "lang": lang, "query": query,
            "hits": [{**asdict(hit), "score": round(hit.score, 3)
                      if math.isfinite(hit.score) else None} for hit in hits]}
