"""`kbtriage serve`: the page, for whoever has a browser only."""

from __future__ import annotations

import argparse

_DESCRIPTION = """\
Serves a page on which logs are pasted or dropped and the report is read, the knowledge base,
and an API. By default on this machine only, and nothing that is sent is kept."""
_EPILOG = """\
examples:
  kbtriage serve                                 http://127.0.0.1:8686/
  kbtriage serve --host 0.0.0.0 --store reports.db
  kbtriage serve --root /data/jobs               logs on this machine can be checked by path
  kbtriage serve --behind-proxy --prefix /kbtriage

Each setting can also be given as a variable (KBTRIAGE_PORT=9000) or, as `name: value`, in
the YAML file that --config or KBTRIAGE_CONFIG names. A flag counts more than a variable, a
variable more than the file."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand to the parser."""
    parser = commands.add_parser(
        "serve", help="serve the page and the API", description=_DESCRIPTION, epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", metavar="FILE", help="YAML file of settings")
    parser.set_defaults(run=run)
    from dataclasses import fields

    from web.settings import Settings, default, flag

    for item in fields(Settings):
        kind = item.metadata["kind"]
        told = f"{item.metadata['help']}{_told(default(item), kind)}"
        if kind == "flag":
            parser.add_argument(flag(item), dest=item.name, help=told, default=None,
                                action=argparse.BooleanOptionalAction)
        elif kind == "list":
            parser.add_argument(flag(item), dest=item.name, help=f"{told} (repeatable)",
                                action="append", default=[],
                                metavar="NAME" if item.name == "allow_host" else "DIR")
        else:
            parser.add_argument(flag(item), dest=item.name, help=told, default=None,
                                metavar={"number": "N", "size": "BYTES"}.get(kind, "TEXT"))


def run(arguments: argparse.Namespace) -> int:
    """Serve until interrupted; gives the exit status."""
    from dataclasses import fields

    from web.server import serve
    from web.settings import Settings, load

    given = {item.name: getattr(arguments, item.name) for item in fields(Settings)}
    serve(load(given, file=arguments.config))
    return 0


def _told(value: object, kind: str) -> str:
    """The default in words."""
    if value in ("", ()) or kind == "flag":
        return ""
    if kind == "size" and isinstance(value, int):
        return f" (default: {value >> 20}M)" if value % (1 << 30) else (
            f" (default: {value >> 30}G)")
    return f" (default: {value})"
