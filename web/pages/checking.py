"""One check for a request; what the page and the API have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from flask import g, request

from assistant.render.phrases import not_read
from web.answer import Answer
from web.intake import Upload
from web.intake.paste import is_joined
from web.problems import ProblemError
from web.shared import shared
from web.words import PageWords

#: Reasons that are told when nothing could be read.
_REASONS = 3


def check(uploads: Sequence[Upload], inputs: tuple[str, ...] = ()) -> Answer:
    """Diagnose what was sent, or what lies at `inputs` on this machine. Raises ProblemError."""
    here = shared()
    if not uploads:
        raise ProblemError("nothing-given")
    here.rate.admit(request.remote_addr or "")
    with here.gate.enter():
        answer = here.workers.run(uploads, inputs)
    if any(_joined(upload) for upload in uploads):
        _remark(answer)
    read = answer.report("en").inputs
    if not read.files:
        words = PageWords(g.get("lang", "en"))
        raise ProblemError("no-log", detail=" ".join(
            not_read(row, words) + "." for row in read.skipped[:_REASONS]))
    return answer


def _joined(upload: Upload) -> bool:
    """Whether a paste lost its line ends."""
    if not upload.shared:  # a file: read as it is
        return False
    with upload.stream() as stream:
        return is_joined(stream.read(1 << 18))


def _remark(answer: Answer) -> None:
    """Say that lines stand together that were written apart."""
    for lang, report in answer.reports.items():
        said = PageWords(lang)("check.joined")
        answer.reports[lang] = replace(report, inputs=replace(
            report.inputs, remarks=(*report.inputs.remarks, said)))
