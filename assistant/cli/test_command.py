"""`kbtriage rules test`: run the tests of rules, the cases of packs, and healthy logs."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from assistant.cli import language, options, output
from assistant.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assistant.rules.packs import Layer

_EPILOG = """\
examples:
  kbtriage rules test our-pack                  tests inside rules and beside them, and cases/
  kbtriage rules test our-pack --watch          ... again at every change
  kbtriage rules test --strict --coverage       what the tests do not notice, and do not show
  kbtriage rules test --healthy our-logs        blame nothing on these logs, one job an entry
  kbtriage rules test our-pack --junit out.xml  ... for a CI system

exit status: 0 nothing wrong, 1 failed tests, noise or survivors, 2 the call cannot be used"""


def add(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Add the action to the parser of `rules`, and give it."""
    parser = actions.add_parser(
        "test", help="run the tests of rules",
        description="Runs the tests inside rules, those beside them (NAME.test.yaml) and the cases "
                    "of packs (cases/NAME/expect.yaml): `missing` is a rule that should have been "
                    "found, `noisy` one that should not, `wrong` one found in another way. "
                    "Then runs all rules over healthy logs: `noise` is what they blame there.",
        epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strict", action="store_true",
                        help="break each rule in one place at a time; its own tests must notice")
    parser.add_argument("--coverage", action="store_true",
                        help="tell which signals no test shows true and false, and which branches "
                             "of an `or` no test takes alone")
    parser.add_argument("--healthy", metavar="DIR",
                        help="the healthy logs (default: those that kbtriage brings)")
    parser.add_argument("--no-healthy", action="store_true", help="run over no healthy logs")
    parser.add_argument("--rule", action="append", default=[], metavar="ID",
                        help="only this rule, by id or glob (repeatable); no cases")
    parser.add_argument("--watch", action="store_true",
                        help="run again at every change of a file, until Ctrl-C")
    parser.add_argument("--junit", metavar="FILE", type=options.file_name,
                        help="write the results as JUnit's XML, too")
    parser.add_argument("--format", choices=("terminal", "json"), default="terminal",
                        help="form of the results (default: terminal)")
    parser.add_argument("-v", "--verbose", action="store_true", help="name passed tests, too")
    options.add_lang(parser)
    parser.set_defaults(run=run)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Run the tests and print what came of them; gives the exit status."""
    if not arguments.watch:
        return _once(arguments)
    if arguments.format == "json":
        raise UsageError("--watch prints text; leave out --format json")
    from assistant.authoring.watching import changes

    layers = _layers(arguments)
    watched = [*(arguments.paths or _roots(layers)), *arguments.pack]
    _again(arguments)
    for changed in changes(watched):
        names = ", ".join(changed[:3]) + (", ..." if len(changed) > 3 else "")
        output.emit(f"\n--- changed: {names}\n")
        _again(arguments)
    return 0


def _again(arguments: argparse.Namespace) -> None:
    """One round of --watch: a call that cannot be used now may be mended the next moment."""
    try:
        _once(arguments)
    except UsageError as error:
        output.complain(str(error))
    sys.stdout.flush()


def _once(arguments: argparse.Namespace) -> int:
    from pathlib import Path

    from assistant.authoring import healthy, told
    from assistant.authoring.chinese import said
    from assistant.authoring.outcome import Wanted
    from assistant.authoring.outcome import run as run_all

    layers = _layers(arguments)
    folder = Path(arguments.healthy) if arguments.healthy else healthy.default_corpus()
    wanted = Wanted(tuple(arguments.rule), None if arguments.no_healthy else folder,
                    arguments.strict, arguments.coverage)
    if not arguments.rule:
        _complain_of_cases(arguments, layers)
    outcome = run_all(arguments.paths, layers, wanted)
    if arguments.junit:
        output.emit(told.junit(outcome), arguments.junit)
    if arguments.format == "json":
        output.emit(told.json_text(outcome))
    else:
        output.emit(said(told.text(outcome, verbose=arguments.verbose,
                                   own_logs=bool(arguments.healthy)),
                         language.chosen(arguments.lang)))
    return 1 if outcome.wrong else 0


def _complain_of_cases(arguments: argparse.Namespace, layers: Sequence[Layer]) -> None:
    """Name expectations that cannot be read, so that no case is passed over silently.

    Raises:
        UsageError: there is one.
    """
    from assistant.authoring import cases

    found = list(cases.problems(arguments.paths or _roots(layers)))
    if found:
        raise UsageError("\n".join(f"{problem.position}: {problem.message}; {problem.cure}"
                                   for problem in found))


def _layers(arguments: argparse.Namespace) -> list[Layer]:
    from assistant.rules import packs

    return packs.layers(arguments.pack)


def _roots(layers: Sequence[Layer]) -> list[str]:
    """The folders of all layers that hold rules."""
    return [str(layer.root) for layer in layers if layer.files()]
