"""Problems as text: where, what, the line with a caret, and the cure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import dedent
from unicodedata import combining, east_asian_width

from assistant.rules.reading import WrittenRule
from assistant.rules.types import Problem

#: Widest part of a source line that is shown.
WIDTH = 100


def problem_text(problem: Problem, lines: Sequence[str] | None = None) -> str:
    """A problem in a few lines; `lines` are those of its file, None if they are not at hand.

        rules/x.yaml:3:11: error[unknown-severity]: `eror` is not a value of `severity`
          3 | severity: eror
            |           ^
            = did you mean `error`?
    """
    position = problem.position
    text = [f"{position}: {problem.level}[{problem.code}]: {problem.message}"]
    number = str(position.line)
    margin = " " * len(number)
    if lines is not None and 1 <= position.line <= len(lines):
        line = lines[position.line - 1]
        shown, column = _cut(line, position.column - 1)
        pad = "".join(_blank(character) for character in shown[:column])
        text += [f"  {number} | {_plain(shown)}", f"  {margin} | {pad}^"]
    if problem.cure:
        text.append(f"  {margin} = {problem.cure}")
    return "\n".join(text)


def summary(problems: Iterable[Problem], files: int, rules: int) -> str:
    """One line: how much was looked at and what was found."""
    found = list(problems)
    errors = sum(problem.level == "error" for problem in found)
    looked = f"{_count(files, 'file')}, {_count(rules, 'rule')}"
    if not found:
        return f"{looked}: no problems"
    return f"{looked}: {_count(errors, 'error')}, {_count(len(found) - errors, 'warning')}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _cut(line: str, column: int) -> tuple[str, int]:
    """The part of a long line around a column, and the column within it."""
    column = max(0, min(column, len(line)))
    if len(line) <= WIDTH:
        return line, column
    start = max(0, min(column - WIDTH // 2, len(line) - WIDTH))
    return line[start:start + WIDTH], column - start


def _blank(character: str) -> str:
    """Blanks as wide as the character is on a terminal."""
    if character == "\t":
        return " "
    if combining(character):
        return ""
    return "  " if east_asian_width(character) in "WF" else " "


def _plain(line: str) -> str:
    """The line without characters that a terminal would act on."""
    return "".join(c if c.isprintable() else " " if c == "\t" else "\N{REPLACEMENT CHARACTER}"
                   for c in line)


def rule_text(written: WrittenRule) -> str:
    """A rule as its file spells it, without the indentation of a list."""
    document = written.document
    span = document.spans[written.path]
    first = document.text.rfind("\n", 0, span.start) + 1
    lines = document.text[first:span.end].rstrip().split("\n")
    # In a list the first line begins with `- `, which is as wide as the indentation.
    lines[0] = " " * (span.start - first) + lines[0][span.start - first:]
    return dedent("\n".join(lines))
