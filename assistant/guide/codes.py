"""An error code explained: from its row in a catalogue, a rule that looks for it, or the
family it belongs to."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from assistant.guide.articles import Article
from assistant.guide.fill import fill
from assistant.guide.library import Library, in_language
from assistant.guide.search_index import codes_of
from assistant.rules.families import family_of
from assistant.rules.ruleset import RuleSet
from assistant.rules.types import Family, Rule

#: How many known codes are named beside an unknown one.
_NEAR = 3
_HEX = re.compile(r"0x[0-9a-f]{1,16}\Z", re.IGNORECASE)
_AROUND = " \t\r\n\"'`()[]{}<>:;,."


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is known of a code, in one language, ready to be shown.

    Attributes:
        code: as logs print it. name: its symbolic name, or "".
        known: `code` (it has an entry), `rule` (a rule looks for it), `family` (only that).
        title, meaning: one line, and a sentence or two.
        usually: `cause`, `consequence`, `either`, or "" where that depends.
        category, severity: as in a report; "" for a family.
        causes: likely ones, the most likely first. steps: what to do, in order.
        article, article_title: where to read on.
        family: what prints such codes, or "".
        references: documents.
    """

    code: str
    name: str
    known: str
    title: str
    meaning: str
    usually: str
    category: str
    severity: str
    causes: tuple[str, ...]
    steps: tuple[str, ...]
    article: str
    article_title: str
    family: str
    references: tuple[str, ...]


def explain(code: str, ruleset: RuleSet, library: Library, lang: str) -> Explanation | None:
    """What is known of a code, in any of its spellings (`ei0006`, `[507015]`, `-9`,
    `ACL_ERROR_RT_AICORE_EXCEPTION`); None if nothing is, not even its family."""
    spellings = list(_spellings(code))
    rule = _rule(spellings, ruleset.every())
    if rule is not None:
        shown = codes_of(rule)[0] if rule.usually else spellings[0]
        return _of_rule(shown, rule, family_of(shown, ruleset.families), library, lang)
    for spelling in spellings:
        family = family_of(spelling, ruleset.families)
        if family is not None:
            return _of_family(spelling, family, library, lang)
    return None


def nearest(code: str, ruleset: RuleSet) -> tuple[str, ...]:
    """Known codes that look like a code, the likeliest first."""
    import difflib

    known = {spelling.casefold(): spelling for spelling in _known(ruleset)}
    near = difflib.get_close_matches(code.strip(_AROUND).casefold(), known, n=_NEAR, cutoff=0.7)
    return tuple(known[name] for name in near)


def _known(ruleset: RuleSet) -> Iterator[str]:
    for rule in ruleset.every():
        yield from (code for code in codes_of(rule) if not set("*?[") & set(code))
    for family in ruleset.families:
        yield from (code for code in family.codes if not set("*?[") & set(code))


def _spellings(code: str) -> Iterator[str]:
    """How a code may stand in a catalogue, the likeliest first."""
    plain = code.strip(_AROUND)
    if not plain:
        return
    if _HEX.match(plain):
        yield "0x" + plain[2:].upper()
    yield plain.upper()
    signalled = plain.isdecimal() and len(plain) == 3  # 128 and the number of a signal
    if signalled and 128 < int(plain) <= 128 + max(signal.valid_signals()):
        yield f"-{int(plain) - 128}"  # as a shell gives the signal that ended a process
    elif re.fullmatch(r"0*8[0-9a-f]{7}", plain, re.IGNORECASE):
        yield "0x" + plain[-8:].upper()  # an event of the NPU without its 0x


def _rule(spellings: Sequence[str], rules: Sequence[Rule]) -> Rule | None:
    """The row of a code, else a rule that looks for it by its name."""
    rows = [rule for rule in rules if rule.usually is not None]
    for spelling in spellings:
        for rule in rows:
            if spelling in codes_of(rule) or spelling == (rule.name or "").upper():
                return rule
    for spelling in spellings:
        for rule in rules:
            if rule.usually is None and not rule.fallback and spelling in codes_of(rule):
                return rule
    return None


def _of_rule(code: str, rule: Rule, family: Family | None, library: Library,
             lang: str) -> Explanation:
    article = library.article(rule.article, lang)
    return Explanation(
        code=code, name=rule.name or "", known="code" if rule.usually else "rule",
        title=fill(_in(rule.title, lang), {}),
        meaning=fill(_in(rule.meaning, lang) or _meaning(article), {}),
        usually=rule.usually or "", category=rule.category, severity=rule.severity,
        causes=tuple(fill(cause, {}) for cause in rule.causes.get(lang, ())),
        steps=(*_steps(in_language(rule.steps, lang), article),
               *(fill(step, {}) for step in in_language(rule.added_steps, lang))),
        article=rule.article,
        article_title=_article_title(article),
        family=_in(family.title, lang) if family is not None else "",
        references=rule.references)


def _of_family(code: str, family: Family, library: Library, lang: str) -> Explanation:
    article = library.article(family.article, lang)
    named = code in family.codes
    return Explanation(
        code=code, name="", known="code" if named else "family", title=_in(family.title, lang),
        meaning=_in(family.meaning, lang) or fill(_meaning(article), {}),
        usually=family.usually or "", category="", severity="", causes=(),
        steps=_steps(None, article), article=family.article,
        article_title=_article_title(article),
        family="" if named else _in(family.title, lang), references=())


def _in(texts: Mapping[str, str], lang: str) -> str:
    """The text in a language, else in any."""
    return texts.get(lang) or next(iter(texts.values()), "")


def _meaning(article: Article | None) -> str:
    return article.meaning.split("\n\n")[0] if article is not None else ""


def _article_title(article: Article | None) -> str:
    return fill(article.title, {}) if article is not None else ""


def _steps(own: Sequence[str] | None, article: Article | None) -> tuple[str, ...]:
    steps = own or (article.steps if article is not None else ())
    return tuple(fill(step, {}) for step in steps)
