"""Phrases that the terminal report and the Markdown one share: where, when, how far."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.guide.printable import printable
from assistant.render.rank_map import RankGroup
from assistant.report.ranges import ranges, short_ranges
from assistant.report.types import FindingReport, JobRow, Report, SkippedRow
from assistant.report.words import Words

#: Cells that a list of ranks may take in a sentence.
_RANKS = 36
#: Cells that two names of nodes may take in the rank map.
_NODES = 14


def blamed(report: Report) -> list[FindingReport]:
    """The causes that need attention, the most likely first."""
    return [f for f in report.findings if f.role == "cause" and f.severity != "info"]


def sentence(report: Report, words: Words) -> str:
    """The verdict in one sentence."""
    causes = blamed(report)
    title = printable(causes[0].title).strip() if causes else ""
    if title and report.verdict not in ("healthy", "inconclusive"):
        return title if causes[0].confidence >= 0.6 else words("says.perhaps", title=title)
    if report.verdict == "inconclusive" and (silenced := _silenced(report)):
        return words("says.silenced", findings=words.semicolon.join(
            heading(finding, words) for finding in silenced))
    return _healthy(report, words) if report.verdict == "healthy" else words(
        f"says.{report.verdict}")


def _silenced(report: Report) -> list[FindingReport]:
    """The silenced findings, where there is nothing else to blame."""
    return [] if blamed(report) else [one for one in report.findings if one.silenced is not None]


def hint(report: Report, words: Words) -> str:
    """What to do about a verdict of `inconclusive`, empty for others."""
    if report.verdict != "inconclusive":
        return ""
    if _silenced(report):
        return words("says.silenced-hint")
    well = bool(report.ranks) and all(row.state == "finished" for row in report.ranks)
    return words(f"says.{'unread' if well and report.inputs.skipped else 'inconclusive'}-hint")


def _healthy(report: Report, words: Words) -> str:
    """What is known to be well: up to when, up to which step, and of which ranks."""
    job = report.job
    step = "" if job.last_step is None else words(
        "where.step-of" if job.total_steps else "where.step",
        step=job.last_step, total=job.total_steps)
    finished = sum(row.state == "finished" for row in report.ranks)
    if finished and all(row.state in ("finished", "absent", "empty") for row in report.ranks):
        parts = [words("says.finished" if finished == len(report.ranks) else "says.some-finished",
                       n=finished)]
        if job.last_step is not None and job.last_step < (job.total_steps or 0):
            parts.append(words("says.last-step", step=step))
    else:
        until = moment(job.last_time)
        parts = [words("says.so-far-until" if until else "says.so-far", time=until)]
        ended = words("says.finished-of" if finished else "says.none-finished",
                      n=finished, of=len(report.ranks)) if report.ranks else ""
        parts.append(words.comma.join(filter(None, (ended, step))))
    parts.append(_unlogged(report, words))
    return words("says.whole", parts=words.semicolon.join(filter(None, parts)))


def _unlogged(report: Report, words: Words) -> str:
    """Of which ranks there is no log, "" where there is one of each."""
    without = [row.rank for row in report.ranks if row.file is None or row.state == "empty"]
    if without:
        return words("read.no-log", ranks=rank_list(without, words))
    world = report.job.world_size or 0
    beyond = world - len(report.ranks)
    return words("says.no-logs", n=beyond, of=world) if report.ranks and beyond > 0 else ""


def heading(finding: FindingReport, words: Words) -> str:
    """The title, and behind it that the site has silenced the rule, where it has."""
    title = printable(finding.title)
    if finding.silenced is None:
        return title
    return words("note.silenced", title=title, silenced=printable(finding.silenced))


def moment(time: str | None) -> str:
    """`2026-11-30T08:29:13.988` as `2026-11-30 08:29:13`, "" for None."""
    return time[:19].replace("T", " ") if time else ""


def place(finding: FindingReport, words: Words) -> str:
    """The ranks of a finding and their nodes, "" where both are unknown."""
    where = rank_list(finding.ranks, words)
    nodes = node_list(finding.nodes, words)
    if where and nodes:
        return words("where.on", what=where, node=nodes)
    return where or nodes


def rank_list(ranks: Sequence[int], words: Words) -> str:
    """`rank 2`, `ranks 0-3`; with their number where the list had to be cut."""
    return words("where.rank", n=len(ranks), ranks=short_ranges(ranks, _RANKS)) if ranks else ""


def node_list(nodes: Sequence[str], words: Words) -> str:
    """Two names at most, else how many there are."""
    if len(nodes) > 2:
        return words("where.nodes", n=len(nodes))
    return words.comma.join(map(printable, nodes))


def first_seen(finding: FindingReport, report: Report, words: Words) -> str:
    """When and where it happened first, and at which step: one line, perhaps empty.

    The step is the one that the finding names; else, where the job came to a bad end, the
    last one that its ranks reached.
    """
    time = finding.time or next((quote.time for quote in finding.evidence if quote.time), None)
    parts = [moment(time), place(finding, words)]
    step = finding.step
    if step is None and report.verdict in ("failed", "hung"):
        ranks = set(finding.ranks)
        steps = {row.last_step for row in report.ranks if row.rank in ranks}
        step = steps.pop() if len(steps) == 1 else None
    if step is not None:
        parts.append(words("where.step-of" if report.job.total_steps else "where.step",
                           step=step, total=report.job.total_steps))
    return words.comma.join(part for part in parts if part)


def job_facts(report: Report, words: Words) -> list[str]:
    """How large the job is and what runs it, the most telling first, as far as the logs say."""
    job = report.job
    if not report.ranks:
        return [words("ranks.none")]
    world = job.world_size or len(report.ranks)
    parts = [words("ranks.seen", n=world) if job.ranks_seen >= world
             else words("ranks.seen-of", seen=job.ranks_seen, n=world)]
    if job.nodes:
        parts.append(words("where.nodes", n=len(job.nodes)))
    if job.pipeline_parallel and job.pipeline_parallel > 1:
        parts.append(words("ranks.stages", n=job.pipeline_parallel))
    if job.mode:
        parts.append(words(f"mode.{job.mode}"))
    names = {"mindspore": "MindSpore", "mindformers": "mindformers", "cann": "CANN"}
    parts += [f"{names.get(name, name)} {printable(version)}"
              for name, version in job.versions.items()]
    return parts


def progress(group: RankGroup, job: JobRow, words: Words) -> str:
    """How far a group of ranks got: `step 4/10`, `step 3-4/10`, a phase, or `-`."""
    if group.steps is None:
        return words(f"phase.{group.phase}") if group.phase else "-"
    low, high = group.steps
    return words("progress.step", steps=str(low) if low == high else f"{low}-{high}",
                 total=f"/{job.total_steps}" if job.total_steps else "")


def location(group: RankGroup, words: Words) -> str:
    """The nodes of a group of ranks, in few cells."""
    names = node_list(group.nodes, words)
    if len(group.nodes) == 1:
        return words("where.node-all", node=names) if group.whole_nodes else names
    short = len(names) <= _NODES
    return names if short else words("where.nodes", n=len(group.nodes))


def clocks(times: Sequence[str | None]) -> list[str]:
    """Times of day, with month and day where they are not all of one day; `-` for None."""
    days = {time[:10] for time in times if time}
    return [(moment(time)[5:] if len(days) > 1 else moment(time)[11:]) or "-" for time in times]


def coverage(report: Report, words: Words) -> list[str]:
    """What was read, then all that was not or not as it should be, the gravest first."""
    inputs = report.inputs
    lines = [words.comma.join((words("read.files", n=inputs.files), words.size(inputs.bytes)))]
    lines += [words("read.problem", problem=printable(line)) for line in inputs.problems]
    lines += [not_read(row, words) for row in inputs.skipped]
    missing = [row.rank for row in report.ranks if row.file is None]
    if missing:
        lines.append(words("read.no-log", ranks=rank_list(missing, words)))
    return lines + [printable(line) for line in inputs.remarks]


def not_read(row: SkippedRow, words: Words) -> str:
    """What was not read, and why; what is said of the whole folder (`.`) needs no name."""
    if row.file == ".":
        return printable(row.why)
    return words("read.skipped", file=printable(row.file), why=printable(row.why))


def stage_list(group: RankGroup) -> str:
    """The pipeline stages of a group as ranges, `-` where unknown."""
    return ranges(group.stages) or "-"
