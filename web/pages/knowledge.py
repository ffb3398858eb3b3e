"""Articles and rules: the list, the search, one article, one rule."""

from __future__ import annotations

from threading import Lock
from typing import Any

from flask import Blueprint, current_app, g, render_template, request

from assistant.authoring.rule_files import read_rules
from assistant.authoring.show import rule_text
from assistant.errors import UsageError
from assistant.guide import fill
from assistant.guide.articles import HEADINGS
from assistant.rules.reading import WrittenRule
from assistant.rules.types import CATEGORIES, LANGUAGES, Rule
from web.knowledge.explain import condition, explain
from web.knowledge.search import Index
from web.markdown import html
from web.problems import ProblemError
from web.shared import shared
from web.words import PageWords

blueprint = Blueprint("knowledge", __name__, url_prefix="/knowledge")
_LOCK = Lock()
#: Articles, and rules, of one page.
_LISTED = 60


@blueprint.get("")
def index() -> str:
    """All articles and rules, or those that a search finds."""
    query = request.args.get("q", "")
    category = request.args.get("category", "")
    kind = request.args.get("kind", "")
    found = find(query, category, kind)
    return render_template("knowledge.html", query=query, category=category, kind=kind,
                           found=found, categories=CATEGORIES,
                           limit=10_000 if "all" in request.args else _LISTED)


@blueprint.get("/articles/<article_id>")
def article(article_id: str) -> str:
    """One article."""
    engine = shared().engine
    found = engine.library.article(article_id, g.lang)
    if found is None:
        raise ProblemError("not-found", what=article_id)
    sections = [(section.heading, html(section.text)) for key in HEADINGS
                if (section := found.sections.get(key)) is not None]
    leading = [rule for rule in engine.rules.every() if rule.article == article_id]
    return render_template("article.html", article=found, sections=sections, rules=leading,
                           fill=lambda text: fill(text, {}),
                           known_category=found.category in CATEGORIES)


@blueprint.get("/rules/<rule_id>")
def rule(rule_id: str) -> str:
    """One rule in plain words, with its tests and as it is written."""
    engine = shared().engine
    found = engine.rule(rule_id)
    if found is None:
        raise ProblemError("not-found", what=rule_id)
    words = PageWords(g.lang)
    written = _written(found)
    explains = [(name, engine.rule(name) is not None) for relation in found.explains
                for name in relation.rules]
    return render_template(
        "rule.html", rule=found, explains=explains,
        unless=[(name, engine.rule(name) is not None) for name in found.unless],
        title=fill(found.title.get(g.lang) or found.title["en"], {}),
        article=engine.library.article(found.article, g.lang),
        signals=[explain(name, signal, words) for name, signal in found.signals.items()],
        condition=condition(found.when, words), silenced=engine.rules.silenced.get(rule_id),
        tests=written.rule.tests if written else (), text=rule_text(written) if written else "")


def find(query: str, category: str = "", kind: str = "") -> Any:
    """See Index.search; unknown categories and kinds find nothing and fail nothing."""
    return _index().search(query, category if category in CATEGORIES else "",
                           kind if kind in ("article", "rule") else "", g.lang)


def title_of(item: Rule, lang: str) -> str:
    """A rule's title as a person should read it."""
    return fill(item.title.get(lang) or item.title["en"], {})


def languages_of(article_id: str) -> list[str]:
    """Languages in which an article exists."""
    library = shared().engine.library
    return [lang for lang in LANGUAGES
            if (found := library.article(article_id, lang)) is not None and found.lang == lang]


def _index() -> Index:
    """Made when it is first asked for, since most start-ups only check logs."""
    with _LOCK:
        made = current_app.extensions.get("kbtriage.index")
        if made is None:
            engine = shared().engine
            made = Index(engine.library, engine.search, engine.rules.every(), engine.matching)
            current_app.extensions["kbtriage.index"] = made
    found: Index = made
    return found


def _written(found: Rule) -> WrittenRule | None:
    """The rule in its file, with its tests; None if the file cannot be read any more."""
    try:
        return next((written for written in read_rules([found.position.file])
                     if written.rule.id == found.id), None)
    except (UsageError, OSError):
        return None
