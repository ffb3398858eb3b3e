"""The whole way of the data, from paths to the report: what the command line and the page call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import BinaryIO

from assistant.report.types import Report


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
                        site=loaded.site)
