"""The report in one language: what every renderer, the page and other programs are given.

The JSON form is fixed by docs/report.md and report/schema/report.schema.json
(`kbtriage.report/1`). Fields may be added there; none changes its meaning.
"""

from __future__ import annotations

from dataclasses import dataclass, field

SCHEMA = "kbtriage.report/1"


@dataclass(frozen=True, slots=True)
class Quote:
    """A quoted line: `time` is ISO 8601 without a zone (the log's own clock), or None."""

    file: str
    line: int
    time: str | None
    text: str


@dataclass(frozen=True, slots=True)
class FindingReport:
    """One finding in words. See the contract for each field; `article_title`, `meaning`,
    `otherwise` (what to do if it was not that), `absent` (expressions of lines that are due
    and were not found), `count` (lines or events behind it),
    `source` (where the rule comes from), `time` (of the earliest evidence, on the
    reference clock, as in Quote), `step` (the training step that it names) and `silenced`
    (until when and why the site has silenced the rule) are additions."""

    rule: str
    title: str
    category: str
    severity: str
    role: str
    explained_by: str | None
    confidence: float
    ranks: tuple[int, ...]
    nodes: tuple[str, ...]
    codes: tuple[str, ...]
    evidence: tuple[Quote, ...]
    article: str
    steps: tuple[str, ...]
    article_title: str = ""
    meaning: str = ""
    otherwise: str = ""
    absent: tuple[str, ...] = ()
    count: int = 1
    source: str = "built in"
    time: str | None = None
    step: int | None = None
    silenced: str | None = None


@dataclass(frozen=True, slots=True)
class RankRow:
    """One rank: `state` is one of rules.types.STATES; `last_time` as in Quote; `phase`
    (an addition) is how far it got, one of rules.types.PHASES or None."""

    rank: int
    node: str | None
    file: str | None
    stage: int | None
    state: str
    last_step: int | None
    last_time: str | None
    phase: str | None = None


@dataclass(frozen=True, slots=True)
class UnexplainedRow:
    """Error-looking lines of one shape that no rule covers, with the first of them; `see`
    (an addition): ids of articles that speak of it, the nearest first, mostly none."""

    template: str
    count: int
    evidence: Quote
    see: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SkippedRow:
    """An input that was not read, and why."""

    file: str
    why: str


@dataclass(frozen=True, slots=True)
class JobRow:
    """Facts of the job; None where the logs do not say. `nodes` are names."""

    nodes: tuple[str, ...]
    world_size: int | None
    ranks_seen: int
    pipeline_parallel: int | None
    mode: str | None
    first_time: str | None
    last_time: str | None
    last_step: int | None
    total_steps: int | None
    versions: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class InputsRow:
    """What was read. `problems` are rule files that were left out, one line each;
    `remarks` what was odd about files (stale, several runs, cut), one line each."""

    files: int
    bytes: int
    skipped: tuple[SkippedRow, ...]
    problems: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """The whole answer, in the language `lang`."""

    verdict: str
    job: JobRow
    findings: tuple[FindingReport, ...]
    ranks: tuple[RankRow, ...]
    unexplained: tuple[UnexplainedRow, ...]
    inputs: InputsRow
    lang: str = "en"
    schema: str = SCHEMA
