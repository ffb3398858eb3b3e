"""How a file of rules is written, which changes nothing: checked on demand (`--also`)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from assistant.rules import schema_text
from assistant.rules.reading import Content, WrittenRule
from assistant.rules.types import Position, Problem
from assistant.rules.yaml_source import Document

#: The optional codes, in the order in which they are checked.
OPTIONAL = ("no-owner", "no-schema-line", "trailing-space", "key-order")
SCHEMA_LINE = "# yaml-language-server: $schema="


def check_form(content: Content) -> Iterator[Problem]:
    """All optional warnings of a file."""
    document = content.document
    if document.value is None:
        return
    yield from (problem for rule in content.rules if rule.rule.usually is None
                for problem in _of_rule(rule))
    if not any(line.startswith(SCHEMA_LINE) for line in document.lines[:5]):
        yield _warning(Position(document.file, 1, 1), "no-schema-line",
                       "no line says which schema the file has",
                       f"begin it with `{SCHEMA_LINE}...`")
    for number, line in enumerate(document.lines, 1):
        if line != line.rstrip(" \t") and not in_block(document, number):
            yield _warning(Position(document.file, number, len(line.rstrip(" \t")) + 1),
                           "trailing-space", "blanks at the end of the line", "remove them")


def _of_rule(rule: WrittenRule) -> Iterator[Problem]:
    if rule.rule.owner is None:
        yield _warning(rule.at("id"), "no-owner", f"nobody answers for `{rule.rule.id}`",
                       "add `owner:` with a team or an address")
    order = key_order()
    given = [key for key in rule.value if key in order]
    wanted = sorted(given, key=order.index)
    for key, expected in zip(given, wanted, strict=True):
        if key != expected:
            yield _warning(rule.key(key), "key-order",
                           f"`{key}` stands where `{expected}` usually does",
                           "the usual order: " + ", ".join(wanted))
            return


@cache
def key_order() -> list[str]:
    """The keys of a rule in the usual order: that of the schema, with the tests at the end."""
    schema = json.loads(schema_text("rule"))
    keys = list(schema["$defs"]["rule"]["properties"])
    return [*(key for key in keys if key != "tests"), "tests"]


def in_block(document: Document, line: int) -> bool:
    """Whether a line belongs to a text of several lines, where blanks mean something."""
    return any(span.style and span.line < line <= span.line + document.text.count(
        "\n", span.start, span.end) for span in document.spans.values())


def schema_for(file: Path, kind: str) -> str:
    """Where the schema of a file lies, as its first line would say it: in the folder .schema of
    the pack around it, "" if there is none."""
    for depth, folder in enumerate(file.resolve().parents):
        if (folder / ".schema" / f"{kind}.schema.json").is_file():
            return f"{'../' * depth}.schema/{kind}.schema.json"
    return ""


def _warning(position: Position, code: str, message: str, cure: str) -> Problem:
    return Problem(position, code, "warning", message, cure)
