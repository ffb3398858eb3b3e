"""The knowledge base: articles by id and language, from several folders, read when asked for.

A pack's `kb` holds one folder a language: `kb/en/<id>.md`, `kb/zh/<id>.md`. Packs are
given from the most general to the most special; the last one that has an article wins.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from assistant.guide.articles import Article, parse
from assistant.rules.packs import Layer, kb_roots
from assistant.rules.types import LANGUAGES, Position, Problem

_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
#: Longest article read, in bytes; a page that nobody reads to its end is a mistake.
_MAX_SIZE = 1 << 20


class Library:
    """Articles of several folders. Nothing is read before it is asked for.

    Attributes: problems: what was wrong with the articles read so far.
    """

    def __init__(self, roots: Sequence[Path]) -> None:
        self.roots = tuple(roots)
        self.problems: list[Problem] = []
        self._read: dict[tuple[str, str], Article | None] = {}

    def article(self, article_id: str, lang: str) -> Article | None:
        """The article in `lang`, else in any language it exists in; None if there is none."""
        others = [other for other in LANGUAGES if other != lang]
        for language in (lang, *others):
            if (article_id, language) not in self._read:
                self._read[article_id, language] = self._load(article_id, language)
            if article := self._read[article_id, language]:
                return article
        return None

    def ids(self) -> tuple[str, ...]:
        """The ids of all articles, in any language, sorted. Opens none of them."""
        names = (path.stem for root in self.roots for lang in LANGUAGES
                 for path in (root / lang).glob("*.md"))
        return tuple(sorted({name for name in names if _ID.fullmatch(name)}))

    def files(self) -> tuple[Path, ...]:
        """The files of all articles, sorted. Opens none of them."""
        return tuple(sorted(path for root in self.roots for lang in LANGUAGES
                            for path in (root / lang).glob("*.md")))

    def path(self, article_id: str, lang: str) -> Path | None:
        """The file that holds the article in exactly this language."""
        if not _ID.fullmatch(article_id):
            return None  # also keeps an id such as `../../x` inside the folders
        paths = (root / lang / f"{article_id}.md" for root in reversed(self.roots))
        return next((path for path in paths if path.is_file()), None)

    def _load(self, article_id: str, lang: str) -> Article | None:
        path = self.path(article_id, lang)
        if path is None:
            return None
        try:
            with path.open("rb") as stream:
                content = stream.read(_MAX_SIZE)
        except OSError as error:
            self.problems.append(Problem(Position(str(path), 1, 1), "article-unreadable", "error",
                                         f"the article cannot be read: {error.strerror or error}"))
            return None
        article, problems = parse(content.decode("utf-8", "replace"), article_id, lang, str(path))
        self.problems += problems
        return article


def library(layers: Sequence[Layer], refused: Collection[Path] = ()) -> Library:
    """The articles of the packs in force (see assistant/rules/packs.py), but for those whose
    roots are `refused` (see RuleSet)."""
    return Library(kb_roots([layer for layer in layers if layer.root not in refused]))


def in_language(steps: Mapping[str, tuple[str, ...]], lang: str) -> tuple[str, ...]:
    """Steps in `lang`, else in the language that there is; a step in another language is more
    use than none."""
    return steps.get(lang) or next(iter(steps.values()), ())
