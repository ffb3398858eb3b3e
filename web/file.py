"""The result page as one file, for the command line: nothing is served."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import g

from assistant.redact.known import known_hosts
from assistant.rules.types import LANGUAGES
from web.answer import Answer, private
from web.app import create_app
from web.pages.result import standalone
from web.view.charts import charts
from web.view.context import context
from web.view.timeline import timeline

if TYPE_CHECKING:
    from assistant.pipeline import Examined
    from assistant.redact import Redactor
    from web.settings import Settings


def page(examined: Examined, lang: str, redactor: Redactor | None, settings: Settings) -> str:
    """HTML that opens without a network. What is private is replaced unless `redactor` is
    None; `settings` name the packs of which the page tells."""
    diagnosis = examined.diagnosis
    answer = Answer(
        {each: examined.report(each) for each in LANGUAGES}, charts(diagnosis),
        timeline(diagnosis),
        context(diagnosis, examined.sources) if examined.rereadable else {},
        known_hosts(examined.evidence))
    if redactor is not None:
        answer = private(answer, redactor)
    app = create_app(settings)
    with app.test_request_context():
        g.lang = lang
        return standalone(answer)
