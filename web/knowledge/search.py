"""Search over articles and rules: the knowledge base's own search (assistant.guide.search),
and the rules that belong to what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from assistant.guide import Library, fill
from assistant.guide.search import Search
from assistant.guide.search_index import codes_of
from assistant.rules.types import LANGUAGES, Rule

#: Longest query that is looked at, in characters, and most lines of a message.
MAX_QUERY, MAX_LINES = 4000, 50
#: Most articles and codes that a search gives, and so many of them, the best, bring their rules.
MAX_FOUND, MAX_WITH_RULES = 40, 8


@dataclass(frozen=True, slots=True)
class Entry:
    """An article or a rule that can be listed.

    Attributes: kind: `article` or `rule`. titles: language to title.
    """

    kind: str
    id: str
    category: str
    titles: dict[str, str]

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
    """Everything that can be found.

    Args:
        search: the search over the library.
        rules: the rules in force.
        matching: ids of the rules of which an expression matches a line.
    """

    def __init__(self, library: Library, search: Search, rules: Iterable[Rule],
                 matching: Callable[[bytes], list[str]]) -> None:
        self._search = search
        self._matching = matching
        self._by_id = {rule.id: rule for rule in rules}
        self._articles = {entry.id: entry for entry in _articles(library)}
        self._rules = {rule.id: Entry("rule", rule.id, rule.category, dict(rule.title))
                       for rule in self._by_id.values()}

    def search(self, query: str, category: str = "", kind: str = "", lang: str = "en") -> Found:
        """The best first; without a query all of a category, by category and id."""
        query = query[:MAX_QUERY]
        recognised = list(dict.fromkeys(self._recognised(query)))
        if query.strip():
            articles, rules = self._find(query, recognised, lang)
        else:
            articles, rules = list(self._articles.values()), list(self._rules.values())
            articles.sort(key=lambda entry: (entry.category, entry.id))
            rules.sort(key=lambda entry: (entry.category, entry.id))

        def wanted(entries: Iterable[Entry], of: str) -> list[Entry]:
            return [entry for entry in entries if kind in ("", of)
                    and category in ("", entry.category)]

        return Found(wanted(articles, "article"), wanted(rules, "rule"),
                     [self._rules[rule_id] for rule_id in recognised])

    def _find(self, query: str, recognised: list[str], lang: str,
              ) -> tuple[list[Entry], list[Entry]]:
        """Articles that fit; then the rules that are named by the query, those of the codes
        that it names, and those that lead to the articles."""
        hits = self._search.find(query, lang=lang, limit=MAX_FOUND, recognised=recognised)
        articles = [self._articles[name] for name in dict.fromkeys(hit.article for hit in hits)
                    if name in self._articles]
        words = query.casefold().split()
        rules = [rule_id for rule_id in self._rules
                 if all(word in rule_id.casefold() for word in words)]
        for hit in hits[:MAX_WITH_RULES]:
            if hit.kind == "code":
                rules += [rule.id for rule in self._by_id.values()
                          if rule.usually is not None and hit.id in codes_of(rule)]
            else:
                rules += [rule.id for rule in self._by_id.values()
                          if rule.article == hit.id and rule.usually is None]
        return articles, [self._rules[rule_id] for rule_id in dict.fromkeys(rules)]

    def _recognised(self, query: str) -> Iterator[str]:
        for line in query.splitlines()[:MAX_LINES]:
            if len(line.split()) < 2:
                continue  # a single word is no message, and every expression for it is chance
            for rule_id in self._matching(line.encode("utf-8", "replace")):
                if rule_id in self._rules:
                    yield rule_id


def _articles(library: Library) -> Iterator[Entry]:
    for article_id in library.ids():
        found = {article.lang: article for lang in LANGUAGES
                 if (article := library.article(article_id, lang)) is not None}
        if found:
            yield Entry("article", article_id, next(iter(found.values())).category,
                        {lang: article.title for lang, article in found.items()})
