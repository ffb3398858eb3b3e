"""The API: the same check for programs, articles and rules as JSON, and its own description."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from flask import Blueprint, Response, g, jsonify, request, url_for

from assistant import __version__
from assistant.guide import Article, fill
from assistant.render import markdown, terminal
from assistant.render.as_json import json_text
from assistant.report.types import Report
from assistant.rules.types import CATEGORIES, LANGUAGES, Rule
from web.intake import Upload, is_form, read_body, read_form
from web.intake.request import FIELDS, admit_size
from web.openapi import openapi
from web.pages.checking import check
from web.pages.keeping import keep
from web.pages.knowledge import find, languages_of, title_of
from web.problems import ProblemError
from web.settings import Settings
from web.shared import shared

blueprint = Blueprint("api", __name__)
_ROOT = "/api/v1"
#: `?format=` to the media type of the answer.
FORMATS = {"json": "application/json", "markdown": "text/markdown", "text": "text/plain"}
_FORMS: dict[str, Callable[[Report], str]] = {
    "application/json": json_text, "text/markdown": markdown.render,
    "text/plain": terminal.render}


@blueprint.post(f"{_ROOT}/check")
def check_logs() -> Response:
    """Check text or files; answers the report. `?lang=` its language, `?keep=yes` keeps it,
    `?format=` (or Accept) json, markdown or text."""
    settings = shared().settings
    admit_size(request, settings)
    lang = _lang("kind", "rank", "name", "keep", "format")
    form = _format()
    kept = _one_of("keep", ("yes", "no")) == "yes"
    given = _form(settings) if is_form(request) else read_body(request, settings)
    answer = check(given)
    response = Response(_FORMS[form](answer.report(lang)), mimetype=form)
    response.headers["Vary"] = "Accept"
    if shared().store is not None and kept:
        response.headers["Link"] = (f"<{url_for('reports.show', token=keep(answer, given))}>; "
                                    'rel="alternate"; type="text/html"')
    return response


@blueprint.get(f"{_ROOT}/articles")
def articles() -> Response:
    """All articles, or those that `?q=` finds in `?category=`."""
    _lang("q", "category")
    found = find(request.args.get("q", ""), _one_of("category", CATEGORIES), "article")
    return jsonify({"articles": [
        {"id": entry.id, "title": entry.title(g.lang), "category": entry.category,
         "languages": languages_of(entry.id),
         "url": url_for("knowledge.article", article_id=entry.id)} for entry in found.articles]})


@blueprint.get(f"{_ROOT}/articles/<article_id>")
def article(article_id: str) -> Response:
    """One article: its steps as lines, its sections as Markdown."""
    _lang()
    found = shared().engine.library.article(article_id, g.lang)
    if found is None:
        raise ProblemError("not-found", what=article_id)
    return jsonify(_article(found))


@blueprint.get(f"{_ROOT}/rules")
def rules() -> Response:
    """All rules, or those that `?q=` finds in `?category=`."""
    _lang("q", "category")
    found = find(request.args.get("q", ""), _one_of("category", CATEGORIES), "rule")
    listed = dict.fromkeys(entry.id for entry in [*found.recognised, *found.rules])
    known = (shared().engine.rule(rule_id) for rule_id in listed)
    return jsonify({"rules": [_rule(rule) for rule in known if rule is not None]})


@blueprint.get(f"{_ROOT}/rules/<rule_id>")
def rule(rule_id: str) -> Response:
    """One rule."""
    _lang()
    found = shared().engine.rule(rule_id)
    if found is None:
        raise ProblemError("not-found", what=rule_id)
    return jsonify(_rule(found))


@blueprint.get("/healthz")
@blueprint.get(f"{_ROOT}/healthz")
def health() -> Response:
    """Whether this server can check logs."""
    engine = shared().engine
    return jsonify({"status": "ok", "version": __version__, "rules": len(engine.rules.every()),
                    "engine": engine.patterns.name})


@blueprint.get(f"{_ROOT}/openapi.json")
def openapi_document() -> Response:
    """The description of this API (OpenAPI 3.1)."""
    return jsonify(openapi(shared().settings, url_for("triage.form").rstrip("/")))


def _lang(*others: str) -> str:
    """The language asked for by `?lang=`, English by default; `others` are the parameters that
    are known beside it. Raises ProblemError."""
    known = ("lang", *others)
    for name in request.args:
        if name not in known:
            raise ProblemError("unknown-parameter", field=name, expected=", ".join(known))
    g.lang = _one_of("lang", LANGUAGES) or "en"
    lang: str = g.lang
    return lang


def _one_of(name: str, known: Sequence[str]) -> str:
    """A parameter that is one of some words, empty where it is not given. Raises ProblemError."""
    value = request.args.get(name, "")
    if value and value not in known:
        raise ProblemError("bad-field", field=name, expected=", ".join(known))
    return value


def _format() -> str:
    """The media type of the report: by `?format=`, else by what the client accepts."""
    wanted = request.args.get("format")
    if wanted is None:
        return request.accept_mimetypes.best_match([*_FORMS], "application/json")
    if wanted not in FORMATS:
        raise ProblemError("bad-field", field="format", expected=", ".join(FORMATS))
    return FORMATS[wanted]


def _form(settings: Settings) -> list[Upload]:
    """What a form holds. Raises ProblemError, too, for fields that nobody reads."""
    given = read_form(request, settings)
    for name in (*request.form, *request.files):
        if name not in FIELDS:
            raise ProblemError("unknown-parameter", field=name, expected=", ".join(FIELDS))
    return given


def _article(found: Article) -> dict[str, Any]:
    return {"id": found.id, "lang": found.lang, "title": fill(found.title, {}),
            "category": found.category, "meaning": found.meaning, "steps": list(found.steps),
            "otherwise": found.otherwise,
            "sections": {key: section.text for key, section in found.sections.items()},
            "url": url_for("knowledge.article", article_id=found.id)}


def _rule(found: Rule) -> dict[str, Any]:
    return {"id": found.id, "title": title_of(found, g.lang), "category": found.category,
            "severity": found.severity, "article": found.article, "source": found.source,
            "owner": found.owner, "signals": list(found.signals),
            "references": list(found.references),
            "url": url_for("knowledge.rule", rule_id=found.id)}
