"""The result page, in other languages and as files, from an answer that the page carries."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any

from flask import Blueprint, Response, g, render_template, request

from assistant import __version__
from assistant.redact import Redactor
from assistant.render.as_json import json_text
from assistant.rules.types import LANGUAGES
from web.answer import Answer, private
from web.intake.request import admit_size
from web.pages.standalone import assets, policy
from web.problems import ProblemError
from web.shared import shared
from web.view.page import view
from web.words import PageWords

blueprint = Blueprint("result", __name__)
#: What a report can be had as: media type and name of the file.
FORMS: Mapping[str, tuple[str, str]] = {
    "json": ("application/json", "kbtriage-report.json"),
    "markdown": ("text/markdown; charset=utf-8", "kbtriage-report.md"),
    # A page is made to be sent to others: `html` holds placeholders for what is private.
    "html": ("text/html; charset=utf-8", "kbtriage-report.html"),
    "html-whole": ("text/html; charset=utf-8", "kbtriage-report.html"),
}
#: A seal is longer than any text that is pasted as a log.
_MAX_SEAL = 64 << 20


@blueprint.post("/result")
def again() -> Response:
    """The answer that a page carries: in the other language, or as a file."""
    settings = shared().settings
    admit_size(request, settings)
    request.max_form_memory_size = _MAX_SEAL
    answer = shared().seal.open(request.form.get("sealed", ""))
    lang = request.form.get("lang", g.lang)
    if lang not in LANGUAGES:
        raise ProblemError("bad-field", field="lang", expected=", ".join(LANGUAGES))
    g.lang = lang
    form = request.form.get("as")
    if form is None:
        return Response(page(answer), mimetype="text/html")
    return download(answer, form)


def page(answer: Answer, **more: Any) -> str:
    """The result page; `more` is what a kept report shows in addition."""
    sealed = None if "kept" in more else shared().seal.close(answer)
    return render_template("result.html", view=_view(answer), sealed=sealed, standalone=False,
                           **{"kept": None, "recurrence": _recurrence(answer), **more})


def download(answer: Answer, form: str) -> Response:
    """The answer as a file. Raises ProblemError for a form that there is not."""
    if form not in FORMS:
        raise ProblemError("bad-field", field="as", expected=", ".join(FORMS))
    mimetype, name = FORMS[form]
    report = answer.report(g.lang)
    if form == "json":
        text = json_text(report)
    elif form == "markdown":
        from assistant.render import markdown

        text = markdown.render(report)
    elif form == "html":
        text = standalone(private(answer, Redactor(shared().engine.rules.private)))
    else:
        text = standalone(answer)
    response = Response(text, content_type=mimetype)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def standalone(answer: Answer) -> str:
    """One HTML file that needs nothing else; only its own scripts may run in it."""
    style, script = assets()
    when = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    return render_template("result.html", view=_view(answer), sealed=None, standalone=True,
                           kept=None, recurrence=None, style=style, script=script,
                           policy=policy(style, script), when=when, version=__version__)


def _view(answer: Answer) -> dict[str, Any]:
    return view(answer, PageWords(g.lang), shared().engine.rule)


def _recurrence(answer: Answer) -> Any:
    store = shared().store
    if store is None:
        return None
    try:
        return store.recurrence(answer.report(g.lang))
    except ProblemError:  # it is in the server's log; the answer itself does not need it
        return None
