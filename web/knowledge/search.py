"""Search over articles and rules in both languages: words, codes, or a message from a log."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from assistant.guide import Article, Library, fill
from assistant.rules.signals import CodeSignal, EventSignal, LogSignal
from assistant.rules.types import LANGUAGES, Rule

#: Longest query that is looked at, in characters.
MAX_QUERY = 4000
#: From so many words on a query is a message: some of its words will do.
_MESSAGE = 5
_WORD = re.compile(r"[^\W_][\w.\-]*", re.UNICODE)


@dataclass(frozen=True, slots=True)
class Entry:
    """An article or a rule as something to be found.

    Attributes:
        kind: `article` or `rule`. titles: language to title.
        strong: id, titles and codes; weak: all other text; both casefolded.
    """

    kind: str
    id: str
    category: str
    titles: dict[str, str]
    strong: str
    weak: str

    def title(self, lang: str) -> str:
        """In a language, placeholders as a person should read them."""
        return fill(self.titles.get(lang) or next(iter(self.titles.values())), {})


@dataclass(frozen=True, slots=True)
class Found:
    """What a search gives; `recognised`: rules of which an expression matches the query."""

    articles: list[Entry]
    rules: list[Entry]
    recognised: list[Entry] = field(default_factory=list)


class Index:
    """Everything that can be found, read once."""

    def __init__(self, library: Library, rules: Iterable[Rule],
                 matching: Callable[[bytes], list[str]]) -> None:
        self._matching = matching
        self.entries = [*_articles(library), *map(_rule, rules)]
        self._rules = {entry.id: entry for entry in self.entries if entry.kind == "rule"}

    def search(self, query: str, category: str = "", kind: str = "") -> Found:
        """The best first; without a query all of a category, by id."""
        query = query[:MAX_QUERY]
        words = list(dict.fromkeys(_WORD.findall(query.casefold())))
        scored = []
        for entry in self.entries:
            if (category and entry.category != category) or (kind and entry.kind != kind):
                continue
            score = _score(entry, words, query.casefold().strip())
            if score > 0 or not query.strip():
                scored.append((-score, entry.category, entry.id, entry))
        ordered = [item[-1] for item in sorted(scored, key=lambda item: item[:3])]
        return Found([e for e in ordered if e.kind == "article"],
                     [e for e in ordered if e.kind == "rule"], self._recognised(query))

    def _recognised(self, query: str) -> list[Entry]:
        found: dict[str, Entry] = {}
        for line in query.splitlines()[:50]:
            if len(line.split()) < 2:
                continue  # a single word is no message, and every expression for it is chance
            for rule_id in self._matching(line.encode("utf-8", "replace")):
                if rule_id in self._rules:
                    found.setdefault(rule_id, self._rules[rule_id])
        return list(found.values())


def _score(entry: Entry, words: list[str], phrase: str) -> float:
    """0: not found. Words in titles, ids and codes count more than those in the text."""
    hits = [3.0 if word in entry.strong else 1.0 if word in entry.weak else 0.0
            for word in words]
    if not words or not any(hits):
        return 0.0
    share = sum(hit > 0 for hit in hits) / len(hits)
    if share < (0.6 if len(words) >= _MESSAGE else 1.0):
        return 0.0
    bonus = 4.0 if phrase in entry.strong else 2.0 if phrase in entry.weak else 0.0
    return share * sum(hits) / len(hits) + bonus


def _articles(library: Library) -> Iterable[Entry]:
    for article_id in library.ids():
        found: dict[str, Article] = {}
        for lang in LANGUAGES:
            article = library.article(article_id, lang)
            if article is not None:
                found[article.lang] = article
        if not found:
            continue
        titles = {lang: article.title for lang, article in found.items()}
        text = "\n".join(section.text for article in found.values()
                         for section in article.sections.values())
        yield Entry("article", article_id, next(iter(found.values())).category, titles,
                    _folded(article_id, *titles.values()), _folded(text))


def _rule(rule: Rule) -> Entry:
    expressions: list[str] = []
    codes: list[str] = []
    for signal in rule.signals.values():
        if isinstance(signal, LogSignal):
            expressions += signal.patterns
        elif isinstance(signal, EventSignal):
            expressions += [text for text in (signal.title, signal.message, signal.text) if text]
            codes += signal.codes
        elif isinstance(signal, CodeSignal):
            codes += signal.codes
    return Entry("rule", rule.id, rule.category, dict(rule.title),
                 _folded(rule.id, *codes, *rule.title.values()),
                 _folded(rule.article, *rule.references, *map(_unescaped, expressions)))


def _unescaped(expression: str) -> str:
    """An expression so that the words in it can be found."""
    return re.sub(r"\\(\W)", r"\1", expression).replace("\\s+", " ")


def _folded(*texts: str) -> str:
    return "\n".join(texts).casefold()
