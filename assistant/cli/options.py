"""The options that several commands have, spelled and explained once."""

from __future__ import annotations

import argparse

#: What `--pack` mostly means.
PACKS = "use the rules and articles of this folder, too (repeatable)"


def add_output(parser: argparse.ArgumentParser, told: str) -> None:
    """`-o FILE`."""
    parser.add_argument("-o", "--output", metavar="FILE", type=file_name, help=told)


def add_packs(parser: argparse.ArgumentParser, told: str = PACKS) -> None:
    """`--pack DIR`, as often as wanted."""
    parser.add_argument("--pack", action="append", default=[], metavar="DIR", help=told)


def add_lang(parser: argparse.ArgumentParser) -> None:
    """`--lang en|zh`; see language.py for what it means when it is left out."""
    parser.add_argument("--lang", choices=("en", "zh"),
                        help="language of the output (default: that of the locale)")


def add_colour(parser: argparse.ArgumentParser) -> None:
    """`--color WHEN`."""
    parser.add_argument("--color", "--colour", choices=("auto", "always", "never"),
                        default="auto", help="colours (default: auto, on a terminal only)")


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """`--jobs N`."""
    parser.add_argument("--jobs", type=positive, metavar="N",
                        help="processes that read at once (default: one a core)")


def add_engine(parser: argparse.ArgumentParser) -> None:
    """`--engine`, for what reads logs here and not on a cluster."""
    parser.add_argument("--engine", choices=("auto", "hyperscan", "re2"), default="auto",
                        help="what matches the patterns (default: auto, the fastest there is)")


def add_cache(parser: argparse.ArgumentParser) -> None:
    """`--no-cache`."""
    parser.add_argument("--no-cache", action="store_true",
                        help="neither read nor write the cache of compiled patterns")


def positive(text: str) -> int:
    """A number of at least one. Raises argparse.ArgumentTypeError otherwise."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def file_name(text: str) -> str:
    """The name of a file to write. Raises argparse.ArgumentTypeError if it is empty, as a
    variable that a script has never set makes it."""
    if not text:
        raise argparse.ArgumentTypeError(
            "the name of the file is empty; give a name, or - for standard output")
    return text
