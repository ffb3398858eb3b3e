"""A rule as data: what its YAML says, checked and with positions, and nothing computed from logs.

The spelling of every key is documented in docs/rules.md and held by
rules/schema/rule.schema.json; this module is the same thing as Python values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assistant.rules.signals import (
    CodeSignal,
    ConfigSignal,
    ErrorSignal,
    EventSignal,
    FactSignal,
    FileSignal,
    LandmarkSignal,
    LogSignal,
    MetricSignal,
    Quantifier,
    ReachedSignal,
    Signal,
    Spike,
    StateSignal,
)

__all__ = [
    "CATEGORIES",
    "EVENT_KINDS",
    "FILE_CONDITIONS",
    "LANGUAGES",
    "LEVELS",
    "METRIC_TESTS",
    "PHASES",
    "QUANTIFIERS",
    "ROLES",
    "SEVERITIES",
    "STATES",
    "VERDICTS",
    "And",
    "CodeSignal",
    "Condition",
    "ConfigSignal",
    "ErrorSignal",
    "EventSignal",
    "FactSignal",
    "Family",
    "FileSignal",
    "Landmark",
    "LandmarkSignal",
    "LogSignal",
    "MetricSignal",
    "Name",
    "Not",
    "Or",
    "PatternSpec",
    "Position",
    "Problem",
    "Quantifier",
    "ReachedSignal",
    "Relation",
    "Rule",
    "RuleTest",
    "Signal",
    "Spike",
    "StateSignal",
]

CATEGORIES = (
    "launch", "network", "hccl", "device", "memory", "environment", "config", "data",
    "checkpoint", "storage", "compile", "operator", "numeric", "performance", "crash",
    "hang", "user-code", "framework", "logging",
)
SEVERITIES = ("error", "warning", "info")
VERDICTS = ("failed", "hung", "degraded", "none")
#: The kinds of file that `in:` can name.
ROLES = ("scheduler", "worker", "console", "cann", "other")
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
#: How far a process got, in order.
PHASES = ("launched", "started", "registered", "joined", "initialised", "building",
          "training", "finished")
#: How a process stands at the end of its log.
STATES = ("finished", "running", "failed", "crashed", "killed", "stopped", "absent", "empty")
EVENT_KINDS = ("traceback", "cann", "dataset", "cpp-stack", "cluster", "native")
QUANTIFIERS = ("any", "all", "most", "some", "one", "first-stage", "last-stage", "early-stages")
METRIC_TESTS = ("nan", "inf", "not-obtained", "not-applicable", "absent", "zero", "flat",
                "rising", "falling")
FILE_CONDITIONS = ("missing", "empty", "unreadable", "stale", "duplicate", "truncated",
                   "several-runs", "several-jobs")
LANGUAGES = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Position:
    """Where something stands in a rule file; line and column are 1-based."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Name:
    """A signal's name in a condition."""

    name: str


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite of a condition."""

    operand: Condition


@dataclass(frozen=True, slots=True)
class And:
    """Conditions that must hold together, at least two."""

    operands: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Conditions of which one must hold, at least two."""

    operands: tuple[Condition, ...]


Condition = Name | Not | And | Or


@dataclass(frozen=True, slots=True)
class Relation:
    """One entry of `explains:`.

    Attributes:
        rules: rule ids or globs (`hccl.*`).
        ranks: `any`, `same` (only findings on ranks of this one), `other` (only findings
            on other ranks).
    """

    rules: tuple[str, ...]
    ranks: str = "any"


@dataclass(frozen=True, slots=True)
class RuleTest:
    """One test inside a rule.

    Attributes:
        name: what it shows.
        logs: file name to content.
        expect: None when the rule must not be found, else the expectations by key:
            ranks, nodes, captures, role, line (`worker_0.log:3`), codes, verdict.
        position: where it stands.
    """

    name: str
    logs: Mapping[str, str]
    expect: Mapping[str, Any] | None
    position: Position


@dataclass(frozen=True, slots=True)
class Rule:
    """One symptom: signals, a condition over them, and the article that answers it.

    Attributes:
        id: `<category>.<slug>`.
        title: language to one line, may hold `{placeholders}`.
        each: `job`: the condition is asked once; `rank`: for every rank by itself.
        blame: signals whose ranks the finding is about; empty: all that hold.
        optional: signals without which the rule holds, too: they only tell more.
        fallback: judged after all others, on events and lines that none of them claimed.
        harmless: its lines look bad but are not: they are claimed and never reported.
        explains, unless: see docs/rules.md.
        verdict: what it means for the job when it is a cause; None: by severity.
        confidence: 0 to 1.
        group_by: captures whose values make separate findings.
        applies_to: product (`mindspore`, `mindformers`, `cann`) to a version range.
        usually: for a row of a code catalogue: `cause`, `consequence` or `either`.
        name: for such a row, the symbolic name of the code.
        meaning, causes, steps: for such a row, by language: what the code means, what
            usually causes it, what to do; they stand in for the article's own. (A site file
            can give any rule steps of its own.)
        added_steps: what a site file adds behind the steps, by language.
        source: where the rule comes from (`built in`, or the pack's name).
    """

    id: str
    title: Mapping[str, str]
    category: str
    severity: str
    article: str
    signals: Mapping[str, Signal]
    when: Condition
    each: str = "job"
    blame: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    fallback: bool = False
    harmless: bool = False
    explains: tuple[Relation, ...] = ()
    unless: tuple[str, ...] = ()
    verdict: str | None = None
    confidence: float = 0.9
    group_by: tuple[str, ...] = ()
    applies_to: Mapping[str, str] = field(default_factory=dict)
    references: tuple[str, ...] = ()
    owner: str | None = None
    tests: tuple[RuleTest, ...] = ()
    usually: str | None = None
    name: str | None = None
    meaning: Mapping[str, str] = field(default_factory=dict)
    causes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    steps: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    added_steps: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    source: str = "built in"
    position: Position = Position("", 1, 1)


@dataclass(frozen=True, slots=True)
class Family:
    """Codes that one component prints: what can be said of one that has no row of its own.

    Attributes:
        codes: globs (`EI*`, `1070??`), or codes (`SIGSEGV`, `-11`).
        title, meaning: by language; the meaning may be empty.
        article: the article on the family.
        usually: `cause`, `consequence` or `either`, None where that depends.
    """

    codes: tuple[str, ...]
    title: Mapping[str, str]
    meaning: Mapping[str, str]
    article: str
    usually: str | None = None
    source: str = "built in"
    position: Position = Position("", 1, 1)


@dataclass(frozen=True, slots=True)
class Landmark:
    """A line that tells how far a process got or states a fact of the job.

    Attributes:
        name: known to assistant/job, which reads its captures.
        patterns: RE2 expressions.
        phase: the phase that a process has reached once it prints this, or None.
        roles: kinds of file in which it counts; empty: any.
    """

    name: str
    patterns: tuple[str, ...]
    phase: str | None = None
    roles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PatternSpec:
    """One expression that the scan looks for.

    Attributes:
        key: `<rule id>/<signal>` or `landmark/<name>`; several expressions can share one.
        expression: RE2 syntax, matched on the bytes of one line.
        levels, components, inside, outside: as for LogSignal; judged while scanning, so
            that counts are true.
    """

    key: str
    expression: str
    levels: tuple[str, ...] = ()
    components: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a rule file.

    Attributes:
        code: short stable name of the kind of mistake, e.g. `unknown-key`.
        level: `error` or `warning`.
        message: what is wrong. cure: what to write instead.
    """

    position: Position
    code: str
    level: str
    message: str
    cure: str = ""
