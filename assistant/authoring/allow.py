"""Warnings that somebody has allowed, by a comment on the line or on the one above.

    # kbtriage: allow matches-healthy because our healthy jobs never print it      (YAML)
    <!-- kbtriage: allow no-command because it is a list of contacts -->            (Markdown)

Several codes are separated by commas. Errors cannot be allowed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.rules.types import Problem

_ALLOW = re.compile(r"(?:#|<!--)\s*kbtriage:\s*allow\s+([a-z0-9-]+(?:\s*,\s*[a-z0-9-]+)*)")


def allowed(problem: Problem, lines: Sequence[str]) -> bool:
    """Whether a comment allows the problem; `lines` are those of its file."""
    if problem.level == "error":
        return False
    number = problem.position.line
    near = lines[max(0, number - 2):number]
    return any(problem.code in re.split(r"\s*,\s*", codes)
               for line in near for codes in _ALLOW.findall(line))
