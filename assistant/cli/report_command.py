"""`kbtriage report`: a report that can be given to others."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from assistant.cli import check_command, language, options, output, sharing
from assistant.errors import UsageError

if TYPE_CHECKING:
    from assistant.pipeline import Examined

_DESCRIPTION = """\
Checks logs and makes of the result something to give to others: the text of an issue
(environment, what was found, the smallest excerpt of the logs that shows it), or one HTML
file that opens without a network.

Addresses, names of hosts and users, home directories, mail addresses and keys are replaced
by placeholders (<ip-1>, <host-1>, <user-1> ...), the same value by the same one. Look it
through all the same before you publish it: no program knows everything that is private."""
_EPILOG = """\
examples:
  kbtriage report --issue output/msrun_log                   Markdown on standard output
  kbtriage report --html -o report.html output/msrun_log
  kbtriage report --issue --redact-map names.json PATH       ... and who is who, for yourself

exit status: 0 the report was made, whatever it says; 2 the call or its input is unusable"""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand to the parser."""
    parser = commands.add_parser(
        "report", help="make an issue text or one HTML file to give to others",
        description=_DESCRIPTION, epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", metavar="PATH", help="logs to read, as for check")
    form = parser.add_mutually_exclusive_group(required=True)
    form.add_argument("--issue", action="store_true", help="Markdown for an issue tracker")
    form.add_argument("--html", action="store_true",
                      help="the result page as one file (needs -o)")
    options.add_output(parser, "write into FILE, all at once, not to standard output")
    parser.add_argument("--no-redact", action="store_true",
                        help="leave addresses, names and keys as they are")
    sharing.add_map_option(parser)
    options.add_lang(parser)
    check_command.add_reading_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check and write; gives the exit status."""
    if "-" in arguments.paths:
        raise UsageError("standard input cannot be read twice, and an excerpt needs that; "
                         "put it into a file: kbtriage report FILE")
    if arguments.html and not arguments.output:
        raise UsageError("name the file for the page: kbtriage report --html -o report.html")
    if arguments.no_redact and arguments.redact_map:
        raise UsageError("--redact-map has nothing to tell with --no-redact; drop one of them")
    lang = language.chosen(arguments.lang)
    examined = check_command.examine(arguments, lang)
    output.emit(_page(examined, arguments, lang) if arguments.html
                else _issue(examined, arguments, lang), arguments.output)
    return 0


def _issue(examined: Examined, arguments: argparse.Namespace, lang: str) -> str:
    from dataclasses import replace

    from assistant import share
    from assistant.redact import redact

    report = examined.report(lang)
    excerpt = share.smallest(examined, examined.sources) if examined.rereadable else None
    if arguments.no_redact:
        return share.issue(report, excerpt)
    redactor = sharing.redactor(examined)
    lines = [line for piece in (excerpt.pieces if excerpt else {}).values()
             for line in piece.values()]
    for line in lines:
        redactor.learn(line)
    report = redact(report, redactor)
    if excerpt is not None:
        excerpt = replace(excerpt, pieces={
            redactor.rewrite(name): {number: redactor.rewrite(line)
                                     for number, line in piece.items()}
            for name, piece in excerpt.pieces.items()})
    sharing.keep_map(redactor, arguments.redact_map)
    return share.issue(report, excerpt)


def _page(examined: Examined, arguments: argparse.Namespace, lang: str) -> str:
    from web.file import page
    from web.settings import Settings

    redactor = None
    if not arguments.no_redact:
        redactor = sharing.redactor(examined)
    made = page(examined, lang, redactor, Settings(
        isolate=False, pack=tuple(arguments.pack), engine=arguments.engine,
        cache=not arguments.no_cache))
    if redactor is not None:
        sharing.keep_map(redactor, arguments.redact_map)
    return made
