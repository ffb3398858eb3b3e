"""`kbtriage pack`: begin a pack of one's own, and list what is in force."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from assistant.cli import language, options, output

if TYPE_CHECKING:
    from assistant.rules.overview import PackRow

_EPILOG = """\
examples:
  kbtriage pack new our-cluster            a folder with a first rule, its tests and its article
  kbtriage pack list                       what is loaded, from where, and what overrides what
  kbtriage pack list --pack ours.zip --format json

A pack is a folder, a zip file of one, a git checkout, a bare git repository, or a revision of
a repository (--pack DIR@v1.2). Nothing is fetched from the network."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand to the parser."""
    parser = commands.add_parser(
        "pack", help="begin a pack of rules and articles, list those in force",
        description="Begins packs of rules and articles, and lists those in force.",
        epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)

    new = actions.add_parser(
        "new", help="begin a pack",
        description="Writes a pack that passes `rules lint` and `rules test`: pack.yaml, "
                    "site.yaml, a first rule with its tests, its article in English and "
                    "Chinese, settings for CI and the editor. Overwrites nothing.")
    new.add_argument("folder", metavar="DIR", help="the folder to write it into")
    new.add_argument("--name", default="", help="name of the pack (default: that of the folder)")
    options.add_lang(new)
    new.set_defaults(run=new_pack)

    listing = actions.add_parser(
        "list", help="list the packs in force",
        description="Lists the packs in force, the most general first: what each brings, what "
                    "it replaces in those before it, overrides and silences.")
    listing.add_argument("--format", choices=("terminal", "json"), default="terminal",
                         help="how to print them (default: terminal)")
    options.add_packs(listing)
    options.add_lang(listing)
    listing.set_defaults(run=list_packs)


def new_pack(arguments: argparse.Namespace) -> int:
    """Write a new pack and say how to go on; gives the exit status."""
    from pathlib import Path

    from assistant.authoring.chinese import said
    from assistant.authoring.pack_new import create
    from assistant.rules.paths import show_path

    folder = Path(arguments.folder)
    files = create(folder, arguments.name)
    shown = show_path(folder)
    lines = [f"wrote {show_path(path)}" for path in files]
    lines += ["", f"kbtriage rules lint {shown}", f"kbtriage rules test {shown}",
              f"kbtriage check LOGS --pack {shown}"]
    output.emit(said("\n".join(lines) + "\n", language.chosen(arguments.lang)))
    return 0


def list_packs(arguments: argparse.Namespace) -> int:
    """Print the packs in force; gives the exit status."""
    from assistant.rules import packs
    from assistant.rules.overview import overview

    rows = overview(packs.layers(arguments.pack))
    if arguments.format == "json":
        from assistant.render.as_json import dumps

        text = dumps({"packs": [_plain(row) for row in rows]})
    else:
        from assistant.authoring.chinese import said

        text = said("\n".join(line for number, row in enumerate(rows, 1)
                              for line in _lines(number, row)), language.chosen(arguments.lang))
    output.emit(text + "\n")
    return 0


def _plain(row: PackRow) -> dict[str, Any]:
    """A pack as JSON values; see docs/packs.md."""
    import dataclasses

    return {**dataclasses.asdict(row),
            "replaces": [{"kind": kind, "id": name, "from": pack}
                         for kind, name, pack in row.replaces],
            "overrides": [{"rules": glob, "met": met, "keys": list(keys)}
                          for glob, met, keys in row.overrides],
            "silences": [{"rules": glob, "met": met, "until": until, "reason": reason}
                         for glob, met, until, reason in row.silences]}


def _lines(number: int, row: PackRow) -> list[str]:
    version = f" {row.version}" if row.version else ""
    lines = [f"{number}. {row.name}{version}  ({_PLACES[row.place]}: {row.path})"]
    if row.trouble:
        return [*lines, f"   left out: {row.trouble}"]
    brings = [f"{count} {word if count == 1 else words}" for count, word, words in (
        (row.rules, "rule", "rules"), (row.codes, "code", "codes"),
        (row.landmarks, "landmark", "landmarks"),
        (row.articles, "article", "articles")) if count]
    if row.languages and row.articles:
        brings[-1] += f" ({', '.join(row.languages)})"
    lines.append("   " + (", ".join(brings) or "no rules and no articles"))
    lines += [f"   replaces the {kind} {name} of {pack}" for kind, name, pack in row.replaces]
    lines += [f"   changes {glob} ({_met(met)}): {', '.join(keys)}"
              for glob, met, keys in row.overrides]
    lines += [f"   silences {glob} ({_met(met)}) until {until}: {reason}"
              for glob, met, until, reason in row.silences]
    if row.site:
        lines.append(f"   sets {', '.join(f'site.{name}' for name in row.site)}")
    if row.problems:
        lines.append(f"   {row.problems} problem{'s' if row.problems > 1 else ''}: see "
                     f"kbtriage rules lint {row.path}")
    return lines


def _met(count: int) -> str:
    return "no rule of this name" if not count else "1 rule" if count == 1 else f"{count} rules"


#: How a pack was found, in words.
_PLACES = {"built in": "brought by kbtriage", "package": "a Python package", "system": "the system",
           "user": "the user", "project": "this project", "given": "--pack"}
