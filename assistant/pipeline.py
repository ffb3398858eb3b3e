"""The whole way of the data, from paths to the report: what the command line and the page call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from assistant.report.types import Report

if TYPE_CHECKING:
    from assistant.diagnose.types import Diagnosis
    from assistant.evidence.types import Evidence
    from assistant.guide.search import Search
    from assistant.rules.types import RuleSet


class Knowledge:
    """What every check rests on, loaded once: packs, their rules and their articles.

    Attributes:
        layers: the packs in force. rules: their rules. library: their articles.
        cache_dir: where compiled patterns are kept; None: nowhere.

    Args:
        packs: folders of further rules and articles.
        cache: whether parsed rules and compiled patterns may be kept in the user's cache folder.

    Raises:
        UsageError: a pack does not exist or holds nothing.
    """

    def __init__(self, packs: Sequence[str] = (), *, cache: bool = True) -> None:
        from assistant import guide, rules
        from assistant.patterns import default_cache_dir
        from assistant.rules import packs as rule_packs

        self.cache_dir: Path | None = default_cache_dir() if cache else None
        self.layers = rule_packs.layers(packs)
        self.rules: RuleSet = rules.load(self.layers, cache=cache)
        self.library = guide.library(self.layers)

    def diagnose(self, evidence: Evidence) -> Diagnosis:
        """What the rules say of the evidence."""
        from assistant import diagnose, job

        return diagnose.diagnose(job.build(evidence, self.rules.landmarks), self.rules)

    def report(self, diagnosis: Diagnosis, evidence: Evidence, lang: str) -> Report:
        """The report in a language."""
        from assistant import report

        return report.build(diagnosis, evidence, self.library, lang, self.rules.problems,
                            site=self.rules.site, suggest=self._suggest)

    def _suggest(self, line: str) -> tuple[str, ...]:
        """The articles nearest to a line; nothing is read before it is called."""
        return self.search.suggest(line)

    @cached_property
    def search(self) -> Search:
        """The search over articles and codes."""
        from assistant.guide.search import Search

        kept = None if self.cache_dir is None else self.cache_dir / "rules"
        return Search(self.library, self.rules.every(), kept, self.rules.families)


def check(paths: Sequence[str], *, packs: Sequence[str] = (), lang: str = "en",
          jobs: int | None = None, engine: str = "auto", cache: bool = True,
          progress: Callable[[int, int], None] | None = None,
          notify: Callable[[str], None] | None = None,
          stdin: BinaryIO | None = None) -> Report:
    """Diagnose the logs under some paths.

    Args:
        paths: directories, files, globs, archives, or `-` for standard input.
        packs: folders of further rules and articles.
        lang: `en` or `zh`.
        jobs: processes at most (None: one a core).
        engine: `auto`, `hyperscan` or `re2`.
        cache: whether compiled patterns may be kept in the user's cache folder.
        progress: called with (bytes done, bytes in all) while reading.
        notify: called with one line when a slower engine had to take over.
        stdin: stream for `-`.

    Raises:
        UsageError: a path does not exist, nothing readable is there, or no rule could be
            loaded.
    """
    from assistant import scan, sources

    knowledge = Knowledge(packs, cache=cache)
    evidence = scan.scan_all(
        sources.find(paths, stdin=stdin), knowledge.rules, inputs=tuple(paths), jobs=jobs,
        cache_dir=knowledge.cache_dir, engine=engine, progress=progress, notify=notify)
    return knowledge.report(knowledge.diagnose(evidence), evidence, lang)


def recognise(text: str, rules: RuleSet) -> tuple[str, ...]:
    """The rules (ids) that hold for a text read as a log, the most likely cause first; those
    that know nothing but that it looks like an error are left out."""
    import io

    from assistant import diagnose, job
    from assistant.evidence.types import Evidence
    from assistant.patterns import default_cache_dir
    from assistant.scan.compile import build_engine
    from assistant.scan.scanner import scan_stream

    specs = rules.patterns()
    engine = build_engine(specs, default_cache_dir())
    stream = io.BytesIO(text.encode("utf-8", "replace"))
    evidence = Evidence((scan_stream("text.log", stream, engine, specs),))
    diagnosis = diagnose.diagnose(job.build(evidence, rules.landmarks), rules)
    return tuple(dict.fromkeys(
        finding.rule.id for finding in diagnosis.findings
        if finding.evidence and (not finding.rule.fallback or finding.rule.usually)))
