"""All patterns of all rules as ripgrep wants them."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

#: What a backslash may stand before in Rust's regular expressions.
_ESCAPED = frozenset(r"\.+*?()|[]{}^$#&-~")
COMMAND = ("rg", "--no-config", "--no-ignore", "--no-unicode", "-a", "-c")


def pattern(expression: str) -> str:
    """An expression of a rule in Rust's syntax: groups have no names (ripgrep joins all
    patterns into one, where a name can stand once), needless backslashes are left out."""
    text = re.sub(r"\(\?P<\w+>", "(?:", expression)
    text = re.sub(r"\\([^\w\s])",
                  lambda found: found[0] if found[1] in _ESCAPED else found[1], text)
    return text if text.isascii() else f"(?u:{text})"


def write_patterns(expressions: Iterable[str], path: Path) -> int:
    """Write a pattern a line for `rg -f`; return how many had to be left out because ripgrep
    does not take them."""
    left_out, taken = 0, []
    for expression in dict.fromkeys(expressions):
        text = f"(?:{pattern(expression)})"
        asked = subprocess.run([*COMMAND, "-e", text, "/dev/null"], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, check=False)
        if asked.returncode > 1:
            left_out += 1
        else:
            taken.append(text)
    path.write_text("".join(f"{text}\n" for text in taken))
    return left_out


def command(patterns: Path, folder: Path, threads: int) -> list[str]:
    """The search for all patterns in all files of a folder."""
    return [*COMMAND, "-j", str(threads), "-f", str(patterns), str(folder)]
