"""Scans a folder in one process with a given number of rules: python bench/scan_rules.py N DIR

Where there are fewer rules, further ones are made of them in other words: letters of their
texts are exchanged, so that each is as dear to look for and matches nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from assistant.patterns import default_cache_dir
from assistant.rules import load, packs
from assistant.rules.types import PatternSpec
from assistant.scan.compile import build_engine
from assistant.scan.one import scan_source
from assistant.sources import LogSource, find


def specs(number: int) -> list[PatternSpec]:
    """The patterns of so many rules, and the landmarks."""
    known = load(packs.layers([]), cache=True).patterns()
    marks = [spec for spec in known if spec.key.startswith("landmark/")]
    rules: dict[str, list[PatternSpec]] = {}
    for spec in known:
        if not spec.key.startswith("landmark/"):
            rules.setdefault(spec.key.rpartition("/")[0], []).append(spec)
    chosen = list(_many(list(rules.values()), number))
    return [*marks, *(spec for rule in chosen for spec in rule)]


def _many(rules: Sequence[Sequence[PatternSpec]], number: int) -> Iterator[Sequence[PatternSpec]]:
    for place in range(number):
        rule, turn = rules[place % len(rules)], place // len(rules)
        yield rule if not turn else [
            replace(spec, key=f"{spec.key}-{turn}", expression=_other(spec.expression, turn))
            for spec in rule]


def _other(expression: str, turn: int) -> str:
    """An expression of other words and the same form: vowels move on outside of escapes."""
    vowels = "aeiou"
    out, escaped, depth = [], False, 0
    for place, char in enumerate(expression):
        depth += (char in "[{(<") - (char in "]})>")
        if char in vowels and not escaped and depth == 0 and expression[place - 1:place] != "?":
            char = vowels[(vowels.index(char) + turn) % len(vowels)]
        escaped = char == "\\" and not escaped
        out.append(char)
    return "".join(out)


def main() -> None:
    """See the module's docstring."""
    chosen = specs(int(sys.argv[1]))
    engine = build_engine(chosen, default_cache_dir())
    for source in find(sys.argv[2:]):
        if isinstance(source, LogSource):
            scan_source(source, engine, chosen)


if __name__ == "__main__":
    main()
