"""Rules against the articles that answer them: both languages there, placeholders given,
captures used."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from assistant.guide import Article, Library, placeholders
from assistant.rules.build import words
from assistant.rules.expressions import expressions, groups
from assistant.rules.given import given_by_rule, sure_of_rule
from assistant.rules.reading import CAPTURE_KEYS, Content, WrittenRule
from assistant.rules.suggest import closest, instead
from assistant.rules.types import LANGUAGES, Position, Problem, Rule

#: What `rules new` leaves to be written.
_TO_WRITE = re.compile(r"\bTODO\b")
#: Variables of the site are checked where they are set, not here.
_SITE = "site."


def check_articles(written: Sequence[WrittenRule], others: Sequence[Rule],
                   library: Library) -> list[Problem]:
    """Problems between rules and articles, and those of the articles that the rules name.

    `others` are the rules in force beside them, which may share their articles.
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
        found += _step_placeholders(texts[name], [
            *(rule.rule for rule in rules), *(rule for rule in others if rule.article == name)])
        for article in texts[name]:
            found += _unwritten(article)
            found += _commands(article)
    for rule in written:
        found += _unwritten_titles(rule)
        found += _title_placeholders(rule)
        found += _own_steps(rule)
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


def _title_placeholders(written: WrittenRule) -> Iterator[Problem]:
    names = given_by_rule(written.rule)
    certain = sure_of_rule(written.rule)
    used: dict[str, set[str]] = {}
    for lang, title in written.rule.title.items():
        used[lang] = set()
        for found in placeholders(title):
            used[lang].add(found.name)
            position = written.document.inside((*written.path, "title", lang), found.offset)
            if found.name.startswith(_SITE):
                continue
            if found.name not in names:
                yield _error(position, "unknown-placeholder",
                             f"nothing gives `{{{found.name}}}`", instead(found.name, names))
            elif found.default is None and found.name not in certain:
                yield _warning(position, "unsure-placeholder",
                               f"`{{{found.name}}}` is not given whenever the rule holds",
                               f"say what stands in for it: {{{found.name}|...}}")
    for lang, own in used.items():
        if any(name not in names and not name.startswith(_SITE) for name in own):
            continue  # a misspelt name is told already
        for other in (other for other in used if other != lang):
            for name in sorted((used[other] & names) - own):
                yield _warning(written.at("title", lang), "one-language-placeholder",
                               f"the title in `{other}` says {{{name}}}, this one does not",
                               "say the same in both languages")


def _own_steps(written: WrittenRule) -> Iterator[Problem]:
    """Placeholders in the steps that a row of a code catalogue brings itself."""
    names = given_by_rule(written.rule)
    for lang, steps in written.rule.steps.items():
        for number, step in enumerate(steps):
            path = (*written.path, "steps", lang, number)
            for found in placeholders(step):
                if found.name not in names and not found.name.startswith(_SITE):
                    yield _error(written.document.inside(path, found.offset),
                                 "unknown-placeholder", f"nothing gives `{{{found.name}}}`",
                                 instead(found.name, names))


def _step_placeholders(articles: Sequence[Article], rules: Sequence[Rule]) -> Iterator[Problem]:
    names = sorted(frozenset().union(*map(given_by_rule, rules)))
    for article in articles:
        for number, step in enumerate(article.steps):
            line = article.step_lines[number] if number < len(article.step_lines) else 1
            for found in placeholders(step):
                if found.name.startswith(_SITE) or found.name in names:
                    continue
                yield _error(Position(article.file, line, 1), "unknown-placeholder",
                             f"no rule of this article gives `{{{found.name}}}`: "
                             + ", ".join(rule.id for rule in rules),
                             instead(found.name, names))


def _unused_captures(written: WrittenRule, articles: Sequence[Article]) -> Iterator[Problem]:
    """Captures that nobody sees: not in the title, no step, and no key of the rule."""
    used = {found.name for title in written.rule.title.values() for found in placeholders(title)}
    for article in articles:
        used.update(found.name for text in _texts(article) for found in placeholders(text))
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
