"""Version numbers against ranges such as `>=2.4,<3`."""

from __future__ import annotations

import re

_TERM = re.compile(r"\s*(>=|<=|==|!=|>|<)\s*([0-9][0-9A-Za-z.]*)\s*")


def fits(version: str, wanted: str) -> bool:
    """Whether a version lies in a range; a part that is left out counts as 0 (2.4 = 2.4.0).

    Raises ValueError if the range cannot be read.
    """
    for text in wanted.split(","):
        term = _TERM.fullmatch(text)
        if term is None:
            raise ValueError(f"not a version range: {wanted!r}")
        left, right = _parts(version), _parts(term[2])
        width = max(len(left), len(right))
        left += (_ZERO,) * (width - len(left))
        right += (_ZERO,) * (width - len(right))
        holds = {">=": left >= right, "<=": left <= right, "==": left == right,
                 "!=": left != right, ">": left > right, "<": left < right}[term[1]]
        if not holds:
            return False
    return True


_ZERO = (1, 0, "")


def _parts(version: str) -> tuple[tuple[int, int, str], ...]:
    """Comparable parts: `2.4.0rc1` -> 2, 4, 0, then rc 1, which is before nothing."""
    parts: list[tuple[int, int, str]] = []
    for number, word in re.findall(r"(\d+)|([A-Za-z]+)", version):
        # Letters mark what comes before the release (rc, beta), so they sort below numbers.
        parts.append((1, int(number), "") if number else (0, 0, word.lower()))
    return tuple(parts)
