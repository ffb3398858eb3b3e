"""What a diagnosis says, before it is put into words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from assistant.job.types import Job
from assistant.rules.changes import Change
from assistant.rules.types import Rule


@dataclass(frozen=True, slots=True)
class Citation:
    """A quoted line: file (relative to the input), 1-based line, time (as in evidence), text."""

    file: str
    line: int
    time: float | None
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that holds for the job.

    Attributes:
        rule: the rule.
        role: `cause`, `consequence` or `note`.
        explained_by: id of the rule that explains it, only for a consequence.
        confidence: 0 to 1, lowered where logs are missing and for a last resort.
        ranks: global ranks concerned, sorted. nodes: keys of nodes, sorted.
        codes: error codes in what it quotes.
        evidence: the lines it rests on, the most telling first, at most 20.
        beside: errors that were printed together with them: quoted with the evidence, though the
            rule would hold without them.
        values: placeholder to text, for the title and the article's steps.
        time: of the earliest evidence on the reference clock, None if unknown.
        count: true number of lines or events behind it.
        absent: expressions of the lines that are due and missing, in a finding of absence.
        named: name of each signal that holds on ranks, and those ranks, sorted.
        silenced: the silence of the rule, where a site has one; such a finding is a note.
    """

    rule: Rule
    role: str
    explained_by: str | None
    confidence: float
    ranks: tuple[int, ...]
    nodes: tuple[str, ...]
    codes: tuple[str, ...]
    evidence: tuple[Citation, ...]
    values: Mapping[str, str] = field(default_factory=dict)
    time: float | None = None
    count: int = 1
    absent: tuple[str, ...] = ()
    named: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    silenced: Change | None = None
    beside: tuple[Citation, ...] = ()

    @property
    def quoted(self) -> tuple[Citation, ...]:
        """The lines that a report shows: its evidence, and what stands beside it."""
        return (*self.evidence, *self.beside)


@dataclass(frozen=True, slots=True)
class Unexplained:
    """Error-looking lines, or events, of one shape that no finding covers.

    Attributes:
        template: the shape (assistant/logtext/template.py).
        count: how many there are. files: in how many places (shapes of one file) they stand.
        evidence: the first one.
    """

    template: str
    count: int
    evidence: Citation
    files: int = 1


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The answer: verdict, findings with the most likely root cause first, and what is left.

    Attributes:
        verdict: healthy, degraded, failed, hung or inconclusive.
        findings: causes first, in order of likelihood, then consequences, then notes.
        unexplained: what no rule covers.
    """

    job: Job
    verdict: str
    findings: tuple[Finding, ...]
    unexplained: tuple[Unexplained, ...] = ()
