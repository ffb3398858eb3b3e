"""`kbtriage collect`: what the logs of a node yield, as one small file to take away."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from assistant.cli import options, output
from assistant.cli.check_command import DEFAULT_PATH, add_reading_options
from assistant.errors import UsageError

if TYPE_CHECKING:
    from assistant.portable.kbt import Collection

_DESCRIPTION = """\
Reads logs where they lie and writes what `kbtriage check` needs of them into one small file:
the lines that rules look for, errors, step values, the first and last lines; not the logs.
Collect on every node, bring the files together, and check them anywhere."""
_EPILOG = """\
examples:
  kbtriage collect output/msrun_log -o node-3.kbt     on every node
  kbtriage collect output/msrun_log ~/ascend/log -o node-3.kbt
  kbtriage check *.kbt                                anywhere, with folders too if you like
  ssh node-3 kbtriage collect /data/msrun_log -o - > node-3.kbt
  kbtriage collect --engine dask://10.0.0.1:8786 /data/msrun_log -o job-7.kbt
                                                      a whole job, whose nodes run Dask workers

Without -o the file is called after this host. In reports the node is called NAME, else as
the file is called when it is checked."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand to the parser."""
    parser = commands.add_parser(
        "collect", help="gather what a node's logs yield into a file for check",
        description=_DESCRIPTION, epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", metavar="PATH",
                        help=f"logs to read, as for check (default: {DEFAULT_PATH})")
    options.add_output(parser, "file to write, all at once (default: HOST.kbt); - for standard "
                               "output")
    parser.add_argument("--node", metavar="NAME", help="what reports call the node")
    add_reading_options(parser, "look for what the rules of this folder need, too "
                                "(repeatable)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Collect and write; gives the exit status."""
    from assistant import pipeline
    from assistant.cli.progress import shown
    from assistant.report.words import Words

    paths = arguments.paths or [DEFAULT_PATH]
    if arguments.node is not None and not _is_name(arguments.node):
        raise UsageError(f"--node {arguments.node!r} cannot be a name: give letters, digits, "
                         "dots and dashes, without a slash")
    words = Words("en")
    with shown("en") as progress:
        collection = pipeline.collect(
            paths, node=arguments.node, packs=arguments.pack, jobs=arguments.jobs,
            engine=arguments.engine, cache=not arguments.no_cache, progress=progress,
            notify=lambda line: print(f"kbtriage: {line}", file=sys.stderr),
            stdin=sys.stdin.buffer if "-" in paths and sys.stdin is not None else None)
    file = arguments.output or _host_file()
    size = _write(collection, file)
    evidence = collection.evidence
    for item in evidence.skipped:
        output.complain(f"not read: {item.file} ({item.why})")
    told = words("read.files", n=len(evidence.files))
    logs = words.size(sum(found.size for found in evidence.files))
    print(f"{file}: {words.size(size)} of evidence from {told}, {logs}",
          file=sys.stderr if file == "-" else sys.stdout)
    return 0


def _write(collection: Collection, file: str) -> int:
    """Write it and give the size of the file. Raises UsageError."""
    import io

    from assistant import atomic
    from assistant.portable import kbt

    try:
        if file != "-":
            with atomic.written(file) as stream:
                kbt.write(collection, stream)
            return os.path.getsize(file)
        packed = io.BytesIO()
        kbt.write(collection, packed)
        sys.stdout.buffer.write(packed.getvalue())
        sys.stdout.buffer.flush()
        return packed.tell()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UsageError(f"{'standard output' if file == '-' else file}: cannot be written: "
                         f"{error.strerror or error}") from error


def _host_file() -> str:
    import socket

    return f"{socket.gethostname().split('.')[0] or 'node'}.kbt"


def _is_name(text: str) -> bool:
    return bool(text) and text.isprintable() and "/" not in text and text not in (".", "..")
