"""The engine kept ready: rules, compiled patterns and articles are loaded once.

The way of the data is that of assistant/pipeline.py. Safe to use from several threads at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from assistant.diagnose.types import Diagnosis
from assistant.evidence.types import Evidence, FileEvidence, Skipped
from assistant.guide.search import Search
from assistant.pipeline import Knowledge
from assistant.report.types import Report
from assistant.rules.types import Rule
from assistant.scan.compile import TRIGGERS, build_engine
from assistant.scan.one import scan_logs
from assistant.sources.types import LogSource

#: The folders of a file that a problem names.
_PLACE = re.compile(r"(?:[^\s:/]*/)+(?=[^\s:/]+:\d)")


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found, before it is put into words."""

    evidence: Evidence
    diagnosis: Diagnosis


class Engine:
    """Checks inputs against the rules in force.

    Attributes: rules, library: what is in force. patterns: the compiled expressions.

    Raises (on creation): UsageError for packs or an engine that cannot be used.
    """

    def __init__(self, extra: Iterable[str] = (), engine: str = "auto",
                 cache: bool = True) -> None:
        self._knowledge = Knowledge(tuple(extra), cache=cache)
        self.rules, self.library = self._knowledge.rules, self._knowledge.library
        self._specs = self.rules.patterns()
        self.patterns = build_engine(self._specs, self._knowledge.cache_dir, engine)
        self._by_id = {rule.id: rule for rule in self.rules.every()}

    @property
    def search(self) -> Search:
        """The search over articles and codes."""
        return self._knowledge.search

    def rule(self, rule_id: str) -> Rule | None:
        """A rule in force."""
        return self._by_id.get(rule_id)

    def check(self, sources: Iterable[LogSource | Skipped],
              proceed: Callable[[], None] = lambda: None, inputs: tuple[str, ...] = ()) -> Checked:
        """Diagnose logs.

        Args:
            proceed: called after each file; may raise to end the check.
            inputs: the paths that the logs were found at, where there are any.
        """
        files: list[FileEvidence] = []
        skipped: set[Skipped] = set()
        for source in sources:
            for result in ([source] if isinstance(source, Skipped)
                           else scan_logs(source, self.patterns, self._specs)):
                if isinstance(result, FileEvidence):
                    files.append(result)
                else:
                    skipped.add(result)
            proceed()
        evidence = Evidence(tuple(sorted(files, key=lambda file: file.name)),
                            tuple(sorted(skipped, key=lambda item: (item.file, item.why))),
                            inputs)
        proceed()
        return Checked(evidence, self._knowledge.diagnose(evidence))

    def report(self, checked: Checked, lang: str) -> Report:
        """The report of a check in one language. Of rule files that are left out it names
        the file, not where on this machine it lies."""
        made = self._knowledge.report(checked.diagnosis, checked.evidence, lang)
        problems = tuple(_PLACE.sub("", problem) for problem in made.inputs.problems)
        return replace(made, inputs=replace(made.inputs, problems=problems))

    def matching(self, line: bytes) -> list[str]:
        """Ids of the rules of which an expression matches a line, each once."""
        indexes = {index for _, index in self.patterns.candidates(line)}
        keys = [self._specs[index - len(TRIGGERS)].key for index in sorted(indexes)
                if index >= len(TRIGGERS) and self.patterns.match(index, line) is not None]
        return list(dict.fromkeys(key.rpartition("/")[0] for key in keys
                                  if not key.startswith("landmark/")))
