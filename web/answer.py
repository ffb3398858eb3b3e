"""A check's answer as a value: the report in each language, and what is shown beside it.

It is plain JSON, so that it can be kept in a store, or, where nothing is kept, be carried by
the page itself: sealed, so that what comes back is known to be what was sent.
"""

from __future__ import annotations

import json
import types
import typing
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeVar

from itsdangerous import BadData, URLSafeSerializer

from assistant.evidence.types import Skipped
from assistant.redact.apply import learn, mapped, texts
from assistant.redact.known import known_hosts
from assistant.redact.redactor import Redactor
from assistant.report import to_dict
from assistant.report.types import Report
from assistant.rules.types import LANGUAGES
from assistant.sources.types import LogSource
from web.engine import Engine
from web.problems import ProblemError
from web.view.charts import charts
from web.view.context import context
from web.view.timeline import timeline

T = TypeVar("T")
#: Gives the logs of a check, and gives them again when called again.
Sources = Callable[[], Iterable[LogSource | Skipped]]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a result page shows.

    Attributes:
        reports: language to report.
        charts, timeline, context: see web/view.
        hosts: names of machines that the logs tell of, also where the report does not.
    """

    reports: dict[str, Report]
    charts: list[dict[str, Any]]
    timeline: dict[str, Any] | None
    context: dict[str, list[list[Any]]]
    hosts: tuple[str, ...] = ()

    def report(self, lang: str) -> Report:
        return self.reports[lang]

    def to_json(self) -> dict[str, Any]:
        return {"reports": {lang: to_dict(report) for lang, report in self.reports.items()},
                "charts": self.charts, "timeline": self.timeline, "context": self.context,
                "hosts": list(self.hosts)}

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Answer:
        """The inverse of `to_json`, for values that this program made."""
        return cls({lang: restored(Report, report) for lang, report in values["reports"].items()},
                   values["charts"], values["timeline"], values["context"],
                   tuple(values.get("hosts", ())))


def examine(engine: Engine, sources: Sources, proceed: Callable[[], None],
            inputs: tuple[str, ...] = ()) -> Answer:
    """Check logs, and take along what a page shows beside the report.

    Args:
        sources: gives the logs; called a second time for the lines around quotes.
        proceed: called now and then; raises to end the check.
        inputs: paths on this machine that the logs lie at.
    """
    checked = engine.check(sources(), proceed, inputs)
    reports = {lang: engine.report(checked, lang) for lang in LANGUAGES}
    proceed()
    return Answer(reports, charts(checked.diagnosis), timeline(checked.diagnosis),
                  context(checked.diagnosis, sources), known_hosts(checked.evidence))


def private(answer: Answer, redactor: Redactor) -> Answer:
    """The answer with placeholders for what is private, beside the report, too."""
    redactor.learn_hosts(answer.hosts)
    for report in answer.reports.values():
        learn(report, redactor)
    for text in texts(answer.context):  # the lines around quotes hold more than the report
        redactor.learn(text)
    return mapped(answer, redactor.rewrite)


class Seal:
    """Makes text of an answer that only this application could have made."""

    def __init__(self, secret: str) -> None:
        self._serializer = URLSafeSerializer(secret, salt="kbtriage.answer")

    def close(self, answer: Answer) -> str:
        """The answer as a compressed, signed text."""
        text = self._serializer.dumps(answer.to_json())
        return text if isinstance(text, str) else text.decode("ascii")

    def open(self, text: str) -> Answer:
        """The answer in a text. Raises ProblemError if this application did not seal it."""
        try:
            return Answer.from_json(self._serializer.loads(text))
        except (BadData, KeyError, TypeError, ValueError) as error:
            raise ProblemError("seal-broken") from error


def dump(answer: Answer) -> bytes:
    """The answer as bytes for a store."""
    return zlib.compress(json.dumps(answer.to_json(), ensure_ascii=False).encode("utf-8",
                                                                                "surrogatepass"))


def load(data: bytes) -> Answer:
    """The inverse of `dump`."""
    return Answer.from_json(json.loads(zlib.decompress(data).decode("utf-8", "surrogatepass")))


def restored(kind: type[T], value: Any) -> T:
    """A dataclass (of the report) from its JSON values; unknown members are passed over, so
    that an answer kept by a later version can be shown, too."""
    made: T = _restored(kind, value)
    return made


def _restored(kind: Any, value: Any) -> Any:
    origin = typing.get_origin(kind)
    if origin is tuple:
        return tuple(_restored(typing.get_args(kind)[0], item) for item in value)
    if origin in (types.UnionType, typing.Union):
        inner = [part for part in typing.get_args(kind) if part is not type(None)]
        return None if value is None else _restored(inner[0], value)
    if isinstance(kind, type) and is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        known = {item.name for item in fields(kind)}
        return kind(**{name: _restored(hints[name], item) for name, item in value.items()
                       if name in known})
    return value
