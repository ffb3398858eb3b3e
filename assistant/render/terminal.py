"""The report for a terminal: first what happened and what to do, then the evidence around it.

A simple failure fits one screen, a healthy job twelve lines. Everything that does not fit
is counted, and `verbose` shows all of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assistant.guide.printable import printable
from assistant.render.cells import cut, pad, width, wrap, wrap_step
from assistant.render.phrases import (
    blamed,
    clocks,
    coverage,
    first_seen,
    heading,
    hint,
    job_facts,
    location,
    place,
    progress,
    sentence,
    stage_list,
)
from assistant.render.quote import gist
from assistant.render.rank_map import RankGroup, culprits, group
from assistant.render.sheet import LABEL, Sheet
from assistant.render.style import VERDICTS, Style
from assistant.report.ranges import short_ranges
from assistant.report.types import FindingReport, Quote, Report
from assistant.report.words import Words

#: Cells that a list of ranks may take in the rank map.
_RANKS = 36
_RANKS_LEAST = 16
_ALL = 1_000_000


@dataclass(frozen=True, slots=True)
class _Limits:
    """How many lines or entries each part may take."""

    quotes: int = 2
    quoted: int | None = 3  # lines of the first quotation of a cause; the others get one
    effects: int = 3
    also: int = 3
    notes: int = 2
    groups: int = 8
    coverage: int = 4
    unexplained: int = 3
    lines: int | None = None  # of one entry
    full: bool = False


#: Lines of the report on a healthy job; where it would get longer, the tight limits are taken.
_HEALTHY_LINES = 12
_HEALTHY = _Limits(notes=2, groups=4, coverage=3, unexplained=0, lines=2)
_HEALTHY_TIGHT = _Limits(notes=1, groups=2, coverage=1, unexplained=0, lines=1)
_VERBOSE = _Limits(_ALL, None, _ALL, _ALL, _ALL, _ALL, _ALL, _ALL, full=True)


def render(report: Report, width: int = 80, colour: bool = False, verbose: bool = False) -> str:
    """The report as text of at most `width` cells a line (40 at least).

    `colour` adds ANSI colours; `verbose` shows all findings, evidence and remarks.
    """
    def page(limits: _Limits) -> Sheet:
        return _Terminal(report, max(width, 40), colour, limits).page()

    if verbose:
        return page(_VERBOSE).text()
    if report.verdict != "healthy":
        return page(_Limits()).text()
    roomy = page(_HEALTHY)
    return (roomy if roomy.height <= _HEALTHY_LINES else page(_HEALTHY_TIGHT)).text()


class _Terminal:
    """One rendering: each method writes one part onto the sheet."""

    def __init__(self, report: Report, cells: int, colour: bool, limits: _Limits) -> None:
        self.report = report
        self.limits = limits
        self.words = Words(report.lang)
        self.style = Style(colour)
        self.sheet = Sheet(cells, self.style)
        self.body = self.sheet.body

    def page(self) -> Sheet:
        causes = blamed(self.report)
        self.verdict()
        self.sheet.gap()
        if causes:
            self.cause(causes[0])
            self.sheet.gap()
        self.also(causes[1:])
        self.ranks()
        self.coverage()
        self.notes()
        self.unexplained()
        if causes:
            self.more(causes[0])
        return self.sheet

    def verdict(self) -> None:
        words, verdict = self.words, self.report.verdict
        label = words(f"verdict.{verdict}")
        room = LABEL - max(width(label) + 2, LABEL)  # below 0 where the word is long
        lines = wrap("x" * -room + sentence(self.report, words), self.body)
        lines[0] = lines[0][-room:]
        if advice := hint(self.report, words):
            lines += wrap(advice, self.body)
        look = VERDICTS[verdict]
        self.sheet.add(label, [self.style("bold", line) for line in lines], look)

    def cause(self, cause: FindingReport) -> None:
        words = self.words
        first = first_seen(cause, self.report, words)
        self.sheet.add(words("label.first"), wrap(first, self.body))
        self.sheet.add(words("label.proof"), [*self.quotes(cause.evidence), *self.absent(cause)])
        effects = [f for f in self.report.findings if f.role == "consequence"]
        self.sheet.add(words("label.effects"), self.findings(effects, self.limits.effects))
        self.sheet.add(words("label.steps"), self.steps(cause.steps))

    def also(self, others: Sequence[FindingReport]) -> None:
        """Further causes: what, where it stands, and what to do first."""
        if not others:
            return
        lines: list[str] = []
        for finding in others[:self.limits.also]:
            if self.limits.full:
                lines += self.full(finding)
                continue
            lines += wrap(printable(finding.title), self.body, lines=2)
            lines += ["  " + line for line in self.quotes(finding.evidence[:1], 2)]
            lines += ["  " + line for line in self.steps(finding.steps[:1], 2)]
        lines += self.rest(len(others) - self.limits.also)
        self.sheet.add(self.words("label.also"), lines)
        self.sheet.gap()

    def ranks(self) -> None:
        facts = job_facts(self.report, self.words)
        if not self.limits.full:  # the first ones that fit one line
            while width(self.words.comma.join(facts)) > self.body and len(facts) > 1:
                facts.pop()
        self.sheet.add(self.words("label.ranks"),
                       wrap(self.words.comma.join(facts), self.body))
        if self.report.ranks:
            groups = group(self.report.ranks, culprits(blamed(self.report)))
            self.sheet.across(self.table(groups[:self.limits.groups]))
            self.sheet.across("  " + line for line in self.rest(len(groups) - self.limits.groups))

    def table(self, groups: Sequence[RankGroup]) -> Iterator[str]:
        """The rank map; those whom a cause is about carry a `>`."""
        words, job = self.words, self.report.job
        staged = len({row.stage for row in self.report.ranks}) > 1
        cells = {
            "state": [words(f"state.{g.state}") for g in groups],
            "reached": [progress(g, job, words) for g in groups],
            "node": [location(g, words) for g in groups] if len(job.nodes) > 1 else [],
            "stage": [stage_list(g) for g in groups] if staged else [],
            "time": clocks([g.last_time for g in groups])}
        columns = [[words(f"column.{name}"), *cells[name]] for name in cells if cells[name]]
        room = self.sheet.cells - 2 - sum(max(map(width, column)) + 2 for column in columns)
        room = min(max(room, _RANKS_LEAST), _RANKS)
        columns.insert(0, [words("column.rank"), *(short_ranges(g.ranks, room) for g in groups)])
        widths = [max(map(width, column)) for column in columns]
        for index, row in enumerate(zip(*columns, strict=True)):
            line = cut("  ".join(map(pad, row, widths)).rstrip(), self.sheet.cells - 2)
            if index == 0:
                yield "  " + self.style("dim", line)
            elif groups[index - 1].cause is not None:
                yield self.style("alarm", "> " + line)
            else:
                yield "  " + line

    def coverage(self) -> None:
        first, *others = coverage(self.report, self.words)
        shown = others[:self.limits.coverage - 1]
        lines = [first]
        problems = len(self.report.inputs.problems)  # they stand first, and name their cure last
        for number, line in enumerate(shown):
            lines += wrap(line, self.body, lines=None if number < problems else self.limits.lines)
        lines += self.rest(len(others) - len(shown))
        self.sheet.add(self.words("label.read"), lines)

    def notes(self) -> None:
        notes = [f for f in self.report.findings if f.role == "note"]
        notes += [f for f in self.report.findings if f.role == "cause" and f.severity == "info"]
        # What a site has silenced is never left out: somebody may have forgotten it.
        notes.sort(key=lambda finding: finding.silenced is None)
        self.sheet.add(self.words("label.notes"), self.findings(notes, self.limits.notes))

    def unexplained(self) -> None:
        rows = self.report.unexplained
        if not rows:
            return
        shown = rows[:self.limits.unexplained]
        lines = wrap(self.words("unexplained.head", n=sum(row.count for row in rows)), self.body)
        for row in shown:
            times = self.words("times", n=row.count) if row.count > 1 else ""
            lines += ["  " + line for line in self.quote(row.evidence, 2, times)]
            if row.see:
                see = self.words("unexplained.see", article=row.see[0])
                lines += ["    " + self.style("dim", line) for line in wrap(see, self.body - 4)]
        if shown:
            lines += self.rest(len(rows) - len(shown))
        self.sheet.add(self.words("label.unexplained"), lines)

    def more(self, cause: FindingReport) -> None:
        words = self.words
        parts = [words("more.article", article=cause.article)] if cause.article_title else []
        key = "more.rule" if cause.source == "built in" else "more.rule-of"
        parts.append(words(key, rule=cause.rule, source=printable(cause.source),
                           percent=round(100 * cause.confidence)))
        text = ("" if words.lang == "zh" else " ").join(parts)
        self.sheet.add(words("label.more"), wrap(text, self.body))

    # pieces

    def findings(self, findings: Sequence[FindingReport], limit: int) -> list[str]:
        """A line each; in full where everything is asked for."""
        if self.limits.full:
            return [line for finding in findings for line in self.full(finding)]
        lines = [line for finding in findings[:limit]
                 for line in wrap(heading(finding, self.words), self.body,
                                  lines=self.limits.lines or 2)]
        return lines + self.rest(len(findings) - limit)

    def full(self, finding: FindingReport) -> list[str]:
        words = self.words
        facts = [finding.rule, words(f"severity.{finding.severity}"),
                 f"{round(100 * finding.confidence)}%", place(finding, words)]
        if finding.codes:
            facts.append(words("field.codes") + " " + " ".join(map(printable, finding.codes)))
        if finding.explained_by:
            facts.append(f"{words('field.explained-by')} {finding.explained_by}")
        lines = wrap(heading(finding, words), self.body)
        lines += ["  " + self.style("dim", line)
                  for line in wrap(words.comma.join(filter(None, facts)), self.body - 2)]
        lines += ["  " + line for line in [*self.quotes(finding.evidence, 2),
                                           *self.absent(finding, 2)]]
        if finding.role == "cause":
            lines += ["  " + line for line in self.steps(finding.steps, 2)]
        return lines

    def quotes(self, quotes: Sequence[Quote], indent: int = 0) -> list[str]:
        """Quotations, the first with room for its text: what proves may stand at its end."""
        shown = quotes[:self.limits.quotes]
        limits = [self.limits.quoted, *[1 if self.limits.quoted else None] * len(shown)]
        return [line for quote, lines in zip(shown, limits, strict=False)
                for line in self.quote(quote, indent, lines=lines)]

    def absent(self, finding: FindingReport, indent: int = 0) -> list[str]:
        """The lines that were due and are missing."""
        return [line for what in finding.absent for line in wrap(
            self.words("field.absent", what=what), self.body - indent, lines=self.limits.quoted)]

    def quote(self, quote: Quote, indent: int = 0, times: str = "",
              lines: int | None = 1) -> list[str]:
        """`file:line` and the text: on one line where both fit, else below it."""
        room = self.body - indent
        where = printable(f"{quote.file}:{quote.line}")
        text = gist(quote.text)
        head = f"{where} ({times})" if times else where
        if width(head) + 2 + width(text) <= room:
            return [f"{self.style('cyan', head)}  {text}"]
        below = [cut(text, room - 2)] if lines == 1 else wrap(text, room - 2, lines=lines)
        return [*(self.style("cyan", line) for line in wrap(head, room)),
                *("  " + line for line in below)]

    def steps(self, steps: Sequence[str], indent: int = 0) -> list[str]:
        """Numbered, with the text aligned behind the numbers."""
        lines: list[str] = []
        margin = len(f"{len(steps)}. ")
        for number, step in enumerate(steps, 1):
            runs = wrap_step(printable(step), self.body - indent - margin,
                             marks=not self.style.colour)
            for index, line in enumerate(runs):
                head = f"{number}. ".rjust(margin) if index == 0 else " " * margin
                lines.append(head + self.style.runs(line))
        return lines

    def rest(self, count: int) -> list[str]:
        """One line for what is left out, none if nothing is."""
        if count <= 0:
            return []
        text = self.words.comma.join((self.words("more.of-these", n=count),
                                      self.words("more.verbose")))
        return [self.style("dim", cut(text, self.body))]
