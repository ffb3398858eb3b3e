"""Explanations of error codes, for a terminal and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from assistant.guide.codes import Explanation
from assistant.guide.printable import printable
from assistant.render.cells import wrap, wrap_step
from assistant.render.sheet import Sheet
from assistant.render.style import Style
from assistant.report.words import Words

SCHEMA = "kbtriage.codes/1"


def terminal(found: Sequence[Explanation], lang: str, width: int = 80,
             colour: bool = False) -> str:
    """The explanations one below the other, at most `width` cells a line (40 at least)."""
    words = Words(lang)
    sheet = Sheet(max(width, 40), Style(colour))
    for number, explanation in enumerate(found):
        if number:
            sheet.gap()
        _one(explanation, words, sheet)
    return sheet.text() if found else ""


def _one(explanation: Explanation, words: Words, sheet: Sheet) -> None:
    style, body = sheet.style, sheet.body
    title = printable(explanation.title)
    head = title if explanation.code in title else f"{explanation.code}  {title}"
    sheet.across(style("bold", line) for line in wrap(head, sheet.cells))
    sheet.across(style("dim", line) for line in wrap(_facts(explanation, words), sheet.cells))
    sheet.gap()
    sheet.add(words("label.meaning"), [line for part in explanation.meaning.split("\n\n")
                                       for line in wrap(printable(part), body)])
    sheet.add(words("label.causes"), _items(explanation.causes, body, style))
    sheet.add(words("label.steps"), _items(explanation.steps, body, style))
    more = words("more.article", article=explanation.article)
    if explanation.article_title:
        more += f"  {printable(explanation.article_title)}"
    sheet.add(words("label.more"), wrap(more, body))


def _facts(explanation: Explanation, words: Words) -> str:
    """What kind of code it is: name, family, severity, cause or consequence."""
    facts = [explanation.name, explanation.family, explanation.category,
             words(f"severity.{explanation.severity}") if explanation.severity else "",
             words(f"usually.{explanation.usually}") if explanation.usually else ""]
    if explanation.known == "family":
        facts = [words("codes.family-only"), *facts[4:]]
    return printable(words.comma.join(filter(None, facts)))


def _items(texts: Sequence[str], cells: int, style: Style) -> list[str]:
    """Numbered, with the text aligned behind the numbers."""
    margin = len(f"{len(texts)}. ")
    lines = []
    for number, text in enumerate(texts, 1):
        runs = wrap_step(printable(text), cells - margin, marks=not style.colour)
        for index, line in enumerate(runs):
            head = f"{number}. ".rjust(margin) if index == 0 else " " * margin
            lines.append(head + style.runs(line))
    return lines


def to_dict(found: Sequence[Explanation], unknown: Mapping[str, Sequence[str]],
            lang: str) -> dict[str, Any]:
    """The same for programs; `unknown`: codes that nothing is known of, to those near them."""
    return {"schema": SCHEMA, "lang": lang,
            "codes": [{key: list(value) if isinstance(value, tuple) else value
                       for key, value in asdict(explanation).items()} for explanation in found],
            "unknown": [{"code": code, "near": list(near)} for code, near in unknown.items()]}
