"""`kbtriage check`: diagnose logs and print the report."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from assistant.cli import language, options, output, sharing
from assistant.errors import UsageError

if TYPE_CHECKING:
    from assistant.diagnose.judge import Judged
    from assistant.pipeline import Examined
    from assistant.report.types import Report

#: Where msrun_launcher.sh writes, and what is read when no path is given.
DEFAULT_PATH = "output/msrun_log"
#: Verdict to exit status.
STATUS = {"healthy": 0, "degraded": 1, "failed": 1, "hung": 1, "inconclusive": 3}
#: Suffix of an output file to its format.
_SUFFIXES = {".json": "json", ".md": "markdown"}

_DESCRIPTION = """\
Reads the logs of one msrun job and says what happened first, on which rank, what it
caused, where the proof stands, and what to do.

PATH is the directory that msrun wrote (default: output/msrun_log), a parent folder with
the directories of several nodes, a file, a glob, an archive (.zip, .tar, .tar.gz,
.tar.zst), a compressed file (.gz, .bz2, .xz, .zst), a .kbt file that `kbtriage collect`
wrote on a node, an archive of such files, or - for standard input. Give msrun's own
output, if it was kept, as well: it tells which process ended first."""
_EPILOG = """\
examples:
  kbtriage check                              the logs in output/msrun_log
  kbtriage check output/msrun_log msrun.out   ... and what msrun itself printed
  kbtriage check node-a node-b                a job of two nodes
  kbtriage check *.kbt                        ... of many, collected on each of them
  kbtriage check --engine dask://10.0.0.1:8786 /data/msrun_log
                                              ... whose nodes run Dask workers
  kbtriage check s3://bucket/job/msrun_log    ... in an object store
  kbtriage check --verbose logs.tar.gz        all findings, notes and evidence
  kbtriage check --why output/msrun_log       ... and why they are told as they are
  kbtriage check --format json -o report.json output/msrun_log
  tail -n 500 worker_*.log | kbtriage check -

exit status:
  0 healthy; 1 degraded, failed or hung; 2 the call or its input is unusable;
  3 inconclusive; 130 interrupted"""


class _Engines(tuple[str, ...]):
    """The engines by name, and every cluster."""

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or (
            isinstance(name, str) and name.startswith("dask://") and len(name) > 7)


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand to the parser."""
    parser = commands.add_parser(
        "check", help="diagnose the logs of a job", description=_DESCRIPTION, epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", metavar="PATH", help="logs to read")
    parser.add_argument("--format", choices=("terminal", "json", "markdown"),
                        help="form of the report (default: by the name of FILE, else terminal)")
    options.add_output(parser, "write the report into FILE, all at once, not to standard output")
    options.add_lang(parser)
    parser.add_argument("--verbose", action="store_true",
                        help="show all findings, notes and evidence")
    parser.add_argument("--why", action="store_true",
                        help="tell of each finding what made it hold, and why it is a cause, a "
                             "consequence or a note")
    options.add_colour(parser)
    parser.add_argument("--exit-zero", action="store_true",
                        help="exit with 0 also when the job is degraded, failed or hung")
    parser.add_argument("--redact", action="store_true",
                        help="replace addresses, names of hosts and users, and keys by "
                             "placeholders")
    sharing.add_map_option(parser)
    add_reading_options(parser)
    parser.set_defaults(run=run)


def add_reading_options(parser: argparse.ArgumentParser, packs: str = options.PACKS) -> None:
    """Add the options that say with what logs are read; `packs` is said of `--pack`."""
    options.add_packs(parser, packs)
    options.add_jobs(parser)
    parser.add_argument("--engine", choices=_Engines(("auto", "hyperscan", "re2")),
                        default="auto", metavar="ENGINE",
                        help="what matches the patterns: auto (default, the fastest there is), "
                             "hyperscan or re2; or dask://HOST:PORT: a cluster on whose workers "
                             "the logs lie")
    options.add_cache(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check and print; gives the exit status."""
    if not arguments.format and (arguments.output or "").lower().endswith((".html", ".htm")):
        raise UsageError(f"check writes no page; use kbtriage report --html -o {arguments.output}")
    if arguments.redact_map and not arguments.redact:
        raise UsageError("--redact-map tells what --redact replaced; give both")
    if arguments.redact and arguments.why:
        raise UsageError("--why quotes logs as they are; drop it or --redact")
    lang = language.chosen(arguments.lang)
    examined = examine(arguments, lang)
    report = examined.report(lang)
    if arguments.redact:
        from assistant.redact import redact

        redactor = sharing.redactor(examined)
        report = redact(report, redactor)
        sharing.keep_map(redactor, arguments.redact_map)
    output.emit(_render(report, arguments, examined.judged if arguments.why else None),
                arguments.output)
    status = STATUS[report.verdict]
    return 0 if status == 1 and arguments.exit_zero else status


def examine(arguments: argparse.Namespace, lang: str) -> Examined:
    """Check the paths of a command line. Raises UsageError."""
    from assistant import pipeline
    from assistant.cli.progress import shown

    paths = arguments.paths or [DEFAULT_PATH]
    here = not arguments.engine.startswith("dask://")
    if not arguments.paths and here and not os.path.exists(DEFAULT_PATH):
        raise UsageError(f"there is no {DEFAULT_PATH} here; give the directory that msrun wrote "
                         "(its --log_dir): kbtriage check PATH")
    with shown(lang) as progress:
        return pipeline.examine(
            paths, packs=arguments.pack, jobs=arguments.jobs, engine=arguments.engine,
            cache=not arguments.no_cache, progress=progress,
            notify=lambda line: print(f"kbtriage: {line}", file=sys.stderr),
            stdin=sys.stdin.buffer if "-" in paths and sys.stdin is not None else None)


def _render(report: Report, arguments: argparse.Namespace, judged: Judged | None) -> str:
    """The report in the form asked for, with the reasons below it where they are wanted."""
    suffix = os.path.splitext(arguments.output or "")[1].lower()
    form = arguments.format or _SUFFIXES.get(suffix, "terminal")
    if form == "json":
        from assistant.render.as_json import json_text

        if judged is None:
            return json_text(report)
        from assistant.explain.reported import why_json

        return json_text(report, {"why": why_json(judged, report.lang)})
    width, why = output.width(arguments.output), ""
    if judged is not None:
        from assistant.explain.reported import why_text

        why = why_text(judged, report.lang, width)
    if form == "markdown":
        from assistant.render import markdown

        fence = "`" * 4
        return markdown.render(report) + (f"\n{fence}text\n{why}{fence}\n" if why else "")
    from assistant.render import terminal

    text = terminal.render(report, width, output.use_colour(arguments.color, arguments.output),
                           arguments.verbose)
    return f"{text}\n{why}" if why else text
