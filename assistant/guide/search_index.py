"""What can be found, and under which terms: articles with the rules that point to them, and
the rows of code catalogues.

The index is plain JSON values, so that it can be kept between runs; building it takes a few
tenths of a second, reading it back a tenth of that.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from assistant.guide.library import Library
from assistant.guide.terms import terms
from assistant.rules.types import (
    LANGUAGES,
    CodeSignal,
    ErrorSignal,
    EventSignal,
    LogSignal,
    Rule,
)

#: How much a term counts by where it stands, in halves of a term of the text.
CODE, TITLE, RULE, TEXT = 8, 6, 4, 2

#: An index as plain values: `entries` (kind, id, length) and `postings` (term to entry and
#: weight by turns).
Index = dict[str, Any]


def build(library: Library, rules: Iterable[Rule]) -> Index:
    """The index of all articles and of all codes that have a row."""
    by_article: dict[str, list[Rule]] = {}
    rows: list[Rule] = []
    for rule in rules:
        if rule.usually is None:
            by_article.setdefault(rule.article, []).append(rule)
        else:
            rows.append(rule)
    entries: list[list[Any]] = []
    postings: dict[str, list[int]] = {}

    def add(kind: str, name: str, weights: Counter[str]) -> None:
        for term, weight in weights.items():
            postings.setdefault(term, []).extend((len(entries), weight))
        entries.append([kind, name, sum(weights.values())])

    for article_id in library.ids():
        add("article", article_id, _article(library, article_id, by_article.get(article_id, ())))
    for rule in rows:
        add("code", rule.id, _row(rule))
    return {"entries": entries, "postings": postings}


def kept(library: Library, rules: Sequence[Rule], cache_dir: Path | None) -> Index:
    """The index, taken from the cache where it is the same, else built and kept there."""
    from assistant.rules import cache

    if cache_dir is None:
        return build(library, rules)
    name = "search-" + cache.key(_state(library, rules))
    index: Index | None = cache.load(cache_dir, name)
    if index is None:
        index = build(library, rules)
        cache.save(cache_dir, name, index)
    return index


def _state(library: Library, rules: Sequence[Rule]) -> Iterator[tuple[str, bytes]]:
    """All that the index is made of, as names and contents."""
    for path in library.files():
        stat = path.stat()
        yield str(path), f"{stat.st_mtime_ns} {stat.st_size}".encode()
    for rule in rules:
        parts = [rule.article, rule.name, *rule.title.values(), *rule.meaning.values(),
                 *(line for lines in rule.causes.values() for line in lines),
                 *codes_of(rule), *expressions_of(rule)]
        yield rule.id, "\0".join(filter(None, parts)).encode("utf-8", "replace")


def codes_of(rule: Rule) -> list[str]:
    """The codes that a rule looks for, globs included."""
    return [code for signal in rule.signals.values()
            if isinstance(signal, (CodeSignal, EventSignal, ErrorSignal)) for code in signal.codes]


def expressions_of(rule: Rule) -> list[str]:
    """The expressions of a rule as text: without escapes and marks, so that words show."""
    found: list[str] = []
    for signal in rule.signals.values():
        if isinstance(signal, LogSignal):
            found += signal.patterns
        elif isinstance(signal, EventSignal):
            found += [text for text in (signal.title, signal.message, signal.text) if text]
        elif isinstance(signal, ErrorSignal) and signal.text:
            found.append(signal.text)
    return [_words(expression) for expression in found]


def _words(expression: str) -> str:
    text = re.sub(r"\(\?P?<\w+>|\(\?[a-zA-Z]*:", "(", expression)
    text = re.sub(r"\[\^?\]?[^\]]*\]|\\[wdsSbDWB]|\{\d+(?:,\d*)?\}", " ", text)
    return re.sub(r"\\(.)", r"\1", text)


def _article(library: Library, article_id: str, rules: Iterable[Rule]) -> Counter[str]:
    weights: Counter[str] = Counter()
    _count(weights, article_id.replace("-", " "), RULE)
    for lang in LANGUAGES:
        article = library.article(article_id, lang)
        if article is not None and article.lang == lang:
            _count(weights, article.title, TITLE)
            for section in article.sections.values():
                _count(weights, section.text, TEXT)
    for rule in rules:
        for text in (*rule.title.values(), *expressions_of(rule)):
            _count(weights, text, RULE)
        for code in codes_of(rule):
            _count(weights, code, RULE)
    return weights


def _row(rule: Rule) -> Counter[str]:
    weights: Counter[str] = Counter()
    for code in codes_of(rule):
        _count(weights, code, CODE)
    _count(weights, rule.name or "", CODE)
    for title in rule.title.values():
        _count(weights, title, TITLE)
    for text in (*rule.meaning.values(), *(line for lines in rule.causes.values()
                                           for line in lines)):
        _count(weights, text, TEXT)
    return weights


def _count(weights: Counter[str], text: str, weight: int) -> None:
    for term in terms(text):
        weights[term] += weight
