"""`kbtriage rules lint` and `rules docs`: what is wrong with rules, and what that means."""

from __future__ import annotations

import argparse

from assistant.cli import language, options, output
from assistant.errors import UsageError

_FORMATS = ("terminal", "json", "sarif", "github")
_EPILOG = """\
examples:
  kbtriage rules lint                      check all rules in force
  kbtriage rules lint .kbtriage my.yaml    ... a folder and a file
  kbtriage rules lint . --strict --format github
  kbtriage rules lint . --format sarif -o lint.sarif
  kbtriage rules lint . --also no-owner,key-order --fix
  kbtriage rules docs unused-capture       what a code means

A warning that is meant is allowed by a comment on its line, or on the one above:
  # kbtriage: allow matches-healthy because our healthy jobs never print it
(in an article: <!-- kbtriage: allow no-command because ... -->)

exit status: 0 nothing wrong (or warnings only), 1 errors, 2 the call cannot be used"""


def add(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Add the two actions to those of `rules`; gives the parser of `lint`."""
    linting = actions.add_parser(
        "lint", help="say everything that is wrong with rules",
        description="Says everything that is wrong with rules and the articles that they name, "
                    "with file, line and cure.",
        epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    linting.add_argument("--strict", action="store_true", help="warnings count as errors")
    linting.add_argument("--format", choices=_FORMATS, default="terminal",
                         help="how to print it (default: terminal)")
    options.add_output(linting, "write it into FILE")
    linting.add_argument("--also", metavar="CODES", action="append", default=[],
                         help="optional warnings to give, too, by code: no-owner, "
                              "no-schema-line, trailing-space, key-order, or all")
    linting.add_argument("--fix", action="store_true",
                         help="first mend in the files what is mechanical: quotes for YAML's "
                              "traps, tabs, full-width punctuation, and of --also what it can")
    options.add_lang(linting)
    linting.set_defaults(run=lint_rules)

    docs = actions.add_parser(
        "docs", help="explain a code of the linter",
        description="Explains a code of the linter, with a wrong and a right example; without "
                    "a code, lists all of them.")
    docs.add_argument("code", nargs="?", metavar="CODE", help="a code, such as unused-capture")
    options.add_lang(docs)
    docs.set_defaults(run=explain_code)
    return linting


def lint_rules(arguments: argparse.Namespace) -> int:
    """Print all problems; gives the exit status."""
    from assistant.authoring.chinese import said
    from assistant.authoring.lint import lint
    from assistant.authoring.lint_forms import rendered
    from assistant.rules import packs

    lang = language.chosen(arguments.lang)
    layers = packs.layers(arguments.pack)
    paths = arguments.paths or [layer.origin or str(layer.root)
                                for layer in layers if layer.files()]
    also = _optional(arguments.also)
    if arguments.fix:
        from assistant.authoring.fix import fix

        edits, files = fix(paths, layers, also)
        output.complain(said(f"mended {edits} place{'' if edits == 1 else 's'} in {files} "
                             f"file{'' if files == 1 else 's'}", lang))
    linted = lint(paths, layers=layers, also=also)
    output.emit(rendered(linted, arguments.format, lang) + "\n", arguments.output)
    return 1 if linted.failed or (arguments.strict and linted.problems) else 0


def explain_code(arguments: argparse.Namespace) -> int:
    """Print what a code means, or all codes; gives the exit status."""
    from assistant.authoring.lint_codes import explained, listed

    lang = language.chosen(arguments.lang)
    output.emit((explained(arguments.code, lang) if arguments.code else listed(lang)) + "\n")
    return 0


def _optional(given: list[str]) -> frozenset[str]:
    """The codes that `--also` names. Raises UsageError for one that is not optional."""
    from assistant.authoring.form import OPTIONAL
    from assistant.rules.suggest import instead

    codes = [code.strip() for text in given for code in text.split(",") if code.strip()]
    for code in codes:
        if code not in (*OPTIONAL, "all"):
            raise UsageError(f"--also {code}: not an optional warning; "
                             + instead(code, (*OPTIONAL, "all")))
    return frozenset(OPTIONAL if "all" in codes else codes)
