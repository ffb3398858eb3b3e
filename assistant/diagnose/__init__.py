"""Rules judged on the job, and the findings put in order: what happened, and what it caused."""

from __future__ import annotations

from assistant.diagnose.types import Citation, Diagnosis, Finding, Unexplained
from assistant.job.types import Job
from assistant.rules.ruleset import RuleSet

__all__ = ["Citation", "Diagnosis", "Finding", "Unexplained", "diagnose"]


def diagnose(job: Job, rules: RuleSet) -> Diagnosis:
    """Judge every rule on the job.

    Deterministic: the order of files and rules changes nothing. Raises nothing of its own.
    """
    from assistant.diagnose.run import run

    return run(job, rules)
