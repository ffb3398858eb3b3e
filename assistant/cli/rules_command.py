"""`kbtriage rules`: check, test, draft, list and show rules, and list landmarks."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from assistant.cli import explain_rule, language, new_command, output
from assistant.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assistant.authoring.bench import Suite
    from assistant.rules.packs import Layer
    from assistant.rules.types import Rule, RuleSet

_EPILOG = """\
examples:
  kbtriage rules lint                      check all rules in force
  kbtriage rules lint .kbtriage my.yaml    ... a folder and a file
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

    linting = actions.add_parser(
        "lint", help="say everything that is wrong with rules",
        description="Says everything that is wrong with rules, with file, line and cure.")
    linting.add_argument("--strict", action="store_true", help="warnings count as errors")
    linting.set_defaults(run=lint_rules)

    testing = actions.add_parser(
        "test", help="run the tests inside rules",
        description="Runs the tests inside rules: `missing` is a rule that should have been "
                    "found, `noisy` one that should not, `wrong` one found in another way. "
                    "Then runs all rules over healthy logs: `noise` is what they blame there.")
    testing.add_argument("--strict", action="store_true",
                         help="break each rule in one place at a time; its own tests must notice")
    testing.add_argument("--healthy", metavar="DIR",
                         help="the healthy logs (default: those that kbtriage brings)")
    testing.add_argument("--no-healthy", action="store_true", help="run over no healthy logs")
    testing.add_argument("--rule", action="append", default=[], metavar="ID",
                         help="only this rule, by id or glob (repeatable)")
    testing.add_argument("-v", "--verbose", action="store_true", help="name passed tests, too")
    testing.set_defaults(run=test_rules)

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
        action.add_argument("--pack", action="append", default=[], metavar="DIR",
                            help="load the rules and articles of this folder, too (repeatable)")
    language.add_option(listing)


def lint_rules(arguments: argparse.Namespace) -> int:
    """Print all problems; gives the exit status."""
    from assistant.authoring.lint import lint, text_of

    layers = _layers(arguments)
    linted = lint(arguments.paths or _roots(layers), layers=layers)
    output.emit(text_of(linted) + "\n")
    return 1 if linted.failed or (arguments.strict and linted.problems) else 0


def test_rules(arguments: argparse.Namespace) -> int:
    """Run tests and print what is wrong; gives the exit status."""
    import fnmatch

    from assistant.authoring.bench import suite
    from assistant.authoring.rule_tests import run_suite

    globs = arguments.rule

    def wanted(rule: Rule) -> bool:
        return not globs or any(fnmatch.fnmatch(rule.id, glob) for glob in globs)

    tested = suite(arguments.paths, layers=_layers(arguments))
    results = run_suite(tested, wanted)
    if not results:
        raise UsageError("no test was run: "
                         + (f"no rule is called {' or '.join(globs)}" if globs
                            else "the rules hold none"))
    failed = [result for result in results if result.status != "passed"]
    lines = []
    for result in results if arguments.verbose else failed:
        lines.append(f"{result.position}: {result.status}: {result.rule}: {result.test}")
        lines += [f"    {detail}" for detail in result.details]
    told = [f"{len(results) - len(failed)} passed, {len(failed)} failed"]
    wrong = bool(failed)
    for further in (_noise(tested, wanted, arguments), _survivors(tested, wanted, arguments)):
        if further is not None:
            lines += further[0]
            told.append(further[1])
            wrong = wrong or bool(further[0])
    output.emit("\n".join([*lines, "; ".join(told)]) + "\n")
    return 1 if wrong else 0


def _noise(tested: Suite, wanted: Callable[[Rule], bool],
           arguments: argparse.Namespace) -> tuple[list[str], str] | None:
    """Lines on what the tested rules blame on healthy logs, and a summary; None without logs."""
    from pathlib import Path

    from assistant.authoring import healthy

    folder = Path(arguments.healthy) if arguments.healthy else healthy.default_corpus()
    if folder is None or arguments.no_healthy:
        return None
    own = {written.rule.id for written in tested.written if wanted(written.rule)}
    found = [one for one in healthy.noise(tested.bench, folder) if one.rule in own]
    lines = []
    for one in found:
        lines.append(f"noise: {one.rule}: {one.job}")
        lines += [f"    {line}" for line in one.lines]
    rules = {written.rule.id: written.rule for written in tested.written}
    if not arguments.healthy and any(_asks_for_absence(rules[one.rule]) for one in found):
        lines += ["    a rule that misses a line fires on every job that never prints it; the "
                  "jobs that kbtriage brings are not yours:",
                  "    give healthy logs of your own (--healthy DIR, one job an entry), and ask "
                  "for something that only your jobs print (`and`)"]
    return lines, f"{len(healthy.jobs(folder))} healthy jobs, {len(found)} blamed"


def _asks_for_absence(rule: Rule) -> bool:
    """Whether the condition holds because something is missing."""
    from assistant.diagnose.evaluate import positive_names
    from assistant.rules import condition

    return bool(set(condition.names(rule.when)) - set(positive_names(rule.when)))


def _survivors(tested: Suite, wanted: Callable[[Rule], bool],
               arguments: argparse.Namespace) -> tuple[list[str], str] | None:
    """Lines on broken rules that pass their tests, and a summary; None if not asked for."""
    if not arguments.strict:
        return None
    from assistant.authoring import strict

    found = strict.check(tested, wanted)
    lines = []
    for one in found.survivors:
        lines += [f"{one.position}: survived: {one.rule}: {one.change}", f"    {one.cure}"]
    return lines, f"{found.tried} broken rules, {len(found.survivors)} survived"


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
    from assistant.authoring.lint import read_rules
    from assistant.authoring.show import rule_text
    from assistant.rules.ruleset import show_path
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


def _roots(layers: Sequence[Layer]) -> list[str]:
    """The folders of all layers that hold rules."""
    return [layer.origin or str(layer.root) for layer in layers if layer.files()]


def _loaded(arguments: argparse.Namespace) -> RuleSet:
    """The rules under the paths, or all in force; broken ones are told on standard error."""
    from assistant import rules
    from assistant.rules import packs

    layers = (packs.layers(arguments.paths, installed=False)[-len(arguments.paths):]
              if arguments.paths else _layers(arguments))
    loaded = rules.load(layers)
    for problem in loaded.problems:
        output.complain(f"{problem.position}: {problem.message}")
    return loaded
