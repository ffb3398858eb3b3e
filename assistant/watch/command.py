"""The command that is run once when the watched job has failed."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress

from assistant.report.json_form import to_dict
from assistant.report.types import Report

#: Seconds that the command is given to end after the watch is over.
PATIENCE = 300.0
#: What stands for the report's file among the arguments.
PLACEHOLDER = "{report}"


class Command:
    """A command with its arguments; no shell is involved.

    It finds the report as JSON in the file that replaces `{report}` and that KBTRIAGE_REPORT
    names, the verdict in KBTRIAGE_VERDICT, and the first finding's rule in KBTRIAGE_RULE. The
    file can be read by its owner only, and is removed when the command has ended.
    """

    def __init__(self, arguments: Sequence[str]) -> None:
        self._arguments = list(arguments)
        self._running: subprocess.Popen[bytes] | None = None
        self._file = ""

    @property
    def started(self) -> bool:
        """Whether it was run."""
        return bool(self._file)

    def start(self, report: Report) -> None:
        """Run it, unless it was. Raises OSError if it cannot be run."""
        if self.started:
            return
        descriptor, self._file = tempfile.mkstemp(prefix="kbtriage-", suffix=".json")
        told = {"KBTRIAGE_REPORT": self._file, "KBTRIAGE_VERDICT": report.verdict,
                "KBTRIAGE_RULE": report.findings[0].rule if report.findings else ""}
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump(to_dict(report), file, ensure_ascii=False)
            self._running = subprocess.Popen(
                [part.replace(PLACEHOLDER, self._file) for part in self._arguments],
                stdin=subprocess.DEVNULL, stdout=2, env={**os.environ, **told})
        except OSError:
            self._remove()
            raise

    def finish(self) -> int | None:
        """Wait for its end; gives its exit status, None if it was not run or did not end."""
        if self._running is None:
            return None
        try:
            return self._running.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            return None
        finally:
            if self._running.returncode is not None:
                self._remove()

    def _remove(self) -> None:
        with suppress(OSError):
            os.unlink(self._file)
