"""Looking around below the roots that the operator names, to find the logs to check."""

from __future__ import annotations

from datetime import datetime

from flask import Blueprint, render_template, request

from assistant.report.words import Words
from assistant.sources.names import printable
from web.intake.server import find, listing
from web.problems import ProblemError
from web.shared import shared

blueprint = Blueprint("browse", __name__)


@blueprint.get("/browse")
def folder() -> str:
    """A folder below a root: `?root=` its number, `?path=` relative to it."""
    roots = shared().settings.root
    if not roots:
        raise ProblemError("no-such-page")
    if "root" not in request.args and len(roots) > 1:
        return render_template("browse.html", roots=[printable(root) for root in roots],
                               place=None)
    place = find(roots, request.args.get("root", 0, int), request.args.get("path", ""))
    if not place.is_folder:
        raise ProblemError("not-found", what=printable(place.relative))
    entries, more = listing(place)
    parent = place.relative.rpartition("/")[0] if place.relative else None
    return render_template(
        "browse.html", roots=roots, place=place, entries=entries, more=more, parent=parent,
        shown=printable(place.relative), size=Words("en").size,
        time=lambda t: datetime.fromtimestamp(t).strftime("%Y-%m-%d %H:%M"))
