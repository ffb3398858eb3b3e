"""`kbtriage watch`: follow a job while it runs."""

from __future__ import annotations

import argparse
import os
import sys
import time
from typing import TYPE_CHECKING

from assistant.cli import language, options, output
from assistant.cli.check_command import DEFAULT_PATH, STATUS
from assistant.errors import UsageError

if TYPE_CHECKING:
    from assistant.report.types import Report
    from assistant.watch.command import Command
    from assistant.watch.show import Show
    from assistant.watch.watcher import Watch

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}

_DESCRIPTION = """\
Follows the logs of a running job: all files of the folder, new ones too, also when they are
rotated or truncated. Shows how it stands (step, loss, speed, the ranks' states, how long
nothing has moved), tells each finding once, when it has held in two looks, and also when the
logs do not bear it out any more. When the job ends it prints the report. PATH need not exist
yet. Files are looked at again and again, so it works on network file systems, too."""
_EPILOG = """\
examples:
  kbtriage watch output/msrun_log
  kbtriage watch output/msrun_log --until failed --timeout 2d
  kbtriage watch output/msrun_log --json-lines | our-monitor
  kbtriage watch output/msrun_log --once-failed mail-ops --attach {report}

The command after --once-failed (all words to the end of the line, run without a shell) is
run once, as soon as the job has failed, hangs or stands still. {report} becomes the path of a
file with the report as JSON; it is also in KBTRIAGE_REPORT, the verdict in KBTRIAGE_VERDICT,
the first finding's rule in KBTRIAGE_RULE. The file is removed when the command has ended.

A job stands still if its next step takes ten times as long as usual and at least two minutes,
or if nothing at all is written for 15 minutes before the first step; --stall sets the time.

exit status, also after Ctrl-C: that of check on what was read, 1 if the job stands still"""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand to the parser."""
    parser = commands.add_parser(
        "watch", help="follow a running job and say when something is wrong",
        description=_DESCRIPTION, epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", metavar="PATH",
                        help=f"folders and files to follow (default: {DEFAULT_PATH})")
    parser.add_argument("--interval", type=seconds, default=2.0, metavar="TIME",
                        help="time between two looks (default: 2s; also 1m, 2h, 1d)")
    parser.add_argument("--until", choices=("ended", "failed", "finding"), default="ended",
                        help="end when the job has ended (default), when it has failed, hangs "
                             "or stands still, or at the first finding")
    parser.add_argument("--timeout", type=seconds, metavar="TIME",
                        help="end after this time at the latest")
    parser.add_argument("--stall", type=seconds, metavar="TIME",
                        help="time without progress that is too long")
    parser.add_argument("--json-lines", action="store_true",
                        help="print one JSON object a line, for programs")
    options.add_lang(parser)
    options.add_colour(parser)
    options.add_packs(parser)
    options.add_engine(parser)
    options.add_cache(parser)
    parser.add_argument("--once-failed", nargs=argparse.REMAINDER, metavar="CMD",
                        help="run this command when the job has failed")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Watch to the end; gives the exit status."""
    from assistant.pipeline import Knowledge
    from assistant.scan import build_engine
    from assistant.sources.collected import is_collected
    from assistant.watch.command import Command
    from assistant.watch.events import Ended
    from assistant.watch.folder import Folder
    from assistant.watch.watcher import Plan, Watch

    if arguments.once_failed == []:
        raise UsageError("--once-failed: give the command that is to be run")
    lang = language.chosen(arguments.lang)
    paths = arguments.paths or [DEFAULT_PATH]
    for path in paths:
        if os.path.isfile(path) and is_collected(path):
            raise UsageError(f"{path}: was collected and does not grow; give it to "
                             "`kbtriage check`")
    knowledge = Knowledge(arguments.pack, cache=not arguments.no_cache)
    specs = knowledge.rules.patterns()
    engine = build_engine(specs, knowledge.cache_dir, arguments.engine)
    if engine.notice is not None:
        output.complain(engine.notice)
    folder = Folder(paths, engine, specs, time.monotonic)
    watch = Watch(knowledge, folder, Plan(lang, arguments.interval, arguments.until,
                                          arguments.timeout, arguments.stall),
                  tick=1.0 if _on_screen(arguments) else None)
    show = _show(arguments, lang, paths, watch)
    command = Command(arguments.once_failed) if arguments.once_failed else None
    end: Ended | None = None
    _stop_on_signals(watch)
    try:
        for event in watch:
            show.tell(event)
            if isinstance(event, Ended):
                end = event
            elif command is not None and watch.report is not None and watch.failed():
                _start(command, watch.report)
    finally:
        show.close()
    if end is None:  # the loop ends with it
        raise RuntimeError("the watch ended without a word")
    status = STATUS[end.report.verdict]
    status = 1 if end.stalled and status in (0, 3) else status
    if command is not None:
        if status == 1 and end.report.verdict in ("failed", "hung"):
            _start(command, end.report)
        failure = command.finish()
        if failure:
            output.complain(f"{arguments.once_failed[0]} ended with status {failure}")
    if not arguments.json_lines:
        _print(end.report, arguments)
    return status


def _stop_on_signals(watch: Watch) -> None:
    """Ctrl-C, or the batch system, ends the watch with its report; a second one ends it hard."""
    import signal

    def stop(number: int, frame: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        watch.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)


def _show(arguments: argparse.Namespace, lang: str, paths: list[str], watch: Watch) -> Show:
    from assistant.report.words import Words
    from assistant.watch.show import JsonLines, Lines, Screen

    words = Words(lang)
    output.escape_what_cannot_be_shown(sys.stdout)
    if arguments.json_lines:
        return JsonLines(sys.stdout)
    if _on_screen(arguments):
        return Screen(sys.stdout, words, paths, _size, lambda: watch.report, time.monotonic,
                      output.use_colour(arguments.color, None))
    return Lines(sys.stdout, words, time.monotonic)


def _on_screen(arguments: argparse.Namespace) -> bool:
    """Whether a screen is drawn, and not lines written."""
    return (not arguments.json_lines and sys.stdout.isatty()
            and os.environ.get("TERM") not in (None, "", "dumb"))


def _size() -> tuple[int, int]:
    try:
        size = os.get_terminal_size(sys.stdout.fileno())
    except (OSError, ValueError):
        return output.WIDTH, 24
    return size.columns or output.WIDTH, size.lines or 24


def _start(command: Command, report: Report) -> None:
    if command.started:
        return
    try:
        command.start(report)
    except OSError as error:
        output.complain(f"--once-failed: the command cannot be run: {error}")


def _print(report: Report, arguments: argparse.Namespace) -> None:
    from assistant.render import terminal

    output.emit("\n" + terminal.render(report, output.width(None),
                                       output.use_colour(arguments.color, None)))


def seconds(text: str) -> float:
    """`90`, `90s`, `5m`, `2h` or `1d` in seconds. Raises argparse.ArgumentTypeError."""
    number, unit = (text[:-1], text[-1]) if text[-1:] in _UNITS else (text, "s")
    try:
        found = float(number) * _UNITS[unit]
    except ValueError:
        found = -1.0
    if not 0 < found < 1e9:
        raise argparse.ArgumentTypeError(f"{text!r} is no time: give seconds, or 5m, 2h, 1d")
    return found
