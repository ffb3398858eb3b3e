"""`applies_to:` of a rule against the versions that the logs state."""

from __future__ import annotations

import re

from assistant.job.types import Job
from assistant.rules.types import Rule

_NUMBER = re.compile(r"\d{1,18}(?:\.\d{1,18})*")
_BOUND = re.compile(r"\s*(>=|<=|==|!=|>|<)\s*([0-9][\w.]*)\s*")


def applies(rule: Rule, job: Job) -> bool:
    """False only where the logs state a version outside the rule's range.

    A version without a number (`master`) is outside of none.
    """
    for product, wanted in rule.applies_to.items():
        known = job.facts.get(product)
        if known is not None and _NUMBER.search(str(known)) and not inside(str(known), wanted):
            return False
    return True


def inside(version: str, wanted: str) -> bool:
    """Whether a version meets all bounds of a range such as `>=2.4,<3`.

    Only the first numbers count (`8.3.RC1` is 8.3, `r2.6` is 2.6); a bound that cannot be
    read holds.
    """
    mine = _numbers(version)
    for part in wanted.split(","):
        bound = _BOUND.fullmatch(part)
        if bound is None:
            continue
        theirs = _numbers(bound[2])
        width = max(len(mine), len(theirs))
        a, b = mine + (0,) * (width - len(mine)), theirs + (0,) * (width - len(theirs))
        if not {">=": a >= b, "<=": a <= b, "==": a == b, "!=": a != b, ">": a > b,
                "<": a < b}[bound[1]]:
            return False
    return True


def _numbers(version: str) -> tuple[int, ...]:
    first = _NUMBER.search(version)
    return tuple(int(n) for n in first[0].split(".")) if first else (0,)
