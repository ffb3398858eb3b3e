"""Keeping an answer in the store."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence

from assistant.render.phrases import sentence
from assistant.report.words import Words
from assistant.rules.types import LANGUAGES
from web.answer import Answer
from web.intake import Upload
from web.shared import shared

#: Logs beyond this are not kept with their report.
_MAX_INPUT = 32 << 20


def keep(answer: Answer, uploads: Sequence[Upload]) -> str:
    """Keep an answer; gives the token of its link. The store must be there."""
    store = shared().store
    if store is None:
        raise RuntimeError("there is no store")
    titles = {lang: sentence(answer.report(lang), Words(lang)) for lang in LANGUAGES}
    content = _packed(uploads) if shared().settings.store_inputs else None
    return store.keep(answer, titles, content)


def _packed(uploads: Sequence[Upload]) -> bytes | None:
    """The logs as a zip archive, None if they are too many for that."""
    if sum(upload.size for upload in uploads) > _MAX_INPUT:
        return None
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for upload in uploads:
            with upload.stream() as stream:
                archive.writestr(upload.name, stream.read())
    return target.getvalue()
