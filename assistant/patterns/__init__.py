"""Finding many expressions in the bytes of logs, in one pass and in linear time.

    engine = build(expressions, cache_dir=default_cache_dir())
    for offset, group in engine.lines(block):
        for index in engine.members[group]:
            ...                           # confirm each segment of that line:
            engine.match(index, segment)  # None, or the named groups

Expressions are RE2 syntax over the bytes of one line; `check` tells what is wrong with one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from assistant.errors import UsageError
from assistant.patterns.cache import default_cache_dir, not_kept, switched_off
from assistant.patterns.engine import Engine
from assistant.patterns.hyperscan_engine import HyperscanEngine
from assistant.patterns.trouble import Trouble

__all__ = ["ENGINES", "Engine", "Trouble", "build", "check", "default_cache_dir", "not_kept",
           "switched_off"]

#: What `build` can be asked for; `auto` takes the quickest there is.
ENGINES = ("auto", "hyperscan", "re2")


def check(expression: str) -> Trouble | None:
    """What is wrong with an expression, None if both engines take it.

    Without Hyperscan on this machine only RE2 and the syntax are asked.
    """
    from assistant.patterns import checking  # for authors of rules only

    return checking.check(expression)


def build(expressions: Sequence[str], *, cache_dir: Path | None = None,
          engine: str = "auto", common: bytes = b"", frequent: Collection[int] = ()) -> Engine:
    """Compile expressions.

    Args:
        expressions: RE2 syntax, matched on the bytes of one line.
        cache_dir: where compiled databases are kept between runs; None: nowhere.
        engine: one of ENGINES.
        common, frequent: what helps to plan the search, see plan.draft.

    Raises:
        UsageError: no such engine, or not on this machine; an expression that RE2 refuses.
    """
    if engine not in ENGINES:
        raise UsageError(f"there is no engine {engine!r}: use one of {', '.join(ENGINES)}")
    if engine == "re2":
        return _re2(expressions)
    try:
        return HyperscanEngine(expressions, cache_dir, common, frequent)
    except UsageError:
        raise
    except ImportError as error:
        reason = f"Hyperscan cannot be imported ({error})"
    except Exception as error:  # the binding's error class is known only once imported
        reason = f"Hyperscan cannot compile the expressions ({error})"
    if engine == "hyperscan":
        raise UsageError(f"{reason}: use --engine re2")
    return _re2(expressions, f"{reason}: RE2 takes its place, slower, with equal results")


def _re2(expressions: Sequence[str], notice: str | None = None) -> Engine:
    from assistant.patterns.re2_engine import Re2Engine  # needed with a cold cache only

    return Re2Engine(expressions, notice)
