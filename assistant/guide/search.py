"""Full-text search over articles and code catalogues in both languages: by word, by error
code, by a message pasted from a log. Ranked by BM25; no server, no other package.

    search = Search(library, ruleset.every(), cache_dir)
    for hit in search.find("端口被占用", lang="zh"):
        print(hit.title, hit.passage)
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from assistant.guide.articles import HEADINGS, Article
from assistant.guide.fill import fill
from assistant.guide.library import Library
from assistant.guide.search_index import Index, codes_of, expressions_of, kept
from assistant.guide.steps import paragraphs
from assistant.guide.terms import message_terms, terms
from assistant.logtext import codes, template
from assistant.rules.families import family_of
from assistant.rules.types import LANGUAGES, Family, Rule

#: Longest query that is looked at, in characters, and most of its terms.
MAX_QUERY, MAX_TERMS = 4000, 200
#: BM25: how soon more of a term counts no more, and how much a long text is marked down.
_SATURATION, _LENGTH = 1.2, 0.6
#: A suggestion must hold this share of what a message says, in so many terms at least.
_SHARE, _LEAST = 0.55, 3
_SUGGESTIONS = 3
#: So many rows of codes that a query names stand first.
_NAMED = 3
#: Longest passage that is given, in characters.
_PASSAGE = 300


@dataclass(frozen=True, slots=True)
class Hit:
    """Something found.

    Attributes:
        kind: `article`, or `code` for a row of a catalogue.
        id: the article's id, or the code.
        article: the article to read (of a code: that of its family or its own).
        title, category: of the article or the code; the title in the language asked for.
        score: BM25; only the order means something.
        passage: the text that fits the query best. section: the heading above it, or "".
        rule: the rule that recognised the query as a message, None where words were found.
    """

    kind: str
    id: str
    article: str
    title: str
    category: str
    score: float
    passage: str = ""
    section: str = ""
    rule: str | None = None


class _Passage(NamedTuple):
    text: str
    section: str = ""
    #: what is sought instead of the text (the expression of a rule, of which the title shows)
    terms_of: str | None = None


class Search:
    """A search over a library and the rules in force. Nothing is read before it is asked for.

    Args:
        cache_dir: where the index is kept between runs; None: nowhere.
        families: families of codes, for suggestions on a code that has no row.
    """

    def __init__(self, library: Library, rules: Sequence[Rule], cache_dir: Path | None = None,
                 families: Sequence[Family] = ()) -> None:
        self._library = library
        self._rules = rules
        self._cache_dir = cache_dir
        self._families = families

    def find(self, query: str, *, lang: str = "en", limit: int = 10,
             recognised: Sequence[str] = ()) -> list[Hit]:
        """What fits the query, best first.

        Args:
            query: words, codes or a message, in any language.
            lang: language of titles and, where it fits as well, of passages.
            recognised: rules (ids) that hold for the query read as a log; their articles
                come first.
        """
        wanted = self._wanted(terms(query[:MAX_QUERY]))
        scores = self._scores(wanted)
        hits: dict[tuple[str, str], Hit] = {}
        for rule_id in recognised:
            rule = self._by_id.get(rule_id)
            hit = None if rule is None else self._recognised(rule, wanted, lang)
            if hit is not None:
                hits.setdefault((hit.kind, hit.id), hit)
        # Codes that the query names come before all that merely speaks of them.
        named = [number for term in wanted for number in self._by_code.get(term, ())]
        named += self._families_in(query)
        named += self._called(query)
        ordered = sorted(scores, key=lambda number: (-scores[number], number))
        for number in (*named[:_NAMED], *ordered):
            if len(hits) >= limit:
                break
            hit = self._hit(number, scores[number], wanted, lang)
            if hit is not None:
                hits.setdefault((hit.kind, hit.id), hit)
        return list(hits.values())[:limit]

    def suggest(self, message: str) -> tuple[str, ...]:
        """Ids of articles that speak of a logged message, the nearest first; none unless a
        single passage holds most of what the message says."""
        message = message[:MAX_QUERY]
        by_family = [family.article for code in codes.find(message)
                     if (family := family_of(code, self._families)) is not None]
        near = dict.fromkeys([*by_family, *self._speaking_of(message)])
        return tuple(near)[:_SUGGESTIONS]

    def _speaking_of(self, message: str) -> Sequence[str]:
        # Without the record's head, and without what differs from run to run.
        text = re.sub(r"<\w+>", " ", template.shape(message))
        said = message_terms(text)[:MAX_TERMS]
        # `RuntimeError: x` says one thing, though it has three parts.
        if len(set(terms(text, parts=False)) & set(said)) < _LEAST:
            return ()
        # A term that stands nowhere is as telling as the rarest one, and is missing everywhere.
        whole = sum(self._weight(term) for term in said)
        wanted = self._wanted(said)
        scores = self._scores(wanted)
        found: dict[str, float] = {}
        for number in sorted(scores, key=lambda number: (-scores[number], number))[:12]:
            share = max((self._share(passage, wanted, whole)
                         for passage in self._passages(number)), default=0.0)
            article = self._article_of(number)
            if share >= _SHARE and article:
                found[article] = max(share, found.get(article, 0.0))
        return sorted(found, key=lambda article: (-found[article], article))

    def _families_in(self, query: str) -> list[int]:
        """Entries of the articles on families of which the query names a code."""
        words = dict.fromkeys(re.findall(r"\w+", query[:MAX_QUERY]))
        articles = {family.article for word in words if word.casefold() not in self._by_code
                    and (family := family_of(word.upper(), self._families)) is not None
                    and any(character.isdigit() for character in word)}
        return [number for number, (kind, name, _) in enumerate(self._index["entries"])
                if kind == "article" and name in articles]

    def _called(self, query: str) -> list[int]:
        """Entries of the articles whose id holds all words of the query as they stand:
        `out of memory` is what `device-out-of-memory` is called."""
        words = "-".join(query[:MAX_QUERY].casefold().split())
        if words.count("-") == 0 or not re.fullmatch(r"[a-z0-9-]+", words):
            return []
        return [number for number, (kind, name, _) in enumerate(self._index["entries"])
                if kind == "article" and f"-{words}-" in f"-{name}-"]

    # the index

    @cached_property
    def _index(self) -> Index:
        return kept(self._library, self._rules, self._cache_dir)

    @cached_property
    def _by_id(self) -> Mapping[str, Rule]:
        return {rule.id: rule for rule in self._rules}

    @cached_property
    def _by_code(self) -> Mapping[str, Sequence[int]]:
        """Code, casefolded, to its entries."""
        found: dict[str, list[int]] = defaultdict(list)
        for number, (kind, name, _) in enumerate(self._index["entries"]):
            if kind == "code" and name in self._by_id:
                for code in codes_of(self._by_id[name]):
                    found[code.casefold()].append(number)
        return found

    @cached_property
    def _average(self) -> Mapping[str, float]:
        """Mean length of the entries of each kind; a row is short by nature."""
        lengths: dict[str, list[int]] = defaultdict(list)
        for kind, _, length in self._index["entries"]:
            lengths[kind].append(length)
        return {kind: max(1.0, sum(all_) / len(all_)) for kind, all_ in lengths.items()}

    def _wanted(self, found: Iterator[str] | Sequence[str]) -> dict[str, float]:
        """The known terms of a query, each with its weight."""
        distinct = list(dict.fromkeys(found))[:MAX_TERMS]
        return {term: self._weight(term) for term in distinct
                if term in self._index["postings"]}

    def _weight(self, term: str) -> float:
        """Inverse document frequency."""
        count = len(self._index["entries"])
        having = len(self._index["postings"].get(term, ())) // 2
        return math.log(1.0 + (count - having + 0.5) / (having + 0.5))

    def _scores(self, wanted: Mapping[str, float]) -> dict[int, float]:
        scores: dict[int, float] = defaultdict(float)
        entries = self._index["entries"]
        for term, weight in wanted.items():
            posting = self._index["postings"][term]
            for number, times in zip(posting[::2], posting[1::2], strict=True):
                kind, _, length = entries[number]
                norm = 1.0 - _LENGTH + _LENGTH * length / self._average[kind]
                many = times / 2
                scores[number] += weight * many * (_SATURATION + 1.0) / (many + _SATURATION * norm)
        return scores

    # what is shown

    def _recognised(self, rule: Rule, wanted: Mapping[str, float], lang: str) -> Hit | None:
        for number, (kind, name, _) in enumerate(self._index["entries"]):
            if (kind, name) == (("code", rule.id) if rule.usually else ("article", rule.article)):
                hit = self._hit(number, math.inf, wanted, lang)
                if hit is None or kind == "code":
                    return hit and Hit(hit.kind, hit.id, hit.article, hit.title, hit.category,
                                       hit.score, hit.passage, hit.section, rule.id)
                return Hit(hit.kind, hit.id, hit.article, hit.title, hit.category, hit.score,
                           _title(rule.title, lang), "", rule.id)
        return None

    def _hit(self, number: int, score: float, wanted: Mapping[str, float],
             lang: str) -> Hit | None:
        kind, name, _ = self._index["entries"][number]
        passage = self._best(number, wanted, lang)
        if kind == "code":
            rule = self._by_id.get(name)
            if rule is None:
                return None
            return Hit(kind, codes_of(rule)[0], rule.article, _title(rule.title, lang),
                       rule.category, score, passage.text or _title(rule.meaning, lang))
        article = self._library.article(name, lang)
        if article is None:
            return None
        text = passage.text or _cut(fill(article.meaning.split("\n\n")[0], {}), wanted)
        return Hit(kind, name, name, fill(article.title, {}), article.category, score, text,
                   passage.section)

    def _best(self, number: int, wanted: Mapping[str, float], lang: str) -> _Passage:
        """The passage with most of the query, one in the wanted language if it has as much."""
        best, most = _Passage(""), 0.0
        for passage in self._passages(number, lang):
            found = sum(wanted[term] for term in set(_sought(passage)) & wanted.keys())
            if found > most * 1.0001:
                best, most = passage, found
        return best._replace(text=_cut(fill(best.text, {}), wanted))

    def _share(self, passage: _Passage, wanted: Mapping[str, float], whole: float) -> float:
        held = set(_sought(passage)) & wanted.keys()
        if len(held) < _LEAST:
            return 0.0
        return sum(wanted[term] for term in held) / whole

    def _passages(self, number: int, first: str = "en") -> Iterator[_Passage]:
        """The passages of an entry, those in the language `first` first."""
        kind, name, _ = self._index["entries"][number]
        languages = (first, *(lang for lang in LANGUAGES if lang != first))
        if kind == "code":
            rule = self._by_id.get(name)
            for lang in languages if rule is not None else ():
                assert rule is not None
                yield _Passage(rule.meaning.get(lang, ""))
                yield from (_Passage(cause) for cause in rule.causes.get(lang, ()))
            return
        for lang in languages:
            article = self._library.article(name, lang)
            if article is not None and article.lang == lang:
                yield from _of_article(article)
        for rule in self._rules:
            if rule.article == name and rule.usually is None:
                title = _title(rule.title, first)
                yield _Passage(title)
                yield from (_Passage(title, "", text) for text in expressions_of(rule))

    def _article_of(self, number: int) -> str:
        kind, name, _ = self._index["entries"][number]
        if kind == "article":
            return str(name)
        rule = self._by_id.get(name)
        return rule.article if rule is not None else ""


def _of_article(article: Article) -> Iterator[_Passage]:
    for key, section in article.sections.items():
        heading = HEADINGS[key].get(article.lang, section.heading)
        texts = article.steps if key == "steps" else _paragraphs(section.text)
        yield from (_Passage(text, heading) for text in texts if text)


def _paragraphs(text: str) -> Iterator[str]:
    """Plain paragraphs; each row of a table is one."""
    rows = [line for line in text.splitlines() if line.startswith("|")]
    prose = "\n".join(line for line in text.splitlines() if not line.startswith("|"))
    yield from paragraphs(prose).split("\n\n")
    yield from (": ".join(cell.strip() for cell in row.strip("| ").split(" | ")) for row in rows
                if not set(row) <= set("|-: "))


def _sought(passage: _Passage) -> Iterator[str]:
    return terms(passage.text if passage.terms_of is None else passage.terms_of)


def _title(titles: Mapping[str, str], lang: str) -> str:
    return fill(titles.get(lang) or next(iter(titles.values()), ""), {})


def _cut(text: str, wanted: Mapping[str, float]) -> str:
    """A long passage from the sentence on that holds the first of the terms."""
    if len(text) <= _PASSAGE:
        return text
    starts = [0, *(found.end() for found in re.finditer(r"(?<=[.;])\s+|(?<=[。；])", text))]
    for start in starts:
        if wanted.keys() & set(terms(text[start:start + _PASSAGE])):
            return text[start:start + _PASSAGE]
    return text[:_PASSAGE]
