"""Placeholders that nothing fills, wherever texts may hold them: titles, steps and sections of
articles, rows of catalogues, overrides of a site file."""

from __future__ import annotations

import difflib
import fnmatch
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from assistant.guide import Article, placeholders
from assistant.guide.fill import Placeholder
from assistant.rules.given import given_by_rule, sure_of_rule
from assistant.rules.reading import WrittenRule
from assistant.rules.suggest import closest, instead
from assistant.rules.types import Position, Problem, Rule
from assistant.rules.yaml_source import Document

_SITE = "site."
#: How like the name of a variable that is set another name must be to be taken for a slip. One
#: with a text that stands in for it may be left unset, so that only a slip is worth a word.
_A_SLIP = 0.8


@dataclass(frozen=True, slots=True)
class Known:
    """What can be filled in.

    Attributes:
        names: placeholders that the rules concerned give.
        variables: names of the variables that site files set.
        asked: how to say that none of the rules gives a placeholder.
        rules: ids to name behind that, where it is not plain which rules are meant.
    """

    names: Collection[str]
    variables: Collection[str]
    asked: str = "nothing gives"
    rules: Sequence[str] = ()

    def problem(self, found: Placeholder, position: Position) -> Problem | None:
        """What is wrong with a placeholder; None: it can be filled."""
        if found.name.startswith(_SITE):
            return self._variable(found, position)
        if found.name in self.names:
            return None
        whose = f": {', '.join(self.rules)}" if self.rules else ""
        return Problem(position, "unknown-placeholder", "error",
                       f"{self.asked} `{{{found.name}}}`{whose}",
                       instead(found.name, sorted(self.names)))

    def _variable(self, found: Placeholder, position: Position) -> Problem | None:
        name = found.name.removeprefix(_SITE)
        if name in self.variables:
            return None
        if found.default is not None:
            near = difflib.get_close_matches(name, self.variables, n=1, cutoff=_A_SLIP)
            return Problem(position, "unknown-placeholder", "warning",
                           f"no site.yaml sets `{name}`, and one sets `{near[0]}`",
                           f"did you mean `{{{_SITE}{near[0]}|...}}`?") if near else None
        like = closest(name, self.variables)
        return Problem(position, "unknown-placeholder", "error",
                       f"no site.yaml sets `{name}`",
                       f"did you mean `{{{_SITE}{like}}}`?" if like else
                       f"set it under `site:`, or say what stands in for it: {{{found.name}|...}}")


def of_rule(written: WrittenRule, variables: Collection[str]) -> Iterator[Problem]:
    """In the title of a rule, and in what a row of a catalogue says itself."""
    known = Known(given_by_rule(written.rule), variables)
    for path, text in _texts(written):
        for found in placeholders(text):
            position = written.document.inside((*written.path, *path), found.offset)
            problem = known.problem(found, position)
            if problem is not None:
                yield problem
            elif (path[0] == "title" and found.default is None
                  and not found.name.startswith(_SITE)
                  and found.name not in sure_of_rule(written.rule)):
                yield Problem(position, "unsure-placeholder", "warning",
                              f"`{{{found.name}}}` is not given whenever the rule holds",
                              f"say what stands in for it: {{{found.name}|...}}")
    yield from _one_language(written, known.names)


def _texts(written: WrittenRule) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The texts of a rule that are filled in, with their paths."""
    rule = written.rule
    yield from ((("title", lang), title) for lang, title in rule.title.items())
    yield from ((("meaning", lang), text) for lang, text in rule.meaning.items())
    for key, lists in (("steps", rule.steps), ("causes", rule.causes)):
        for lang, lines in lists.items():
            yield from (((key, lang, number), line) for number, line in enumerate(lines))


def _one_language(written: WrittenRule, names: Collection[str]) -> Iterator[Problem]:
    """What the title says in one language and not in the other."""
    used = {lang: {found.name for found in placeholders(title)}
            for lang, title in written.rule.title.items()}
    for lang, own in used.items():
        if any(name not in names and not name.startswith(_SITE) for name in own):
            continue  # a misspelt name is told already
        for other in (other for other in used if other != lang):
            for name in sorted((used[other] & set(names)) - own):
                yield Problem(written.at("title", lang), "one-language-placeholder", "warning",
                              f"the title in `{other}` says {{{name}}}, this one does not",
                              "say the same in both languages")


def of_articles(articles: Sequence[Article], rules: Sequence[Rule],
                variables: Collection[str]) -> Iterator[Problem]:
    """In all sections of the articles that the rules share, on the line where each stands."""
    known = Known(frozenset().union(*map(given_by_rule, rules)), variables,
                  "no rule of this article gives", [rule.id for rule in rules])
    for article in articles:
        for section in article.sections.values():
            for found in placeholders(section.text):
                line = section.line + section.text.count("\n", 0, found.offset)
                problem = known.problem(found, Position(article.file, line, 1))
                if problem is not None:
                    yield problem


def of_site_file(document: Document, rules: Mapping[str, Rule],
                 variables: Collection[str]) -> Iterator[Problem]:
    """In the titles and steps of overrides; `rules`: those that the overrides may meet."""
    for glob, change in document.value.get("overrides", {}).items():
        met = fnmatch.filter(rules, glob)
        if not met:
            continue  # that is told already
        known = Known(frozenset().union(*(given_by_rule(rules[name]) for name in met)), variables)
        for path, text in _changed_texts(change, ("overrides", glob)):
            for found in placeholders(text):
                problem = known.problem(found, document.inside(path, found.offset))
                if problem is not None:
                    yield problem


def _changed_texts(change: object, path: tuple[str | int, ...],
                   ) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The texts of an override that placeholders stand in, with their paths."""
    if not isinstance(change, dict):
        return
    for lang, title in change.get("title", {}).items():
        yield (*path, "title", lang), title
    for how, steps in change.get("steps", {}).items():
        for lang, texts in steps.items():
            yield from (((*path, "steps", how, lang, number), text)
                        for number, text in enumerate(texts))
