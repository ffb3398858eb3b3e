"""The options by which a report is made fit to be shown to others."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from assistant.cli import options, output
from assistant.errors import UsageError

if TYPE_CHECKING:
    from assistant.pipeline import Examined
    from assistant.redact import Redactor


def add_map_option(parser: argparse.ArgumentParser) -> None:
    """Add `--redact-map`."""
    parser.add_argument("--redact-map", metavar="FILE", type=options.file_name,
                        help="write into FILE what each placeholder stands for (keep it to "
                             "yourself)")


def redactor(examined: Examined) -> Redactor:
    """A redactor that knows the site's expressions, and the machines that the logs name.
    Raises UsageError."""
    from assistant.redact import Redactor, known_hosts

    try:
        made = Redactor(examined.knowledge.rules.private)
    except ValueError as error:
        raise UsageError(f"site.yaml: redact: {error}") from error
    made.learn_hosts(known_hosts(examined.evidence))
    return made


def keep_map(made: Redactor, file: str | None) -> None:
    """Write the map, if it was asked for, readable by its owner only. Raises UsageError."""
    if file:
        output.emit(json.dumps(made.values, ensure_ascii=False, indent=2) + "\n", file,
                    private=True)
