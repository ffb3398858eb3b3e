"""The report as JSON text that is safe on a terminal, too."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from assistant.report.json_form import to_dict
from assistant.report.types import Report


def json_text(report: Report, further: Mapping[str, Any] | None = None) -> str:
    """Indented JSON, ending with a line end; Chinese is left readable.

    Characters that do not print (control characters above 0x7f, bidirectional marks, lone
    surrogates ...) are written as `\\u` escapes, which mean the same in JSON.
    `further` keys stand beside those of the report.
    """
    text = json.dumps({**to_dict(report), **(further or {})}, ensure_ascii=False, indent=2,
                      allow_nan=False)
    if not all(line.isprintable() for line in text.split("\n")):
        text = "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)
    return text + "\n"
