"""`kbtriage rules new`: draft rules from lines of logs."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from assistant.cli import language, options, output
from assistant.errors import UsageError

if TYPE_CHECKING:
    from assistant.authoring.rules_new import Written

#: Drafts that are made of one report, unless more are asked for.
_LIMIT = 5
_EPILOG = """\
examples:
  kbtriage rules new --from-log output/msrun_log/worker_5.log:812
  kbtriage rules new --from-log logs.tar.gz!/worker_5.log:812 --id storage.shard-map-stale
  kbtriage check output/msrun_log --format json -o report.json
  kbtriage rules new --from-report report.json --logs output/msrun_log --pack our-cluster

The draft works as it stands. Read its expression and shorten it to what makes the symptom; write
the article where it says TODO (`rules lint` warns until then)."""


def add(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the action to those of `rules`."""
    new = actions.add_parser(
        "new", help="draft a rule from a line of a log",
        description="Drafts a rule from a line of a log, in which numbers, paths, addresses, "
                    "identifiers and times are generalised, with tests made from that line and "
                    "from healthy lines, and its article to be written in both languages. Then "
                    "checks and tests it. Overwrites nothing.",
        epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    source = new.add_mutually_exclusive_group(required=True)
    source.add_argument("--from-log", metavar="FILE:LINE", help="the line to start from")
    source.add_argument("--from-report", metavar="FILE",
                        help="a JSON report: a draft for each line that it leaves unexplained")
    new.add_argument("--logs", metavar="DIR", default="",
                     help="with --from-report: the folder that was checked")
    new.add_argument("--limit", metavar="N", type=options.positive, default=_LIMIT,
                     help="with --from-report: at most so many drafts, those of the most "
                          f"frequent lines (default: {_LIMIT})")
    new.add_argument("--id", default="", help="id of the rule (default: made of the line's words)")
    new.add_argument("--category", default="",
                     help="category of the rule (default: that of the nearest article)")
    new.add_argument("--pack", metavar="DIR", default=".kbtriage",
                     help="the pack to write it into (default: .kbtriage)")
    options.add_lang(new)
    new.set_defaults(run=new_rules)


def new_rules(arguments: argparse.Namespace) -> int:
    """Write drafts and say how they fare; gives the exit status.

    Raises:
        UsageError: no draft can be made, or a file exists already.
    """
    from pathlib import Path

    from assistant.authoring.chinese import said
    from assistant.authoring.lint import text_of
    from assistant.authoring.place import read_place, report_places
    from assistant.authoring.rules_new import write_drafts

    lang = language.chosen(arguments.lang)
    left = 0
    if arguments.from_log:
        places = [read_place(arguments.from_log)]
    else:
        if arguments.id:
            raise UsageError("--id names one rule; with --from-report the ids are made of the "
                             "lines' words")
        found = report_places(arguments.from_report, arguments.logs)
        places = found[:arguments.limit]
        left = len(found) - len(places)
        if not found:
            output.emit(said(f"{arguments.from_report}: nothing is left unexplained\n", lang))
            return 0
    written = write_drafts(places, Path(arguments.pack), rule_id=arguments.id,
                           category=arguments.category)
    lines = [said(line, lang) for line in _lines(written)]
    if written.linted is not None:
        lines.append(text_of(written.linted, lang))
    lines += [said(line, lang) for line in _tested(written)]
    if left:
        lines.append(said(f"{left} more unexplained lines: raise --limit", lang))
    output.emit("\n".join(lines) + "\n")
    return 1 if written.failed else 0


def _lines(written: Written) -> Iterator[str]:
    from assistant.guide import printable
    from assistant.rules.paths import show_path

    for path in written.files:
        yield f"wrote {show_path(path)}"
    for draft in written.drafts:
        if draft.told_by:
            yield f"note: {draft.rule}: {', '.join(draft.told_by)} tells of this line already"
        if draft.blamed:
            yield (f"note: {draft.rule}: the expression also matches a healthy line: "
                   + printable(draft.blamed[:160]))
    yield from (f"no draft: {reason}" for reason in written.refused)


def _tested(written: Written) -> Iterator[str]:
    """How the drafts' tests went."""
    failed = [result for result in written.results if result.status != "passed"]
    for result in failed:
        yield f"{result.position}: {result.status}: {result.rule}: {result.test}"
        yield from (f"    {detail}" for detail in result.details)
    if written.results:
        yield f"{len(written.results) - len(failed)} tests passed, {len(failed)} failed"
