"""Whether an expression can be used, before anything is scanned with it."""

from __future__ import annotations

import importlib

from assistant.patterns.confirm import compile_bytes, re2_bytes
from assistant.patterns.hyperscan_engine import build_database
from assistant.patterns.nodes import anchored, nullable
from assistant.patterns.syntax import parse
from assistant.patterns.translate import finder, too_large
from assistant.patterns.trouble import BadExpression, Trouble


def check(expression: str) -> Trouble | None:
    """What is wrong with an expression, None if both engines take it.

    Without Hyperscan on this machine only RE2 and the syntax are asked.
    """
    try:
        node = parse(expression).node
    except BadExpression as error:
        return error.trouble
    if trouble := _ask_re2(expression):
        return trouble
    if nullable(node):
        if anchored(node):
            return Trouble(0, "it matches lines without looking at a single character",
                           "name at least one character that must be there")
        return Trouble(0, "it matches every line: all of it may be missing",
                       "name at least one character that must be there")
    if too_large(node):
        return Trouble(0, "it is too large to be sought with the others",
                       "use fewer or smaller repetitions, or + and * instead of {n,m}")
    return _ask_hyperscan(finder(node))


def _ask_re2(expression: str) -> Trouble | None:
    try:
        compile_bytes(re2_bytes(expression))
    except ImportError:
        raise
    except Exception as error:
        detail = error.args[0] if error.args else b""
        message = detail if isinstance(detail, bytes) else str(detail).encode()
        place = message.rpartition(b": ")[2].decode("utf-8", "replace")
        if message.startswith(b"invalid repetition size"):
            return Trouble(max(0, expression.rfind(place)),
                           "its repetitions multiply to more than 1000",
                           "write + or * in place of the numbers")
        return Trouble(max(0, expression.rfind(place)), message.decode("latin-1"),
                       "see https://github.com/google/re2/wiki/Syntax")
    return None


def _ask_hyperscan(text: str) -> Trouble | None:
    try:
        hyperscan = importlib.import_module("hyperscan")
    except ImportError:
        return None
    try:
        build_database(hyperscan, {0: text})
    except hyperscan.error as error:
        reason = str(error).rstrip(".")
        if "anchors" in reason:
            return Trouble(0, "^ or $ stands where it can never match",
                           r"write \^ or \$ for the character, or move it to the end")
        return Trouble(0, f"it cannot be sought in bulk: {reason}",
                       "make it shorter, with fewer or smaller repetitions")
    return None
