"""Kept reports: one by its link, the list, and deleting. Only where there is a store."""

from __future__ import annotations

from datetime import datetime, timezone

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from web.pages.result import FORMS, download, page
from web.problems import ProblemError
from web.shared import shared
from web.store import Store

blueprint = Blueprint("reports", __name__, url_prefix="/reports")


@blueprint.get("")
def recent() -> str:
    """The latest reports."""
    store = _store()
    if not shared().settings.list_reports:
        raise ProblemError("no-such-page")
    return render_template("reports.html", reports=store.recent(), moment=moment,
                           deleted="deleted" in request.args)


@blueprint.get("/<token>")
def show(token: str) -> Response:
    """A kept report; `?as=` gives it as a file."""
    found = _store().find(token)
    if found is None:
        raise ProblemError("no-such-page")
    kept, answer = found
    form = request.args.get("as")
    if form in FORMS:
        return download(answer, str(form))
    return Response(page(answer, kept=kept, until=moment(kept.expires),
                         recurrence=_store().recurrence(answer.report("en"))),
                    mimetype="text/html")


@blueprint.get("/<token>/logs")
def logs(token: str) -> Response:
    """The logs of a kept report, where the operator keeps them."""
    content = _store().content(token)
    if content is None:
        raise ProblemError("no-such-page")
    response = Response(content, content_type="application/zip")
    response.headers["Content-Disposition"] = 'attachment; filename="logs.zip"'
    return response


@blueprint.post("/<token>/delete")
def delete(token: str) -> AnyResponse:
    """Delete a report: whoever has its link may."""
    if not _store().delete(token):
        raise ProblemError("no-such-page")
    listed = shared().settings.list_reports
    return redirect(url_for("reports.recent", deleted=1) if listed
                    else url_for("triage.form"), code=303)


def moment(time: float) -> str:
    """A time of this server's clock for people."""
    return datetime.fromtimestamp(time, timezone.utc).strftime("%Y-%m-%d %H:%M UTC")


def _store() -> Store:
    """The store. Raises ProblemError where there is none."""
    store = shared().store
    if store is None:
        raise ProblemError("no-such-page")
    return store
