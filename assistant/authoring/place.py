"""A place in a log, `FILE:LINE`: the line itself and its neighbours, read from the file."""

from __future__ import annotations

import itertools
import json
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.errors import UsageError
from assistant.sources import LogSource, find

#: Lines that are looked at before and behind the one that is meant.
BEFORE, BEHIND = 300, 120
#: Longest line that is kept, in bytes.
_WIDEST = 4000


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a log and what stands around it.

    Attributes:
        name: the log's file name, as `find` gives it.
        lines: the neighbours and the line, as logged, without line ends.
        index: which of `lines` is meant. number: its number in the file, 1-based.
    """

    name: str
    lines: tuple[str, ...]
    index: int
    number: int

    @property
    def text(self) -> str:
        """The line that is meant."""
        return self.lines[self.index]


def read_place(spelling: str) -> Place:
    """The place that `FILE:LINE` names; FILE may be a member of an archive
    (`logs.tar.gz!/worker_0.log`), or compressed.

    Raises:
        UsageError: there is no such file or line, or the line is blank.
    """
    file, _, number = spelling.rpartition(":")
    if not file or not number.isdecimal() or not int(number):
        raise UsageError(f"{spelling}: give a file and a line number, such as worker_0.log:812")
    return _read(file, int(number), spelling)


def _read(file: str, number: int, spelling: str) -> Place:
    archive, inside, _ = file.partition("!/")
    for source in find([archive if inside else file]):
        if not isinstance(source, LogSource) or (inside and not file.endswith(source.name)
                                                 and not source.name.endswith(file)):
            continue
        try:
            with source.open() as stream:
                first = max(0, number - 1 - BEFORE)
                window = deque(itertools.islice(stream, first, number + BEHIND))
        except OSError as error:
            raise UsageError(f"{file}: cannot be read: {error.strerror or error}") from error
        lines = tuple(raw[:_WIDEST].decode("utf-8", "replace").rstrip("\r\n") for raw in window)
        if number - 1 - first >= len(lines):
            raise UsageError(f"{spelling}: the file has no line {number}")
        place = Place(source.name, lines, number - 1 - first, number)
        if not place.text.strip():
            raise UsageError(f"{spelling}: this line is blank; give one that shows the symptom")
        return place
    raise UsageError(f"{file}: not a log that can be read")


def report_places(report: str, logs: str = "") -> list[Place]:
    """The places of the `unexplained` lines of a JSON report, the most frequent first.

    Args:
        report: file of the report. logs: the folder that was checked, "": beside the report
            or here; a log that is not found gives the quoted line alone.

    Raises:
        UsageError: the file is no report of this program.
    """
    rows = _unexplained(report)
    folders = [Path(logs)] if logs else [Path(), Path(report).parent]
    places = []
    for row in sorted(rows, key=lambda row: -int(row["count"])):
        quote = row["evidence"]
        places.append(_found(quote, folders) or Place(
            quote["file"], (quote["text"],), 0, quote["line"]))
    return places


def _found(quote: dict[str, Any], folders: list[Path]) -> Place | None:
    """The quoted line in its log, None if the log is not there or reads otherwise."""
    for folder in folders:
        path = folder / quote["file"]
        if not path.is_file() and "!/" not in quote["file"]:
            continue
        try:
            place = read_place(f"{path}:{quote['line']}")
        except UsageError:
            continue
        if quote["text"].strip()[:200] in place.text:
            return Place(quote["file"], place.lines, place.index, place.number)
    return None


def _unexplained(report: str) -> list[dict[str, Any]]:
    try:
        values = json.loads(Path(report).read_bytes())
    except OSError as error:
        raise UsageError(f"{report}: cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise UsageError(f"{report}: not JSON: {error}; write one with "
                         "kbtriage check LOGS --format json -o report.json") from error
    rows = values.get("unexplained") if isinstance(values, dict) else None
    if not isinstance(rows, list) or not all(
            isinstance(row, dict) and isinstance(row.get("count"), int)
            and isinstance(row.get("evidence"), dict)
            and {"file", "line", "text"} <= row["evidence"].keys() for row in rows):
        raise UsageError(f"{report}: no report of kbtriage; write one with "
                         "kbtriage check LOGS --format json -o report.json")
    return rows
