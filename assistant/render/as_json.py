"""JSON text that is safe on a terminal, too."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from assistant.report.json_form import to_dict
from assistant.report.types import Report


def json_text(report: Report, further: Mapping[str, Any] | None = None) -> str:
    """A report as indented JSON, ending with a line end; `further` keys stand beside its own."""
    return dumps({**to_dict(report), **(further or {})}) + "\n"


def dumps(value: Any, indent: int | None = 2, *, ascii_only: bool = False) -> str:
    """JSON in which Chinese is left readable, unless `ascii_only`.

    Characters that do not print (control characters above 0x7f, bidirectional marks, lone
    surrogates ...) are written as `\\u` escapes, which mean the same in JSON.
    """
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent, allow_nan=False)
    if not all(line.isprintable() for line in text.split("\n")):
        text = "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)
    return text
