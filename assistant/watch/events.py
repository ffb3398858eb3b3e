"""What there is to tell of a job that is watched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from assistant.report.types import FindingReport, Report
from assistant.watch.folder import FileChange


@dataclass(frozen=True, slots=True)
class Status:
    """How the job stands.

    Attributes:
        verdict: so far. files, bytes: read so far.
        step, total_steps, loss, step_ms, throughput: of the last step, None where unknown;
            of several ranks the median.
        states: state to number of ranks.
        quiet_for: seconds since any file grew. still_for: seconds since the last new step,
            None before the first one.
    """

    verdict: str
    files: int
    bytes: int
    step: int | None
    total_steps: int | None
    loss: float | None
    step_ms: float | None
    throughput: float | None
    states: Mapping[str, int] = field(default_factory=dict)
    quiet_for: float = 0.0
    still_for: float | None = None


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed and nothing was looked at: a screen may be drawn anew."""

    status: Status


@dataclass(frozen=True, slots=True)
class Found:
    """A finding that is new."""

    finding: FindingReport


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A finding of which was told, and which the logs do not bear out any more."""

    rule: str
    title: str


@dataclass(frozen=True, slots=True)
class Stalled:
    """No progress for so many seconds. `usual`: what a step takes else, None before the first."""

    seconds: float
    usual: float | None
    step: int | None


@dataclass(frozen=True, slots=True)
class Moving:
    """Progress again, after so many seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Ended:
    """The watch is over.

    Attributes:
        why: `ended` (the job), `until` (what was waited for), `timeout`, `interrupted`.
        stalled: whether the job had made no progress for long.
    """

    why: str
    report: Report
    stalled: bool


Event = Status | Tick | Found | Withdrawn | Stalled | Moving | FileChange | Ended
