"""`kbtriage rules`: check, test, draft, list and show rules, and list landmarks."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from assistant.cli import (
    explain_rule,
    language,
    lint_command,
    new_command,
    options,
    output,
    test_command,
)
from assistant.errors import UsageError

if TYPE_CHECKING:
    from assistant.rules.packs import Layer
    from assistant.rules.ruleset import RuleSet

_EPILOG = """\
examples:
  kbtriage rules lint                      check all rules in force
  kbtriage rules lint .kbtriage my.yaml    ... a folder and a file
  kbtriage rules lint .kbtriage --fix      ... and mend what is mechanical
  kbtriage rules docs unused-capture       what a code of the linter means
  kbtriage rules test rules/network        run the tests inside rules
  kbtriage rules test --strict             ... and tell what they would not notice
  kbtriage rules test --healthy our-logs   ... and blame nothing on these logs
  kbtriage rules explain ID logs           why a rule was found in logs, or was not
  kbtriage rules new --from-log worker_5.log:812    draft a rule from a line
  kbtriage rules list --category hccl      list rules
  kbtriage rules show network.node-timed-out
  kbtriage rules landmarks                 the lines that `reached:` and `landmark:` mean

exit status: 0 nothing wrong, 1 errors or failed tests, 2 the call cannot be used"""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand to the parser."""
    parser = commands.add_parser(
        "rules", help="check, test, draft, list and show rules",
        description="Checks, tests, drafts, lists and shows the rules by which logs are diagnosed.",
        epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)

    linting = lint_command.add(actions)

    testing = test_command.add(actions)
    explain_rule.add(actions)

    listing = actions.add_parser("list", help="list rules")
    listing.add_argument("--category", help="only rules of this category")
    listing.set_defaults(run=list_rules)

    showing = actions.add_parser("show", help="show one rule as it is written")
    showing.add_argument("rule", metavar="ID", help="id of the rule")
    showing.set_defaults(run=show_rule)

    marking = actions.add_parser(
        "landmarks", help="list the lines by which it is told how far a process got",
        description="Lists the landmarks: lines that are no symptom, each with its name, the "
                    "phase that its process has reached (`reached:` of a rule asks for it), the "
                    "files in which it counts, and its expressions.")
    marking.add_argument("--phase", help="only landmarks of this phase")
    marking.set_defaults(run=list_landmarks)

    new_command.add(actions)

    for action in (linting, testing, listing, showing, marking):
        action.add_argument("paths", nargs="*", metavar="PATH",
                            help="files or folders of rules (default: all rules in force)")
        options.add_packs(action)
    options.add_lang(listing)


def list_rules(arguments: argparse.Namespace) -> int:
    """Print id, severity and title of rules, a line each; gives the exit status."""
    from assistant.guide import printable
    from assistant.render.cells import pad

    lang = language.chosen(arguments.lang)
    rules = sorted(_loaded(arguments).every(), key=lambda rule: rule.id)
    if arguments.category:
        from assistant.rules.suggest import instead
        from assistant.rules.types import CATEGORIES

        if arguments.category not in CATEGORIES:
            raise UsageError(f"there is no category {arguments.category!r}; "
                             + instead(arguments.category, CATEGORIES))
        rules = [rule for rule in rules if rule.category == arguments.category]
    columns = [max((len(text) for text in texts), default=0) for texts in (
        [rule.id for rule in rules], [rule.severity for rule in rules],
        [rule.source for rule in rules])]
    output.emit("".join(
        f"{pad(rule.id, columns[0])}  {pad(rule.severity, columns[1])}  "
        f"{pad(rule.source, columns[2])}  {printable(rule.title[lang])}\n" for rule in rules))
    return 0


def list_landmarks(arguments: argparse.Namespace) -> int:
    """Print the landmarks, by phase, a line each expression; gives the exit status.

    Raises:
        UsageError: there is no such phase.
    """
    from assistant.job.marks import phase_index, phases_of
    from assistant.render.cells import pad
    from assistant.rules.suggest import instead
    from assistant.rules.types import PHASES

    landmarks = _loaded(arguments).landmarks
    phases = phases_of(landmarks)
    if arguments.phase and arguments.phase not in PHASES:
        raise UsageError(f"there is no phase {arguments.phase!r}; "
                         + instead(arguments.phase, PHASES))
    rows = [(mark.name, phases.get(mark.name, "-"), ",".join(mark.roles) or "any", pattern)
            for mark in sorted(landmarks, key=lambda mark: (
                phase_index(phases.get(mark.name)), mark.name))
            for pattern in mark.patterns
            if arguments.phase in (None, phases.get(mark.name))]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    output.emit("".join(
        "  ".join([*(pad(text, width) for text, width in zip(row[:3], widths, strict=True)),
                   row[3]]) + "\n" for row in rows))
    return 0


def show_rule(arguments: argparse.Namespace) -> int:
    """Print a rule as its file spells it, below its place; gives the exit status.

    Raises:
        UsageError: there is no such rule.
    """
    from assistant.authoring.rule_files import read_rules
    from assistant.authoring.show import rule_text
    from assistant.rules.paths import show_path
    from assistant.rules.suggest import closest

    loaded = _loaded(arguments)
    rule = next((rule for rule in loaded.every() if rule.id == arguments.rule), None)
    if rule is None:
        near = closest(arguments.rule, [rule.id for rule in loaded.every()])
        hint = f"did you mean {near}?" if near else "see kbtriage rules list"
        raise UsageError(f"there is no rule {arguments.rule!r}; {hint}")
    written = next(written for written in read_rules([rule.position.file])
                   if written.rule.id == rule.id)
    place = f"{show_path(rule.position.file)}:{rule.position.line}"
    output.emit(f"# {rule.source}: {place}\n{rule_text(written)}\n")
    return 0


def _layers(arguments: argparse.Namespace) -> list[Layer]:
    from assistant.rules import packs

    return packs.layers(arguments.pack)


def _loaded(arguments: argparse.Namespace) -> RuleSet:
    """The rules under the paths, or all in force; broken ones are told on standard error."""
    from assistant import rules
    from assistant.cli.progress import shown
    from assistant.rules import packs

    layers = (packs.layers(arguments.paths, installed=False)[-len(arguments.paths):]
              if arguments.paths else _layers(arguments))
    with shown("en") as progress:
        loaded = rules.load(layers, progress=progress)
    for problem in loaded.problems:
        output.complain(f"{problem.position}: {problem.message}")
    return loaded
