"""The placeholders that every finding gives, besides those of its rule's signals."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Mapping, Sequence

from assistant.diagnose.types import Finding
from assistant.report.ranges import ranges
from assistant.report.times import iso


def common_values(finding: Finding, names: Mapping[str, str], inputs: Sequence[str]
                  ) -> dict[str, str]:
    """`ranks`, `node`, `time` and `log_dir`, each only where it is known.

    Args:
        names: key of a node to what it is called.
        inputs: paths as the caller gave them.
    """
    values: dict[str, str] = {}
    if finding.ranks:
        values["ranks"] = ranges(finding.ranks)
    if finding.nodes and names.get(finding.nodes[0]):
        values["node"] = names[finding.nodes[0]]
    time = iso(finding.time)
    if time:
        values["time"] = time[:19].replace("T", " ")
    file = finding.evidence[0].file if finding.evidence else ""
    folder = log_dir(file, inputs) if file else None
    if folder:
        values["log_dir"] = folder
    return values


def step_values(values: Mapping[str, str]) -> dict[str, str]:
    """The values as steps need them: `{log_dir}/{file}` is the file, wherever it was read."""
    return {**values, "file": posixpath.basename(values["file"])} if "file" in values else {
        **values}


def log_dir(file: str, inputs: Sequence[str]) -> str | None:
    """The folder that holds a log, by the log's name in the report, as a command can use it.

    None where there is no folder: standard input, the inside of an archive.
    """
    root = _root(file, inputs)
    if root is None or "!/" in file:
        return None
    return os.path.normpath(os.path.join(root, posixpath.dirname(file)))


def _root(file: str, inputs: Sequence[str]) -> str | None:
    """What a log's name is relative to."""
    if len(inputs) == 1 and os.path.isdir(inputs[0]):
        return inputs[0]
    parts = file.split("/")
    for path in map(os.path.normpath, inputs):
        tail = path.split(os.sep)
        for count in range(1, min(len(parts), len(tail)) + 1):
            if tail[-count:] == parts[:count]:
                return os.sep.join(tail[:-count]) or (os.sep if os.path.isabs(path) else ".")
    return None
