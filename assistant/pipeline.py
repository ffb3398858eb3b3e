"""The whole way of the data, from paths to the report: what the command line and the page call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, BinaryIO

from assistant.report.types import Report

if TYPE_CHECKING:
    from assistant.guide import Library
    from assistant.guide.search import Search
    from assistant.rules.types import RuleSet


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
    from assistant import diagnose, guide, job, report, rules, scan, sources
    from assistant.patterns import default_cache_dir
    from assistant.rules import packs as rule_packs

    layers = rule_packs.layers(packs)
    loaded = rules.load(layers, cache=cache)
    evidence = scan.scan_all(
        sources.find(paths, stdin=stdin), loaded, inputs=tuple(paths), jobs=jobs,
        cache_dir=default_cache_dir() if cache else None, engine=engine, progress=progress,
        notify=notify)
    diagnosis = diagnose.diagnose(job.build(evidence, loaded.landmarks), loaded)
    library = guide.library(layers)
    return report.build(diagnosis, evidence, library, lang, loaded.problems,
                        site=loaded.site, suggest=_suggest(library, loaded, cache))


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


def _suggest(library: Library, loaded: RuleSet, cache: bool) -> Callable[[str], tuple[str, ...]]:
    """What finds the nearest articles for a line; nothing is read before it is called."""
    from assistant.patterns import default_cache_dir

    search: Search | None = None

    def suggest(line: str) -> tuple[str, ...]:
        nonlocal search
        if search is None:
            from assistant.guide.search import Search

            base = default_cache_dir() if cache else None
            search = Search(library, loaded.rules, None if base is None else base / "rules",
                            loaded.families)
        return search.suggest(line)

    return suggest
