"""The report as Markdown, to be pasted into an issue or a chat: all findings and evidence.

Text of logs can hold anything; it stands in code spans and fences that it cannot leave, or
with Markdown's own characters escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from assistant.guide.printable import printable
from assistant.render.phrases import (
    blamed,
    clocks,
    coverage,
    first_seen,
    job_facts,
    location,
    progress,
    sentence,
    stage_list,
)
from assistant.render.rank_map import culprits, group
from assistant.report.ranges import short_ranges
from assistant.report.types import FindingReport, Quote, Report
from assistant.report.words import Words

#: Characters that a list of ranks may take in the table.
_RANKS = 200
_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~!&$])")
_CODE = re.compile(r"`[^`]*`")
_BACKTICKS = re.compile(r"`+")


def render(report: Report) -> str:
    """The report as CommonMark with GitHub's tables, ending with one line end."""
    words = Words(report.lang)
    blocks = [f"# {words('title.report')}",
              f"**{words('verdict.' + report.verdict)}** {escape(sentence(report, words))}"]
    for role in ("cause", "consequence", "note"):
        findings = [f for f in report.findings if f.role == role]
        if findings:
            blocks.append(f"## {words(f'title.{role}s')}")
        for finding in findings:
            blocks += _finding(finding, report, words)
    blocks += [f"## {words('title.ranks')}", escape(words.comma.join(job_facts(report, words)))]
    blocks += _ranks(report, words)
    if report.unexplained:
        header = [words("column.count"), words("column.line"), words("column.text")]
        rows = [[str(row.count), code(f"{row.evidence.file}:{row.evidence.line}"),
                 code(row.evidence.text)] for row in report.unexplained]
        blocks += [f"## {words('title.unexplained')}", _table(header, rows)]
    blocks += [f"## {words('title.read')}", _list(map(escape, coverage(report, words)))]
    return "\n\n".join(blocks) + "\n"


def escape(text: str) -> str:
    """Prose in which no character means anything to Markdown or HTML."""
    return _SPECIAL.sub(r"\\\1", printable(text))


def code(text: str) -> str:
    """A code span, also for text that holds backticks; safe inside a table."""
    shown = printable(text).strip().replace("|", "\\|")
    fence = "`" * (1 + max(map(len, _BACKTICKS.findall(shown)), default=0))
    blank = " " if len(fence) > 1 or not shown else ""
    return f"{fence}{blank}{shown}{blank}{fence}"


def _finding(finding: FindingReport, report: Report, words: Words) -> Iterator[str]:
    yield f"### {escape(finding.title)}"
    facts = [code(finding.rule), words(f"severity.{finding.severity}"),
             f"{round(100 * finding.confidence)}%", escape(first_seen(finding, report, words))]
    if finding.codes:
        facts.append(words("field.codes") + " " + " ".join(map(code, finding.codes)))
    if finding.silenced:
        facts.append(escape(finding.silenced))
    if finding.explained_by:
        facts.append(f"{words('field.explained-by')} {code(finding.explained_by)}")
    yield words.comma.join(filter(None, facts))
    if finding.evidence:
        yield _quotes(finding.evidence)
    if finding.absent:
        yield _list(words("field.absent", what=code(what)) for what in finding.absent)
    if finding.role != "cause":
        return
    if finding.meaning:
        yield "\n\n".join(map(_prose, finding.meaning.split("\n\n")))
    if finding.steps:
        yield f"**{words('field.steps')}**"
        yield "\n".join(f"{n}. {_prose(step)}" for n, step in enumerate(finding.steps, 1))
    if finding.otherwise:
        yield f"**{words('field.otherwise')}**"
        yield "\n\n".join(map(_prose, finding.otherwise.split("\n\n")))


def _quotes(quotes: Sequence[Quote]) -> str:
    """A fenced block with a line each, its fence longer than any run of backticks in it."""
    lines = [printable(f"{quote.file}:{quote.line}: {quote.text}") for quote in quotes]
    runs = _BACKTICKS.findall("\n".join(lines))
    fence = "`" * max(3, 1 + max(map(len, runs), default=0))
    return "\n".join([f"{fence}text", *lines, fence])


def _ranks(report: Report, words: Words) -> Iterator[str]:
    if not report.ranks:
        return
    groups = group(report.ranks, culprits(blamed(report)))
    names = ("rank", "state", "reached", "node", "stage", "time")
    rows = []
    for part, time in zip(groups, clocks([g.last_time for g in groups]), strict=True):
        ranks = short_ranges(part.ranks, _RANKS)
        rows.append([ranks if part.cause is None else f"**{ranks}**",
                     words(f"state.{part.state}"), progress(part, report.job, words),
                     escape(location(part, words)), stage_list(part), time])
    yield _table([words(f"column.{name}") for name in names], rows)


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _list(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def _prose(text: str) -> str:
    """A step or paragraph: its code spans stay, all else is escaped."""
    parts: list[str] = []
    position = 0
    for span in _CODE.finditer(text):
        parts += [escape(text[position:span.start()]), printable(span[0])]
        position = span.end()
    prose = "".join([*parts, escape(text[position:])])
    # What begins a list or draws a rule elsewhere in Markdown is a word here.
    return f"\\{prose}" if prose[:1] in ("-", "+", "=") else prose
