"""`kbtriage schema`: print the JSON Schemas that editors and programs check against."""

from __future__ import annotations

import argparse

from assistant.cli import options, output

_KINDS = ("rule", "tests", "case", "landmarks", "catalogue", "pack", "site", "report", "lint")
_EPILOG = """\
examples:
  kbtriage schema rule > rule.schema.json
  kbtriage schema report

An editor with a YAML language server checks a rule as you type once its first line reads
  # yaml-language-server: $schema=rule.schema.json"""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand to the parser."""
    parser = commands.add_parser(
        "schema", help="print the JSON Schema of a kind of file",
        description="Prints the JSON Schema (draft 2020-12) of a kind of file.",
        epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=_KINDS, help="what to print the schema of")
    options.add_output(parser, "write it into FILE")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the schema; gives the exit status."""
    if arguments.kind == "report":
        from assistant import report

        text = report.schema_text()
    elif arguments.kind == "lint":
        from assistant.authoring import lint_forms

        text = lint_forms.schema_text()
    else:
        from assistant import rules

        text = rules.schema_text(arguments.kind)
    output.emit(text.rstrip("\n") + "\n", arguments.output)
    return 0
