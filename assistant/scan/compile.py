"""What a scan looks for: the triggers of logtext, then the patterns of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from assistant import patterns
from assistant.logtext import ordinary
from assistant.logtext.triggers import EXPRESSIONS
from assistant.rules.types import PatternSpec

#: Keys of the triggers, in the order of their indexes.
TRIGGERS = tuple(EXPRESSIONS)


def expressions(specs: Iterable[PatternSpec]) -> list[str]:
    """All expressions in the order that scanner.py expects: triggers, then one a spec."""
    return [*EXPRESSIONS.values(), *(spec.expression for spec in specs)]


def build_engine(specs: Sequence[PatternSpec], cache_dir: Path | None = None,
                 engine: str = "auto") -> patterns.Engine:
    """The engine that finds the triggers and these specs.

    Args:
        cache_dir: where compiled databases are kept, None: nowhere.
        engine: `auto`, `hyperscan` or `re2`.

    Raises:
        UsageError: see patterns.build.
    """
    return patterns.build(expressions(specs), cache_dir=cache_dir, engine=engine,
                          common=ordinary.TEXT, frequent=(TRIGGERS.index("@step"),))
