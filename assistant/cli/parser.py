"""The parser of the command line, made of what each command adds to it."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from assistant import __version__

#: The commands in the order of the help, and the module of each. A module is imported when its
#: command may be meant: the parsers of all commands take longer than most of a small check.
_COMMANDS = {
    "check": "check_command",
    "collect": "collect_command",
    "watch": "watch_command",
    "rules": "rules_command",
    "pack": "pack_command",
    "kb": "kb_command",
    "explain-code": "explain_command",
    "schema": "schema_command",
    "report": "report_command",
    "serve": "serve_command",
    "completion": "completion_command",
}
_DESCRIPTION = """\
Finds out from the logs of an msrun job what went wrong first, on which rank, and what to
do about it."""
_EPILOG = """\
examples:
  kbtriage check output/msrun_log        diagnose the job that wrote these logs
  kbtriage check node-*/msrun_log        ... of several nodes
  kbtriage check logs.tar.gz --lang zh   ... in an archive, in Chinese
  kbtriage watch output/msrun_log        follow a running job
  kbtriage collect msrun_log -o n3.kbt   gather on a node what check needs of it
  kbtriage kb search port in use         find articles by words, a code or a message
  kbtriage explain-code EI0006 507015    what error codes mean
  kbtriage rules lint .kbtriage          check rules of your own
  kbtriage pack new our-cluster          begin a pack of rules and articles

`kbtriage COMMAND --help` tells more."""


def build_parser(words: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The parser; each command sets `run`, which gives the exit status.

    Args:
        words: what is to be parsed. If they begin with a command, the parser knows that one
            only; if they ask for the version, none; else it knows all of them.
    """
    parser: argparse.ArgumentParser = _Parser(
        prog="kbtriage", description=_DESCRIPTION, epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", action="version", version=f"kbtriage {__version__}")
    parser.set_defaults(whole=build_parser)
    # Without `prog` argparse formats a usage line for it, and loads what formatting needs.
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True,
                                     prog="kbtriage")
    first = words[0] if words else ""
    for name in [first] if first in _COMMANDS else [] if first == "--version" else _COMMANDS:
        import_module(f"assistant.cli.{_COMMANDS[name]}").add(commands)
    return parser


class _Parser(argparse.ArgumentParser):
    """A parser that knows that logs may be called anything."""

    def error(self, message: str) -> NoReturn:
        _, found, words = message.partition("unrecognized arguments: ")
        if found and any(not word.startswith("--") or os.path.lexists(word)
                         for word in words.split(" ") if word.startswith("-")):
            message += " (a path that begins with a dash stands behind --, or begins with ./)"
        super().error(message)
