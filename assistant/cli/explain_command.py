"""`kbtriage explain-code`: what error codes mean."""

from __future__ import annotations

import argparse
import re

from assistant.cli import language, options, output

_DESCRIPTION = """\
Says what error codes mean, what usually causes them, what to do, and whether they are
mostly a cause or follow from something else: CANN codes (EI0006), return codes (507015),
fault events of the NPU (0x80C78008), exit codes and signals (-9, 137, SIGSEGV), symbolic
names (ACL_ERROR_RT_AICORE_EXCEPTION)."""
_EPILOG = """\
examples:
  kbtriage explain-code EI0006
  kbtriage explain-code 507015 0x80C78008 --lang zh
  kbtriage explain-code -9
  kbtriage explain-code --format json EI0006 EI0002

exit status: 0 all are known, 2 one is not (its nearest neighbours are named)"""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand to the parser."""
    parser = commands.add_parser(
        "explain-code", help="say what error codes mean", description=_DESCRIPTION,
        epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("codes", nargs="+", metavar="CODE", help="an error code or exit code")
    parser.add_argument("--format", choices=("terminal", "json"), default="terminal",
                        help="form of the answer (default: terminal)")
    options.add_lang(parser)
    options.add_colour(parser)
    options.add_packs(parser, "use the catalogues and articles of this folder, too (repeatable)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print what is known of the codes; gives the exit status."""
    from assistant import guide, rules
    from assistant.guide import codes
    from assistant.render import codes as shown
    from assistant.rules import packs

    lang = language.chosen(arguments.lang)
    layers = packs.layers(arguments.pack)
    ruleset = rules.load(layers)
    library = guide.library(layers, ruleset.refused)
    found: dict[str, codes.Explanation] = {}
    unknown: dict[str, tuple[str, ...]] = {}
    for given in arguments.codes:
        # `-9/137` gives one exit code in its two spellings.
        spellings = [code for code in re.split(r"[/,\s]+", given) if code] or [given]
        known = filter(None, (codes.explain(code, ruleset, library, lang) for code in spellings))
        explanation = next(known, None)
        if explanation is None:
            unknown[given] = codes.nearest(given, ruleset)
        else:
            found.setdefault(explanation.code, explanation)
    if arguments.format == "json":
        from assistant.render.as_json import dumps

        output.emit(dumps(shown.to_dict([*found.values()], unknown, lang)) + "\n")
    else:
        output.emit(shown.terminal([*found.values()], lang, output.width(None),
                                   output.use_colour(arguments.color, None)))
    for code, near in unknown.items():
        hint = f"did you mean {' or '.join(near)}?" if near else "try kbtriage kb search"
        output.complain(f"nothing is known of the code {code!r}; {hint}")
    return 2 if unknown else 0
