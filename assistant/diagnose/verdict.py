"""The verdict on the whole job."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.diagnose.drafts import Draft
from assistant.job.types import Job
from assistant.rules.types import Rule

_BY_SEVERITY = {"error": "failed", "warning": "degraded", "info": "none"}
_GRAVITY = {"none": 0, "degraded": 1, "hung": 2, "failed": 3}


def verdict(causes: Sequence[Draft], consequences: Sequence[Draft], job: Job) -> str:
    """`failed`, `hung`, `degraded`, `healthy` or `inconclusive`.

    Args:
        causes, consequences: the findings that are blamed and those they explain, the most
            likely first.

    The first cause decides between failed and hung; a mere warning that led to worse takes
    the verdict of what it led to. A job whose ranks all finished is at most degraded,
    whatever its logs say. Without a cause it is healthy only if it is seen to make progress
    or to end well, and nothing of the input was lost on the way.
    """
    blamed = [m for draft in causes if (m := meaning(draft.rule)) != "none"]
    if not blamed:
        return "healthy" if _progress(job) and not _cut(job) else "inconclusive"
    if _all_finished(job):
        return "degraded"
    if blamed[0] in ("failed", "hung"):
        return blamed[0]
    return max([*blamed, *(meaning(d.rule) for d in consequences)], key=lambda m: _GRAVITY[m])


def meaning(rule: Rule) -> str:
    """What a rule means for the job when it is a cause."""
    return rule.verdict or _BY_SEVERITY[rule.severity]


def _cut(job: Job) -> bool:
    """Whether a part of the input could not be read: what it holds is not known."""
    return (any(note.startswith(("read-error", "truncated-archive"))
                for file in job.files for note in file.evidence.notes)
            or any(skipped.lost or "cannot be read to its end" in skipped.why
                   for skipped in job.evidence.skipped))


def _all_finished(job: Job) -> bool:
    known = job.ranks() or job.processes
    return bool(known) and all(p.state == "finished" for p in known)


def _progress(job: Job) -> bool:
    seen = [p for p in job.processes if p.state not in ("absent", "empty")]
    return any(p.last_step is not None or p.state == "finished" for p in seen) and all(
        p.state in ("finished", "running") for p in seen)
