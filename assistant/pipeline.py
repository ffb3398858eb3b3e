"""The whole way of the data, from paths to the report: what the command line and the page call."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from assistant.errors import UsageError
from assistant.report.types import Report

if TYPE_CHECKING:
    from assistant.diagnose.judge import Judged
    from assistant.diagnose.types import Diagnosis
    from assistant.evidence.types import Evidence, Skipped
    from assistant.guide.search import Search
    from assistant.portable.kbt import Collection
    from assistant.rules.ruleset import RuleSet
    from assistant.sources.types import LogSource


@dataclasses.dataclass(frozen=True, slots=True)
class Reading:
    """How logs are read: see `check` for each."""

    jobs: int | None = None
    engine: str = "auto"
    progress: Callable[[int, int], None] | None = None
    notify: Callable[[str], None] | None = None

    @property
    def elsewhere(self) -> bool:
        """Whether the logs lie on the workers of a cluster and not here."""
        return self.engine.startswith("dask://")


class Knowledge:
    """What every check rests on, loaded once: packs, their rules and their articles.

    Attributes:
        layers: the packs in force. rules: their rules. library: their articles.
        cache_dir: where compiled patterns are kept; None: nowhere.

    Args:
        packs: folders of further rules and articles.
        cache: whether parsed rules and compiled patterns may be kept in the user's cache folder.
        progress: called with (bytes done, bytes in all) while rules are read for the first time.

    Raises:
        UsageError: a pack does not exist or holds nothing.
    """

    def __init__(self, packs: Sequence[str] = (), *, cache: bool = True,
                 progress: Callable[[int, int], None] | None = None) -> None:
        from assistant import guide, rules
        from assistant.patterns import default_cache_dir, not_kept, switched_off
        from assistant.rules import packs as rule_packs

        self.cache_dir: Path | None = default_cache_dir() if cache else None
        homeless = cache and self.cache_dir is None and not switched_off()
        self._notice = not_kept(None, "there is no HOME") if homeless else None
        self.layers = rule_packs.layers(packs, cache=cache)
        self.rules: RuleSet = rules.load(self.layers, cache=cache, progress=progress)
        self.library = guide.library(self.layers, self.rules.refused)

    def scan(self, paths: Sequence[str], options: Reading, *, stdin: BinaryIO | None = None,
             labels: Mapping[str, str] | None = None, placed: bool = False) -> Evidence:
        """The evidence of logs.

        Args:
            labels: as for sources.find.
            placed: whether it is to say where its logs lie (see Evidence.places), since it will
                be judged elsewhere, or together with what was collected elsewhere.

        Raises:
            UsageError: see `check`.
        """
        if options.elsewhere:
            from assistant import cluster

            return cluster.scan(paths, self.rules.patterns(), options.engine, labels=labels,
                                placed=placed, progress=options.progress, notify=options.notify)
        from assistant import scan, sources

        if self._notice is not None and options.notify is not None:
            options.notify(self._notice)
        evidence = scan.scan_all(
            sources.find(paths, stdin=stdin, labels=labels), self.rules, inputs=tuple(paths),
            jobs=options.jobs, cache_dir=self.cache_dir, engine=options.engine,
            progress=options.progress, notify=options.notify)
        return evidence if not placed else dataclasses.replace(
            evidence, places=sources.places(paths, labels))

    def diagnose(self, evidence: Evidence, *, without: Container[str] = ()) -> Diagnosis:
        """What the rules say of the evidence; those of ids in `without` are not asked."""
        from assistant.diagnose.run import conclude

        return conclude(self.judge(evidence, without=without))

    def judge(self, evidence: Evidence, *, without: Container[str] = ()) -> Judged:
        """What came of every rule on the evidence; `without` as for `diagnose`."""
        from assistant import job
        from assistant.diagnose.judge import judge

        rules = self.rules
        if without:
            rules = dataclasses.replace(
                rules, rules=tuple(rule for rule in rules.rules if rule.id not in without))
        return judge(job.build(evidence, rules.landmarks), rules)

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


@dataclasses.dataclass(frozen=True)
class Examined:
    """Everything that a check found, before it is put into words.

    Attributes:
        knowledge: what it rests on. evidence: what the logs yielded.
        judged: what came of every rule. diagnosis: what follows from that.
        rereadable: whether all of it came from logs, which can be read once more.
    """

    knowledge: Knowledge
    evidence: Evidence
    judged: Judged
    diagnosis: Diagnosis
    rereadable: bool = True

    def report(self, lang: str) -> Report:
        """The report in a language."""
        return self.knowledge.report(self.diagnosis, self.evidence, lang)

    def sources(self) -> Iterator[LogSource | Skipped]:
        """The logs once more, where they are `rereadable`."""
        from assistant import sources

        return sources.find(self.evidence.inputs)


def check(paths: Sequence[str], *, packs: Sequence[str] = (), lang: str = "en",
          jobs: int | None = None, engine: str = "auto", cache: bool = True,
          progress: Callable[[int, int], None] | None = None,
          notify: Callable[[str], None] | None = None,
          stdin: BinaryIO | None = None) -> Report:
    """Diagnose the logs under some paths; `lang` is `en` or `zh`, the rest as for `examine`."""
    return examine(paths, packs=packs, jobs=jobs, engine=engine, cache=cache, progress=progress,
                   notify=notify, stdin=stdin).report(lang)


def examine(paths: Sequence[str], *, packs: Sequence[str] = (), jobs: int | None = None,
            engine: str = "auto", cache: bool = True,
            progress: Callable[[int, int], None] | None = None,
            notify: Callable[[str], None] | None = None,
            stdin: BinaryIO | None = None) -> Examined:
    """Diagnose the logs under some paths.

    Args:
        paths: directories, files, globs, archives, files of collected evidence, or `-` for
            standard input.
        packs: folders of further rules and articles.
        jobs: processes at most (None: one a core).
        engine: `auto`, `hyperscan` or `re2`; or `dask://HOST:PORT`: the logs lie on the workers
            of that cluster and are read there.
        cache: whether compiled patterns may be kept in the user's cache folder.
        progress: called with (bytes done, bytes in all) while reading: rules, where that is
            the first time, then logs.
        notify: called with one line when a slower engine had to take over.
        stdin: stream for `-`.

    Raises:
        UsageError: a path does not exist, nothing readable is there, or no rule could be
            loaded.
    """
    from assistant.diagnose.run import conclude

    knowledge = Knowledge(packs, cache=cache, progress=progress)
    options = Reading(jobs, engine, progress, notify)
    collected, logs, stdin = _sorted_out(paths, stdin, options)
    unknown: frozenset[str] = frozenset()
    if collected:
        evidence, unknown = _with_collected(knowledge, collected, logs, stdin, options)
    else:
        evidence = knowledge.scan(logs, options, stdin=stdin)
    judged = knowledge.judge(evidence, without=unknown)
    return Examined(knowledge, evidence, judged, conclude(judged),
                    rereadable=not collected and not options.elsewhere)


def collect(paths: Sequence[str], *, node: str | None = None, packs: Sequence[str] = (),
            jobs: int | None = None, engine: str = "auto", cache: bool = True,
            progress: Callable[[int, int], None] | None = None,
            notify: Callable[[str], None] | None = None,
            stdin: BinaryIO | None = None) -> Collection:
    """The evidence of the logs under some paths, to be checked elsewhere.

    Args:
        node: what the node is to be called in reports.
        paths, packs, jobs, engine, cache, progress, notify, stdin: as for `check`.

    Raises:
        UsageError: as `check` does.
    """
    from assistant.portable.kbt import Collection
    from assistant.portable.known import marks

    options = Reading(jobs, engine, progress, notify)
    files, logs, stdin = _sorted_out(paths, stdin, options)
    if files:
        raise UsageError(f"{files[0]}: was collected already; give it to `kbtriage check` as it "
                         "is")
    knowledge = Knowledge(packs, cache=cache, progress=progress)
    evidence = knowledge.scan(logs, options, stdin=stdin, placed=True)
    return Collection(evidence, marks(knowledge.rules.patterns()), node)


def _sorted_out(paths: Sequence[str], stdin: BinaryIO | None, options: Reading
                ) -> tuple[list[str], list[str], BinaryIO | None]:
    """(files of collected evidence, logs, standard input); `-` stands among those it is."""
    from assistant.sources import collected
    from assistant.sources.kinds import COLLECTED

    if options.elsewhere:  # only the workers can say what a path is
        files = [path for path in paths if path.endswith(COLLECTED)]
        return files, [path for path in paths if path not in files], stdin

    files, logs = collected.split(paths)
    if "-" in logs and stdin is not None:
        is_collected, stdin = collected.looked_into(stdin)
        if is_collected:
            return [*files, "-"], [path for path in logs if path != "-"], stdin
    return files, logs, stdin


def _with_collected(knowledge: Knowledge, collected: Sequence[str], logs: Sequence[str],
                    stdin: BinaryIO | None, options: Reading
                    ) -> tuple[Evidence, frozenset[str]]:
    """The evidence, some of which was collected elsewhere, and what that does not know."""
    from assistant.portable import load
    from assistant.portable.known import marks
    from assistant.sources.parcel import on_disk

    with on_disk(collected) as found:
        shown = found.files
        labels = (load.labels_for([*shown.values()], logs) if len(shown) + len(logs) > 1
                  else {})
        given = {file: labels[name] for file, name in shown.items() if name in labels}
        loaded = load.load([*shown], given, marks(knowledge.rules.patterns()), stdin,
                           options.jobs)
    loaded = dataclasses.replace(loaded, skipped=(*found.skipped, *(
        dataclasses.replace(one, file=shown.get(one.file, one.file)) for one in loaded.skipped)))
    # The same path may be another node's, too.
    scanned = (knowledge.scan(logs, options, stdin=stdin, labels=labels, placed=True) if logs
               else None)
    return load.whole(loaded, scanned), frozenset(loaded.not_known)


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
