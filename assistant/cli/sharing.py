"""The options by which a report is made fit to be shown to others."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from assistant.cli import output
from assistant.errors import UsageError

if TYPE_CHECKING:
    from assistant.redact import Redactor


def add_map_option(parser: argparse.ArgumentParser) -> None:
    """Add `--redact-map`."""
    parser.add_argument("--redact-map", metavar="FILE",
                        help="write into FILE what each placeholder stands for (keep it to "
                             "yourself)")


def redactor(private: Mapping[str, str]) -> Redactor:
    """A redactor that knows a site's expressions. Raises UsageError."""
    from assistant.redact import Redactor

    try:
        return Redactor(private)
    except ValueError as error:
        raise UsageError(f"site.yaml: redact: {error}") from error


def keep_map(made: Redactor, file: str | None) -> None:
    """Write the map, if it was asked for, readable by its owner only. Raises UsageError."""
    if file:
        output.emit(json.dumps(made.values, ensure_ascii=False, indent=2) + "\n", file,
                    private=True)
