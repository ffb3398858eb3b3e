"""A report as the text of an issue: what runs, what was found, and an excerpt that shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assistant import __version__
from assistant.guide.printable import printable
from assistant.render.markdown import code, escape
from assistant.render.phrases import blamed, first_seen, heading, job_facts, sentence
from assistant.report.types import Report
from assistant.report.words import Words
from assistant.share.excerpt import Excerpt, text

_BACKTICKS = re.compile(r"`{3,}")
#: Findings that are named besides the cause.
_MORE = 5


def issue(report: Report, excerpt: Excerpt | None) -> str:
    """Markdown for a tracker, in the report's language, ending with one line end."""
    words = Words(report.lang)
    blocks = [f"# {escape(sentence(report, words))}"]
    blocks += [f"## {words('issue.environment')}", _list(_environment(report, words))]
    blocks += [f"## {words('issue.found')}", *_found(report, words)]
    if excerpt is not None and excerpt.pieces:
        blocks += [f"## {words('issue.excerpt')}",
                   words("issue.shows" if excerpt.shows else "issue.shows-not"),
                   _fenced(text(excerpt.pieces))]
    blocks += [f"## {words('issue.yours')}", _list(
        words(f"issue.ask-{what}") for what in ("command", "since", "tried"))]
    return "\n\n".join(blocks) + "\n"


def _environment(report: Report, words: Words) -> Iterator[str]:
    yield from map(escape, job_facts(report, words))
    yield f"kbtriage {__version__}"


def _found(report: Report, words: Words) -> Iterator[str]:
    causes = blamed(report)
    yield f"**{words('verdict.' + report.verdict)}** {escape(sentence(report, words))}"
    if causes:
        first = causes[0]
        facts = [code(first.rule), f"{round(100 * first.confidence)}%",
                 escape(first_seen(first, report, words)), *map(code, first.codes)]
        yield words.comma.join(filter(None, facts))
        if first.meaning:
            yield escape(first.meaning.split("\n\n")[0])
    others = [finding for finding in report.findings
              if finding.role != "note" and finding not in causes[:1]]
    if others:
        yield _list(f"{words('role.' + other.role)}: {escape(heading(other, words))} "
                    f"({code(other.rule)})" for other in others[:_MORE])


def _list(items: Iterator[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def _fenced(shown: str) -> str:
    """A block that no line of a log can leave."""
    lines = "\n".join(printable(line) for line in shown.rstrip("\n").split("\n"))
    longest = max((len(run) for run in _BACKTICKS.findall(lines)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}text\n{lines}\n{fence}"
