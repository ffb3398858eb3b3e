"""The command `kbtriage`: its parser, and what every subcommand has in common.

Modules are imported when their subcommand runs, so that `kbtriage --version` costs little.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from assistant import __version__
from assistant.cli import output
from assistant.cli.entry import INTERRUPTED
from assistant.errors import UsageError

#: Exit status of a program that has a defect (EX_SOFTWARE).
DEFECT = 70

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


def build_parser() -> argparse.ArgumentParser:
    """The parser with all subcommands; each sets `run`, which gives the exit status."""
    from assistant.cli import (
        check_command,
        collect_command,
        completion_command,
        explain_command,
        kb_command,
        pack_command,
        report_command,
        rules_command,
        schema_command,
        serve_command,
        watch_command,
    )

    parser: argparse.ArgumentParser = _Parser(
        prog="kbtriage", description=_DESCRIPTION, epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", action="version", version=f"kbtriage {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    check_command.add(commands)
    collect_command.add(commands)
    watch_command.add(commands)
    rules_command.add(commands)
    pack_command.add(commands)
    kb_command.add(commands)
    explain_command.add(commands)
    schema_command.add(commands)
    report_command.add(commands)
    serve_command.add(commands)
    completion_command.add(commands)
    return parser


class _Parser(argparse.ArgumentParser):
    """A parser that knows that logs may be called anything."""

    def error(self, message: str) -> NoReturn:
        _, found, words = message.partition("unrecognized arguments: ")
        if found and any(not word.startswith("--") or os.path.lexists(word)
                         for word in words.split(" ") if word.startswith("-")):
            message += " (a path that begins with a dash stands behind --, or begins with ./)"
        super().error(message)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and give the exit status."""
    try:
        arguments = build_parser().parse_args(argv)
        status: int = arguments.run(arguments)
        return status
    except UsageError as error:
        output.complain(str(error))
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader of standard output has seen enough
        output.forget_output()
        return 0
    except Exception:
        import traceback

        traceback.print_exc()
        output.complain(f"this is a defect of kbtriage {__version__}, not of your job; "
                        "please report the lines above")
        return DEFECT
    finally:
        output.flush()


if __name__ == "__main__":
    from assistant.cli.entry import run

    sys.exit(run())
