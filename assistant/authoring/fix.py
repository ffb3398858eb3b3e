"""Mechanical mistakes mended in the text itself: comments and layout stay as they are.

Each fixer turns one problem into one edit (start, end, text in its place); edits are made from
the end of a file to its start, and the file is read again until nothing more can be mended.
"""

from __future__ import annotations

import re
import stat
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path, PurePath

from assistant import atomic
from assistant.authoring.form import SCHEMA_LINE, key_order, schema_for
from assistant.authoring.lint import lint
from assistant.errors import UsageError
from assistant.rules.packs import Layer
from assistant.rules.types import Problem
from assistant.rules.yaml_errors import STRAIGHT
from assistant.rules.yaml_source import Document, read
from assistant.rules.yaml_text import index_at

Edit = tuple[int, int, str]
#: Rounds of reading and mending at most.
ROUNDS = 10
#: Columns that a tab in the indentation stands for.
_TAB = 2


def fixable(problem: Problem) -> bool:
    """Whether something of the kind can be mended (not that this very one can)."""
    return problem.code in _FIXERS


def fixed(text: str, problems: Sequence[Problem], file: Path) -> tuple[str, int]:
    """The text of a file with what can be mended mended once, and the number of edits."""
    document = read(text, str(file))
    edits: list[Edit] = []
    for problem in problems:
        fixer = _FIXERS.get(problem.code)
        edit = fixer(document, problem, file) if fixer is not None else None
        if edit is not None and not any(edit[0] < end and start < edit[1]
                                        for start, end, _ in edits):
            edits.append(edit)
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text, len(edits)


def fix(paths: Sequence[str], layers: Sequence[Layer], also: Collection[str]) -> tuple[int, int]:
    """Mends the files under some paths; (number of edits, number of files).

    Raises:
        UsageError: see lint.lint; or a file cannot be written.
    """
    edits = 0
    files: set[str] = set()
    for _ in range(ROUNDS):
        by_file: dict[str, list[Problem]] = {}
        for problem in lint(paths, layers=layers, also=also).problems:
            if fixable(problem) and "!/" not in problem.position.file:
                by_file.setdefault(problem.position.file, []).append(problem)
        before = edits
        for file, problems in by_file.items():
            edits += (made := _mend(Path(file), problems))
            files |= {file} if made else set()
        if edits == before:
            break
    return edits, len(files)


def _mend(file: Path, problems: Sequence[Problem]) -> int:
    """Mends one file; the number of edits."""
    try:
        text = file.read_bytes().decode("utf-8")
        new, edits = fixed(text, problems, file)
        if edits:
            mode = stat.S_IMODE(file.stat().st_mode)
            with atomic.written(file) as stream:
                stream.write(new.encode("utf-8"))
            file.chmod(mode)
    except UnicodeDecodeError:
        return 0  # told as a problem of its own
    except OSError as error:
        raise UsageError(f"{file}: cannot be written: {error.strerror or error}") from error
    return edits


def _index(document: Document, problem: Problem) -> int:
    """Index in the text of the place of a problem."""
    return index_at(document.text, problem.position.line, problem.position.column)


def _quote(document: Document, problem: Problem, file: Path) -> Edit | None:
    """Quotes around a plain word that YAML reads as something else, or where text is wanted."""
    if problem.code == "wrong-type" and problem.cure != "put it in quotes":
        return None
    start = _index(document, problem)
    place = (problem.position.line, problem.position.column)
    for span in document.spans.values():
        if (span.line, span.column) == place and not span.style and span.start == start:
            plain = document.text[span.start:span.end]
            return (span.start, span.end, f'"{plain}"') if plain.isprintable() else None
    key = re.compile(r"[\w.+-]+(?=\s*:)").match(document.text, start)
    return (start, key.end(), f'"{key[0]}"') if key is not None else None


def _tab(document: Document, problem: Problem, file: Path) -> Edit | None:
    """Blanks in place of the tabs in the indentation of a line."""
    start = index_at(document.text, problem.position.line, 1)
    found = re.compile(r"[ \t]*").match(document.text, start)
    if found is None or "\t" not in found[0]:
        return None
    return start, found.end(), found[0].replace("\t", " " * _TAB)


def _trailing(document: Document, problem: Problem, file: Path) -> Edit | None:
    start = _index(document, problem)
    found = re.compile(r"[ \t]+(?=\r?\n|$)").match(document.text, start)
    return (start, found.end(), "") if found is not None else None


def _straight(document: Document, problem: Problem, file: Path) -> Edit | None:
    """A full-width sign in its place, with the blank that YAML wants behind a colon."""
    start = _index(document, problem)
    sign = document.text[start:start + 1]
    if sign in "“”‘’" or sign not in STRAIGHT:
        return None  # which quotes belong together is not for a machine to guess
    behind = document.text[start + 1:start + 2]
    blank = " " if sign in "：，" and behind not in ("", " ", "\n") else ""
    return start, start + 1, STRAIGHT[sign] + blank


def _schema_line(document: Document, problem: Problem, file: Path) -> Edit | None:
    name = PurePath(file).stem
    value = document.value if isinstance(document.value, Mapping) else {}
    kind = name if name in ("pack", "site", "landmarks") else (
        "catalogue" if "catalogue" in value else "rule")
    where = schema_for(file, kind)
    return (0, 0, f"{SCHEMA_LINE}{where}\n") if where else None


def _key_order(document: Document, problem: Problem, file: Path) -> Edit | None:
    """The keys of the rule of a file in the usual order, each with the comments above it.

    Left alone where the rule stands in a list, or its keys do not begin a line each.
    """
    value = document.value
    if not isinstance(value, Mapping) or "rules" in value:
        return None
    lines = document.text.splitlines(keepends=True)
    starts = {key: document.keys[key,].line - 1 for key in value}
    if len(set(starts.values())) < len(starts) or any(
            document.keys[key,].column != 1 for key in value):
        return None
    first = min(starts.values())
    begins = {key: _with_comments(lines, line, first) for key, line in starts.items()}
    marks = [*sorted(begins.values()), len(lines)]
    blocks = {key: "".join(lines[line:marks[marks.index(line) + 1]])
              for key, line in begins.items()}
    if not all(block.endswith("\n") for block in blocks.values()):
        return None
    order = key_order()
    wanted = sorted(blocks, key=lambda key: order.index(key) if key in order else len(order))
    return (sum(map(len, lines[:marks[0]])), len(document.text),
            "".join(blocks[key] for key in wanted))


def _with_comments(lines: Sequence[str], line: int, first: int) -> int:
    """The line at which the comments above a key begin; those above the first key belong to
    the file."""
    while line > first and lines[line - 1].lstrip().startswith("#"):
        line -= 1
    return line


_FIXERS: Mapping[str, Callable[[Document, Problem, Path], Edit | None]] = {
    "yaml-trap": _quote, "wrong-type": _quote, "tab": _tab, "trailing-space": _trailing,
    "full-width": _straight, "no-schema-line": _schema_line, "key-order": _key_order,
}
