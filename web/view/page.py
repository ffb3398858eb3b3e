"""Everything a result page shows, worked out so that the template only has to print it."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from assistant.render.phrases import (
    blamed,
    clocks,
    coverage,
    first_seen,
    heading,
    hint,
    job_facts,
    location,
    moment,
    progress,
    sentence,
    stage_list,
)
from assistant.render.rank_map import culprits, group
from assistant.report.ranges import ranges, short_ranges
from assistant.report.types import FindingReport, Quote, Report
from assistant.rules.types import Rule
from web.answer import Answer
from web.view import axis
from web.view.commands import pieces
from web.view.context import AROUND
from web.view.marks import marked
from web.view.rank_grid import COLUMNS, SIGNS, blocks
from web.words import PageWords

#: Characters of a list of ranks.
_RANKS = 60
#: Characters of the label of a time line's row.
_LABEL = 10
#: Width of a time line in its own units.
_WIDTH = 640
#: Quotes of a finding shown at once.
_QUOTES = 3
_EPOCH = datetime(1970, 1, 1)

Rules = Callable[[str], Rule | None]


def view(answer: Answer, words: PageWords, rules: Rules) -> dict[str, Any]:
    """What the template prints.

    Args:
        words: of the language to show it in.
        rules: gives a rule by its id, for the marks in quoted lines.
    """
    report = answer.report(words.lang)
    findings = [_finding(finding, report, answer, words, rules) for finding in report.findings]
    by_role = {role: [f for f in findings if f["role"] == role]
               for role in ("cause", "consequence", "note")}
    return {
        "report": report,
        "verdict": words(f"verdict.{report.verdict}"),
        "sentence": sentence(report, words),
        "same": bool(report.findings) and report.findings[0].title == sentence(report, words),
        "hint": hint(report, words),
        "facts": job_facts(report, words),
        "when": _when(report),
        "findings": by_role,
        "ranks": _ranks(report, words),
        "charts": [_chart(chart, words) for chart in answer.charts],
        "chart_data": answer.charts,
        "timeline": _timeline(answer, words),
        "unexplained": report.unexplained,
        "unexplained_lines": sum(row.count for row in report.unexplained),
        "coverage": coverage(report, words),
        "key": _key(report),
    }


def _finding(finding: FindingReport, report: Report, answer: Answer, words: PageWords,
             rules: Rules) -> dict[str, Any]:
    rule = rules(finding.rule)
    quotes = _quotes(finding.evidence, answer.context, rule)
    return {
        "role": finding.role, "rule": finding.rule, "title": heading(finding, words),
        "category": finding.category, "severity": finding.severity,
        "first": first_seen(finding, report, words), "codes": finding.codes,
        "percent": round(100 * finding.confidence), "count": finding.count,
        "source": finding.source if finding.source != "built in" else "",
        "explained_by": finding.explained_by, "article": finding.article,
        "article_title": finding.article_title,
        "quotes": quotes[:_QUOTES], "more_quotes": quotes[_QUOTES:],
        "absent": finding.absent,
        "meaning": [pieces(part) for part in finding.meaning.split("\n\n") if part],
        "otherwise": [pieces(part) for part in finding.otherwise.split("\n\n") if part],
        "steps": [pieces(step) for step in finding.steps],
        "known": rule is not None,
        "key": _digest(_key(report), finding.rule, *map(str, finding.ranks)),
    }


def _quotes(evidence: Sequence[Quote], context: Mapping[str, list[list[Any]]],
            rule: Rule | None) -> list[dict[str, Any]]:
    """The quotes in their order, those that stand close together in one file as one."""
    groups: list[list[Quote]] = []
    for quote in evidence:
        near = next((group for group in groups if group[0].file == quote.file
                     and any(abs(quote.line - other.line) <= AROUND for other in group)), None)
        if near is None:
            groups.append([quote])
        elif quote.line not in {other.line for other in near}:
            near.append(quote)
    return [_quote(group, context.get(group[0].file, ()), rule) for group in groups]


def _quote(group: Sequence[Quote], context: Sequence[Sequence[Any]],
           rule: Rule | None) -> dict[str, Any]:
    lines = sorted(group, key=lambda quote: quote.line)
    numbers = {quote.line for quote in lines}
    near = [(number, text, number in numbers) for number, text in context
            if lines[0].line - AROUND <= number <= lines[-1].line + AROUND]
    return {"file": group[0].file, "line": group[0].line, "time": moment(group[0].time),
            "several": len(lines) > 1,
            "lines": [(quote.line, marked(quote.text, rule)) for quote in lines],
            "context": near if len(near) > len(lines) else []}


def _when(report: Report) -> str:
    first, last = moment(report.job.first_time), moment(report.job.last_time)
    if first and last and first[:10] == last[:10]:
        return f"{first} - {last[11:]}"
    return " - ".join(part for part in (first, last) if part)


def _ranks(report: Report, words: PageWords) -> dict[str, Any]:
    groups = group(report.ranks, culprits(blamed(report)))
    rows = [{"ranks": short_ranges(part.ranks, _RANKS), "blamed": part.cause is not None,
             "state": part.state, "count": len(part.ranks),
             "progress": progress(part, report.job, words), "node": location(part, words),
             "stage": stage_list(part), "time": time}
            for part, time in zip(groups, clocks([g.last_time for g in groups]), strict=True)]
    states = Counter(row.state for row in report.ranks)
    return {"rows": rows, "blocks": blocks(report), "columns": COLUMNS, "signs": SIGNS,
            "states": [(state, states[state]) for state in SIGNS if states[state]],
            "nodes": any(row["node"] for row in rows),
            "stages": any(row["stage"] not in ("", "-") for row in rows)}


def _chart(chart: Mapping[str, Any], words: PageWords) -> dict[str, Any]:
    bad = chart["bad"]
    if bad is None:
        says = words("result.chart-fine")
    elif bad["why"] == "flagged":
        says = words("result.chart-bad", step=bad["step"])
    else:
        says = words("result.chart-bad-nan", step=bad["step"], what=bad["why"], rank=bad["rank"])
    steps = chart["steps"]
    return {
        "metric": chart["metric"], "unit": chart["unit"], "bad": bad, "says": says,
        "steps": words("result.chart-steps", first=steps[0], last=steps[-1]),
        "sampled": words("result.chart-sampled", n=chart["sampled"]) if chart["sampled"] else "",
        "labels": [line["label"] for line in chart["lines"]],
        "rows": [(step, [_cell(line["values"][index], words) for line in chart["lines"]])
                 for index, step in enumerate(steps)],
    }


def _cell(value: Any, words: PageWords) -> str:
    if value is None:
        return ""
    if value == "none":
        return words("result.chart-none")
    return f"{value:g}" if isinstance(value, float) else str(value)


def _timeline(answer: Answer, words: PageWords) -> dict[str, Any] | None:
    line = answer.timeline
    if line is None:
        return None
    titles = {finding.rule: finding.title for finding in answer.report(words.lang).findings}
    start, end = float(line["start"]), float(line["end"])
    span = max(end - start, 1e-3)

    def at(time: float) -> float:
        return float(round(_WIDTH * (time - start) / span, 1))

    rows = [{"label": _row_label(row["ranks"], words), "state": row["state"],
             "x": at(row["from"]), "blamed": row["blamed"],
             "width": max(4.0, round(at(row["to"] or row["from"]) - at(row["from"]), 1))}
            for row in line["rows"]]
    moments = [{"x": at(item["time"]), "row": item["row"], "kind": item["kind"],
                "time": _clock(item["time"], start, end), "what": _event(item, titles, words),
                "ranks": short_ranges(item["ranks"], 24), "file": item["file"],
                "line": item["line"]} for item in line["moments"]]
    return {"rows": rows, "moments": moments,
            "several_clocks": len(answer.report(words.lang).job.nodes) > 1,
            "ticks": [(at(time), axis.label(time)) for time in axis.ticks(start, end)],
            "day": (_EPOCH + timedelta(seconds=start)).date().isoformat()}


def _row_label(ranks: Sequence[int], words: PageWords) -> str:
    """The ranks of a row, or how many there are."""
    whole = ranges(ranks)
    return whole if len(whole) <= _LABEL else words("ranks.seen", n=len(ranks))


def _event(item: Mapping[str, Any], titles: Mapping[str, str], words: PageWords) -> str:
    kind, what = item["kind"], item["what"]
    if kind == "phase":
        return words("result.event.phase", phase=words(f"phase.{what}"))
    if kind == "exit":
        return words("result.event.exit", code=what) if what else words("result.event.exit-none")
    if kind == "timed-out":
        return words("result.event.timed-out")
    return titles.get(what, what)


def _clock(time: float, start: float, end: float) -> str:
    """Time of day; with the date where the line spans days."""
    text = (_EPOCH + timedelta(seconds=time)).isoformat(sep=" ", timespec="milliseconds")
    return text[:-2] if end - start > 24 * 3600 else text[11:-2]


def _key(report: Report) -> str:
    """Under which the browser remembers ticks: the same for the same job."""
    return _digest(str(report.job.first_time), str(report.job.last_time),
                   str(report.inputs.bytes))


def _digest(*parts: str) -> str:
    return hashlib.blake2b("\0".join(parts).encode("utf-8", "surrogatepass"),
                           digest_size=8).hexdigest()
