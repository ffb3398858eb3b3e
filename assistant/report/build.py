"""A diagnosis put into words: titles and steps filled in, keys of nodes replaced by names."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Mapping, Sequence

from assistant.diagnose.types import Citation, Diagnosis, Finding
from assistant.evidence.types import Evidence
from assistant.guide.fill import fill
from assistant.guide.library import Library, in_language
from assistant.guide.printable import printable
from assistant.job.types import Job, Process
from assistant.report.chips import said_which
from assistant.report.remarks import remarks
from assistant.report.times import iso
from assistant.report.types import (
    FindingReport,
    InputsRow,
    JobRow,
    Quote,
    RankRow,
    Report,
    SkippedRow,
    UnexplainedRow,
)
from assistant.report.values import (
    LOGIN,
    common_values,
    folder_file,
    folders,
    not_to_open,
    step_values,
)
from assistant.report.words import Words
from assistant.rules.types import Problem

#: For so many of the unexplained lines articles are sought.
_SUGGESTED = 20
_PRODUCTS = ("mindspore", "mindformers", "cann")


def build(diagnosis: Diagnosis, evidence: Evidence, library: Library, lang: str = "en",
          problems: Sequence[Problem] = (), *, site: Mapping[str, str] | None = None,
          suggest: Callable[[str], tuple[str, ...]] | None = None) -> Report:
    """The report in `lang`.

    Args:
        diagnosis: what was found.
        evidence: what was read.
        library: the articles whose steps are printed.
        lang: `en` or `zh`.
        problems: rules that were left out; those of articles are added.
        site: site variables, which steps use as `{site.name}`.
        suggest: gives the nearest articles for a line that no rule covers.
    """
    words = Words(lang)
    job = diagnosis.job
    names = {node.key: node.name for node in job.nodes}
    variables = {f"site.{name}": value for name, value in (site or {}).items()}
    variables |= folders(job)
    without = not_to_open(evidence)
    findings = tuple(
        _finding(finding, library, words, names, without,
                 variables | common_values(finding, names, evidence,
                                           variables.get("site.login", LOGIN)))
        for finding in diagnosis.findings)
    told = [*problems, *library.problems]
    return Report(
        verdict=diagnosis.verdict,
        job=_job(job),
        findings=findings,
        ranks=tuple(_rank(process, process.rank, names)
                    for process in job.processes if process.rank is not None),
        unexplained=tuple(
            UnexplainedRow(row.template, row.count, _quote(row.evidence),
                           suggest(row.evidence.text) if suggest and n < _SUGGESTED else ())
            for n, row in enumerate(diagnosis.unexplained)),
        inputs=InputsRow(
            files=len(evidence.files),
            bytes=sum(file.size for file in evidence.files),
            skipped=tuple(SkippedRow(entry.file, entry.why) for entry in evidence.skipped),
            problems=tuple(_problem(problem) for problem in told),
            remarks=remarks(job, words)),
        lang=lang)


def _finding(finding: Finding, library: Library, words: Words, names: Mapping[str, str],
             without: Mapping[str, Sequence[str]], common: Mapping[str, str]) -> FindingReport:
    rule = finding.rule
    values = {**common, **finding.values}
    article = library.article(rule.article, words.lang)
    here = step_values(values, folder_file(finding), without)
    given = in_language(rule.steps, words.lang) or (article.steps if article else ())
    added = in_language(rule.added_steps, words.lang)
    # A step that holds for some jobs only can come to nothing.
    steps = tuple(step for text in said_which((*given, *added), here, words)
                  if (step := fill(text, here).strip()))
    title = rule.title.get(words.lang) or rule.title.get("en") or rule.id
    return FindingReport(
        rule=rule.id, title=fill(title, values), category=rule.category, severity=rule.severity,
        role=finding.role, explained_by=finding.explained_by,
        confidence=round(finding.confidence, 3), ranks=finding.ranks,
        nodes=tuple(sorted({names.get(key, key) for key in finding.nodes} - {""})),
        codes=finding.codes, evidence=tuple(map(_quote, finding.quoted)),
        article=rule.article, steps=steps or _fallback_steps(finding.evidence, words, here),
        article_title=fill(article.title, values) if article else "",
        meaning=_paragraphs(rule.meaning.get(words.lang, "")
                            or (article.meaning if article else ""), values),
        otherwise=_paragraphs(article.otherwise, values) if article else "",
        absent=tuple(map(printable, finding.absent)), count=finding.count,
        source=rule.source, time=iso(finding.time),
        step=_step(finding), silenced=_silenced(finding, words))


def _step(finding: Finding) -> int | None:
    """The step that the finding's signals name."""
    text = finding.values.get("step", "")
    return int(text) if text.isdecimal() and len(text) <= 18 else None


def _silenced(finding: Finding, words: Words) -> str | None:
    """`silenced by <pack> until <date>: <reason>` in the language of the report."""
    by = finding.silenced
    if by is None:
        return None
    return printable(words("silenced", pack=by.pack, until=by.until, reason=by.reason))


def _fallback_steps(evidence: Iterable[Citation], words: Words,
                    values: Mapping[str, str]) -> tuple[str, ...]:
    """What to do where no article says it: read on from the first quoted line."""
    first = next(iter(evidence), None)
    if first is None:
        return ()
    file = first.file
    if "log_dir" in values:
        file = posixpath.join(values["log_dir"], values.get("file", posixpath.basename(file)))
    text = words("fallback.step", line="{line}", file="{file}")
    return (fill(text, {"line": str(first.line), "file": file}),)


def _paragraphs(text: str, values: Mapping[str, str]) -> str:
    """Filled in a paragraph at a time, since filling makes one line of its text's values."""
    return "\n\n".join(fill(part, values) for part in text.split("\n\n")) if text else ""


def _quote(citation: Citation) -> Quote:
    return Quote(citation.file, citation.line, iso(citation.time), citation.text[:500])


def _rank(process: Process, rank: int, names: Mapping[str, str]) -> RankRow:
    node = None if process.node is None else names.get(process.node, process.node)
    return RankRow(rank, node or None, process.files[0] if process.files else None,
                   process.stage, process.state, process.last_step, iso(process.last_time),
                   process.phase)


def _job(job: Job) -> JobRow:
    facts = job.facts
    seen = _whole(facts.get("ranks_seen"))
    mode = facts.get("mode")
    return JobRow(
        nodes=tuple(node.name for node in job.nodes if node.name),
        world_size=_whole(facts.get("world_size")),
        ranks_seen=sum(bool(p.files) for p in job.ranks()) if seen is None else seen,
        pipeline_parallel=_whole(facts.get("pipeline_parallel")),
        mode=str(mode) if mode in ("pynative", "graph") else None,
        first_time=iso(job.first_time), last_time=iso(job.last_time),
        last_step=_whole(facts.get("last_step")), total_steps=_whole(facts.get("total_steps")),
        versions={name: str(facts[name]) for name in _PRODUCTS if name in facts})


def _whole(value: str | int | float | None) -> int | None:
    """A fact as a whole number, None where it is not one."""
    try:
        return None if value is None else int(value)
    except (ValueError, OverflowError):
        return None


def _problem(problem: Problem) -> str:
    cure = f" ({problem.cure})" if problem.cure else ""
    return printable(f"{problem.position}: {problem.message}{cure}")
