"""The page of all commands and options, made from the parser.

    python -m assistant.cli.commands_page        writes docs/commands.md
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from assistant.cli.parser import build_parser

_HEAD = """\
# Commands

Made from the parser by `python -m assistant.cli.commands_page`; do not edit it. The same stands
in `kbtriage COMMAND --help`."""


def page(parser: argparse.ArgumentParser) -> str:
    """The page, ending with a line end."""
    return "\n".join([_HEAD, *_command(parser)]) + "\n"


def _command(parser: argparse.ArgumentParser) -> Iterator[str]:
    below: dict[str, argparse.ArgumentParser] = {}
    options: list[argparse.Action] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            below = dict(action.choices)
        elif action.help != argparse.SUPPRESS and "--help" not in action.option_strings:
            options.append(action)
    yield from ("", f"## {parser.prog}", "", parser.description or "")
    if options:
        yield from ("", "| argument | meaning |", "|---|---|")
        yield from (f"| {_spelled(option)} | {_cell(option.help or '')} |" for option in options)
    if parser.epilog:
        yield from ("", "```text", parser.epilog.strip(), "```")
    for child in below.values():
        yield from _command(child)


def _spelled(action: argparse.Action) -> str:
    value = ""
    if action.nargs != 0:
        value = str(action.metavar or "|".join(map(str, action.choices or ())) or
                    action.dest.upper())
    names = action.option_strings or [value]
    text = ", ".join(f"`{name}`" for name in names)
    return _cell(f"{text} `{value}`" if action.option_strings and value else text)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def main(folder: Path) -> int:
    """Write the page into a folder."""
    (folder / "commands.md").write_text(page(build_parser()), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs")))
