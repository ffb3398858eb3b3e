"""The first page: give logs, get an answer."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from web.intake import read_form
from web.intake.paste import KINDS
from web.intake.request import admit_size
from web.intake.server import Place, find_path, uploads
from web.pages.checking import check
from web.pages.keeping import keep
from web.pages.result import page
from web.shared import shared

blueprint = Blueprint("triage", __name__)
#: The text behind "fill in a real failure": logs as `tail -n 500 *.log` shows them.
_SAMPLE = Path(__file__).parent.parent / "samples" / "exception-on-one-rank.txt"


@blueprint.get("/")
def form() -> str:
    """The form; `?sample=1` fills in a real failure, `?path=` a path on this server."""
    return render_template("triage.html", kinds=KINDS,
                           text=_sample() if "sample" in request.args else "",
                           path=request.args.get("path", ""))


@blueprint.get("/check")
def ask_again() -> AnyResponse:
    """A reload of an answer's address, where nothing is kept."""
    return redirect(url_for("triage.form"))


@blueprint.post("/check")
def submit() -> AnyResponse:
    """Check what the form holds; shows the answer, or leads to it where reports are kept."""
    settings = shared().settings
    admit_size(request, settings)
    sent = read_form(request, settings)
    place = _on_server()
    given = sent + (uploads(place) if place is not None else [])
    # With something sent beside it, the path would stand for what it does not hold.
    answer = check(given, (str(place.real),) if place is not None and not sent else ())
    if shared().store is not None and request.form.get("keep") == "yes":
        return redirect(url_for("reports.show", token=keep(answer, given)), code=303)
    return Response(page(answer), mimetype="text/html")


def _on_server() -> Place | None:
    """What the form's path leads to. Raises ProblemError if it is below no root."""
    roots = shared().settings.root
    path = request.form.get("path", "").strip()
    return find_path(roots, path) if path and roots else None


@lru_cache(maxsize=1)
def _sample() -> str:
    return _SAMPLE.read_text(encoding="utf-8")
