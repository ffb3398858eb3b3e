"""`kbtriage rules explain`: why a rule was found in some logs, or was not."""

from __future__ import annotations

import argparse
import io
import sys

from assistant.cli import language, options, output

_EPILOG = """\
examples:
  kbtriage rules explain storage.scratch-quota output/msrun_log
  kbtriage rules explain storage.scratch-quota --pack our-pack worker_3.log
  kbtriage rules explain hang.silent-rank --format json node-*/msrun_log

marks: `+` true, `-` not, `~` the nearest miss, `!` a line that matches and does not count
exit status: 0 the rule is reported, 1 it is not, 2 the call or its input is unusable"""


def add(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the action to the parser of `rules`."""
    parser = actions.add_parser(
        "explain", help="say why a rule was found in some logs, or was not",
        description="Shows clause by clause and rank by rank what was true of a rule, the nearest "
                    "miss, what would have made it hold, and what keeps it out of the report.",
        epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rule", metavar="ID", help="id of the rule")
    parser.add_argument("paths", nargs="+", metavar="PATH", help="logs, as for check")
    options.add_packs(parser, "use the rules of this folder (or file), too (repeatable)")
    parser.add_argument("--format", choices=("terminal", "json"), default="terminal",
                        help="form of the account (default: terminal)")
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the account; gives the exit status."""
    from assistant.cli.progress import shown
    from assistant.explain.asked import explain

    lang = language.chosen(arguments.lang)
    given = (sys.stdin.buffer.read() if "-" in arguments.paths and sys.stdin is not None else b"")
    with shown(lang) as progress:
        account = explain(arguments.rule, arguments.paths, packs=arguments.pack,
                          stdin=lambda: io.BytesIO(given), progress=progress)
    if arguments.format == "json":

        from assistant.explain.as_json import to_dict
        from assistant.render.as_json import dumps

        output.emit(dumps(to_dict(account, lang)) + "\n")
    else:
        from assistant.explain.text import text

        output.emit(text(account, lang, output.width(None)))
    return 0 if account.status in ("cause", "consequence", "note", "silenced") else 1
