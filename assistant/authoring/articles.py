"""Rules against the articles that answer them: both languages there, captures used, nothing
left to be written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from assistant.authoring import placeholders
from assistant.guide import Article, Library
from assistant.guide.fill import placeholders as placeholders_of
from assistant.rules.build import words
from assistant.rules.expressions import expressions, groups
from assistant.rules.reading import CAPTURE_KEYS, Content, WrittenRule
from assistant.rules.suggest import closest
from assistant.rules.types import LANGUAGES, Position, Problem, Rule

#: What `rules new` leaves to be written.
_TO_WRITE = re.compile(r"\bTODO\b")


def check_articles(written: Sequence[WrittenRule], others: Sequence[Rule],
                   library: Library, variables: Collection[str]) -> list[Problem]:
    """Problems between rules and articles, and those of the articles that the rules name.

    Args:
        others: the rules in force beside them, which may share their articles.
        variables: names of the variables that site files set.
    """
    before = len(library.problems)
    found: list[Problem] = []
    by_article: dict[str, list[WrittenRule]] = {}
    for rule in written:
        by_article.setdefault(rule.rule.article, []).append(rule)
    texts: dict[str, list[Article]] = {}
    for name, rules in by_article.items():
        texts[name] = []
        for lang in LANGUAGES:
            if library.path(name, lang) is None:
                found += _missing(rules, name, lang, library)
            elif (article := library.article(name, lang)) is not None and article.lang == lang:
                texts[name].append(article)
        beside = [rule.category for rule in others if rule.article == name]
        found += [] if beside else _categories(rules, texts[name])
        found += placeholders.of_articles(texts[name], [
            *(rule.rule for rule in rules), *(rule for rule in others if rule.article == name)],
            variables)
        for article in texts[name]:
            found += _unwritten(article)
            found += _commands(article)
    for rule in written:
        found += _unwritten_titles(rule)
        found += placeholders.of_rule(rule, variables)
        found += _unused_captures(rule, texts[rule.rule.article])
    return [*found, *dict.fromkeys(library.problems[before:])]


def check_families(contents: Iterable[Content], library: Library) -> Iterator[Problem]:
    """Articles that families of codes name and that do not exist."""
    for content in contents:
        for position, value in content.families:
            if library.article(value["article"], LANGUAGES[0]) is None:
                near = closest(value["article"], library.ids())
                yield _error(position, "missing-article",
                             f"there is no article `{value['article']}`",
                             _write(value["article"], near))


def _missing(rules: Sequence[WrittenRule], name: str, lang: str,
             library: Library) -> Iterator[Problem]:
    near = closest(name, library.ids())
    other = any(library.path(name, known) is not None for known in LANGUAGES)
    # The rows of a catalogue name an article once, for all of them.
    places = Counter(rule.at("article") if (*rule.path, "article") in rule.document.spans
                     else rule.document.at(("article",)) for rule in rules)
    for position, times in places.items():
        said = f" ({times} rules name it here)" if times > 1 else ""
        if other:
            yield _error(position, "missing-language",
                         f"the article `{name}` has no `{lang}` version{said}",
                         f"write kb/{lang}/{name}.md")
        elif lang == LANGUAGES[0]:
            yield _error(position, "missing-article", f"there is no article `{name}`{said}",
                         _write(name, near))


def _write(name: str, near: str | None) -> str:
    """The cure for an article that does not exist; `near`: one of a like name."""
    files = f"write kb/en/{name}.md and kb/zh/{name}.md"
    return f"did you mean `{near}`? Or {files}" if near else files


def _categories(rules: Sequence[WrittenRule], articles: Sequence[Article]) -> Iterator[Problem]:
    """Articles of another category than all the rules that name them."""
    wanted = sorted({rule.rule.category for rule in rules if rule.rule.usually is None})
    for article in articles:
        if wanted and article.category and article.category not in wanted:
            yield _warning(Position(article.file, _line_of(article, "category"), 1),
                           "category-differs",
                           f"the article `{article.id}` is of the category "
                           f"`{article.category}`, and its rule of `{wanted[0]}`",
                           "give both the same category")


def _line_of(article: Article, key: str) -> int:
    """The line of a key of the front matter; 1 where it cannot be told."""
    return list(article.front).index(key) + 2 if key in article.front else 1


def _unwritten(article: Article) -> Iterator[Problem]:
    """An article that still says TODO, at the first place, with the number of places."""
    spots = [_line_of(article, "title")] * len(_TO_WRITE.findall(article.title)) + [
        section.line + number for section in article.sections.values()
        for number, line in enumerate(section.text.split("\n")) if _TO_WRITE.search(line)]
    if spots:
        yield _warning(Position(article.file, spots[0], 1), "to-be-written",
                       f"the article `{article.id}` still says TODO ({len(spots)} times)",
                       "write what belongs there")


def _commands(article: Article) -> Iterator[Problem]:
    """An article none of whose steps says what to type."""
    if article.steps and not any("`" in step for step in article.steps):
        yield _warning(Position(article.file, article.step_lines[0], 1), "no-command",
                       f"no step of the article `{article.id}` holds a command",
                       "say what to type, in backticks")


def _unwritten_titles(written: WrittenRule) -> Iterator[Problem]:
    for lang, title in written.rule.title.items():
        if _TO_WRITE.search(title):
            yield _warning(written.at("title", lang), "to-be-written",
                           f"the title in `{lang}` still says TODO", "write it")


def _unused_captures(written: WrittenRule, articles: Sequence[Article]) -> Iterator[Problem]:
    """Captures that nobody sees: not in the title, no step, and no key of the rule."""
    used = {found.name for title in written.rule.title.values() for found in placeholders_of(title)}
    for article in articles:
        used.update(found.name for text in _texts(article) for found in placeholders_of(text))
    used.update(written.rule.group_by)
    for name, signal in written.value["signals"].items():
        own = used.union(*(words(signal.get(key)) for key in CAPTURE_KEYS))
        for path, expression in expressions(signal, ("signals", name)):
            for capture, offset in groups(expression):
                if capture not in own:
                    yield _error(written.document.inside((*written.path, *path), offset),
                                 "unused-capture", f"nothing uses the capture `{capture}`",
                                 "use it in the title or in a step, or write (?:...)")


def _texts(article: Article) -> Iterator[str]:
    yield article.meaning
    yield article.otherwise
    yield from article.steps
    yield from (section.text for section in article.sections.values())


def _error(position: Position, code: str, message: str, cure: str) -> Problem:
    return Problem(position, code, "error", message, cure)


def _warning(position: Position, code: str, message: str, cure: str) -> Problem:
    return Problem(position, code, "warning", message, cure)
