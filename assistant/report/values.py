"""The placeholders that every finding gives, besides those of its rule's signals."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence

from assistant.diagnose.types import Finding
from assistant.evidence.types import Evidence
from assistant.job.types import Job
from assistant.report.ranges import ranges
from assistant.report.times import iso
from assistant.sources import STDIN_NAME
from assistant.sources.arguments import is_url
from assistant.sources.remote_errors import shown
from assistant.sources.sections import BY_POD, SHOWN_IN

#: How a node is reached where the site does not say; NODE is its name.
LOGIN = "ssh NODE"
#: The values that lead to a line.
_PLACE = ("file", "line", "top")
_PIPED: Mapping[str, Sequence[str]] = {STDIN_NAME: _PLACE}
_HOST = re.compile(r"[A-Za-z0-9][\w.-]*", re.ASCII)


def common_values(finding: Finding, names: Mapping[str, str], evidence: Evidence,
                  login: str = LOGIN) -> dict[str, str]:
    """`ranks`, `node`, `login`, `time`, `log_dir` and the ranks of each signal, only where known.

    Args:
        names: key of a node to what it is called.
        evidence: what was read.
        login: command that reaches the node NODE.
    """
    values = signal_ranks(finding)
    if finding.ranks:
        values["ranks"] = ranges(finding.ranks)
    if finding.nodes and names.get(finding.nodes[0]):
        values["node"] = names[finding.nodes[0]]
    if len(names) > 1:  # on a lone node the reader is there already
        node = finding.values.get("node") or values.get("node") or ""
        values["login"] = login.replace("NODE", node) if _HOST.fullmatch(node) else login
    time = iso(finding.time)
    if time:
        values["time"] = time[:19].replace("T", " ")
    file = folder_file(finding)
    # A rank without a file lives elsewhere: the folders read here are not its own.
    elsewhere = "rank" in finding.values and "rank_file" not in finding.values
    folder = log_dir(file, evidence.inputs, evidence.places) if file and not elsewhere else None
    if folder:
        values["log_dir"] = folder
    return values


def folders(job: Job) -> dict[str, str]:
    """`input_dir`, the deepest folder that holds all logs that were read, and `plog_dir`, that of
    the logs of CANN among them; only where there is one that a command can use."""
    logs = {"input_dir": job.files, "plog_dir": [log for log in job.files if log.role == "cann"]}
    return {name: folder for name, files in logs.items()
            if (folder := _common((log.evidence.name for log in files), job.evidence))}


def _common(files: Iterable[str], evidence: Evidence) -> str | None:
    one_each = {posixpath.dirname(file): file for file in files}.values()
    found = {log_dir(file, evidence.inputs, evidence.places) for file in one_each}
    known = [folder for folder in found if folder and not is_url(folder)]
    if not known or len(known) < len(found):
        return None
    if len(known) == 1:
        return known[0]
    try:
        return os.path.commonpath(known) or None
    except ValueError:  # some are absolute
        return None


def signal_ranks(finding: Finding) -> dict[str, str]:
    """`SIGNAL.ranks` for each signal that holds on ranks."""
    return {f"{signal}.ranks": ranges(whom) for signal, whom in finding.named.items()}


def folder_file(finding: Finding) -> str:
    """The file whose folder `{log_dir}` is: the log of the rank concerned, else the first
    quoted file; empty where there is neither."""
    return finding.values.get("rank_file") or (
        finding.evidence[0].file if finding.evidence else "")


def not_to_open(evidence: Evidence) -> Mapping[str, Sequence[str]]:
    """Name of a log to the values that no command can use: what was piped in has no file, nor
    has a pod; of a log that another text shows perhaps not from its first line on, the numbers
    of lines do not count in the file."""
    found: dict[str, Sequence[str]] = {STDIN_NAME: _PLACE}
    for file in evidence.files:
        for note in file.notes:
            if note.startswith((f"{SHOWN_IN}: ", f"{BY_POD}: ")) and file.name != STDIN_NAME:
                found[file.name] = _PLACE[note.startswith(SHOWN_IN):]
    return found


def step_values(values: Mapping[str, str], folder_of: str,
                without: Mapping[str, Sequence[str]] = _PIPED) -> dict[str, str]:
    """The values as steps need them: `{log_dir}/{file}` is the file, wherever it was read.

    Args:
        folder_of: the file that gave `log_dir`.
        without: what `not_to_open` gives.
    """
    if "file" not in values:
        return {**values}
    absent = without.get(values["file"], ())
    values = {name: text for name, text in values.items() if name not in absent}
    if "file" not in values:
        return {**values}
    folder = posixpath.dirname(folder_of)
    return {**values, "file": posixpath.relpath(values["file"], folder or ".")}


def log_dir(file: str, inputs: Sequence[str],
            places: Sequence[tuple[str, str]] = ()) -> str | None:
    """The folder that holds a log, by the log's name in the report, as a command can use it
    on the machine that read the log (see Evidence for inputs and places).

    None where there is no folder: standard input, the inside of an archive.
    """
    if "!/" in file:
        return None
    known = [place for place in places if file.startswith(place[0])]
    if known:
        name, folder = max(known, key=lambda place: len(place[0]))
        return os.path.dirname(folder + file[len(name):])
    root = _root(file, inputs)
    if root is None:
        return None
    if is_url(root):
        return posixpath.join(root, posixpath.dirname(file)).rstrip("/").removeprefix("file://")
    return os.path.normpath(os.path.join(root, posixpath.dirname(file)))


def _root(file: str, inputs: Sequence[str]) -> str | None:
    """What a log's name is relative to."""
    if len(inputs) == 1 and os.path.isdir(inputs[0]):
        return inputs[0]
    parts = file.split("/")
    for path in inputs:
        url = shown(path) if is_url(path) else ""
        path = url.rstrip("/") or os.path.normpath(path)
        sep = "/" if url else os.sep
        tail = path.split(sep)
        for count in range(1, min(len(parts), len(tail)) + 1):
            # Of a lone folder behind a URL logs go by what stands below it.
            if tail[-count:] == parts[:count] and not (url and len(inputs) == 1 < len(parts)):
                return sep.join(tail[:-count]) or (os.sep if os.path.isabs(path) else ".")
        if url and len(inputs) == 1:
            return path
    return None
