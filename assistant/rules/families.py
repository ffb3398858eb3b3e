"""Which family an error code belongs to."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence

from assistant.rules.types import Family


def family_of(code: str, families: Sequence[Family]) -> Family | None:
    """The family of a code: the one that names it, else the one whose glob fits it most
    closely; of several alike that of the latest pack."""
    found = [(glob == code, sum(character.isalnum() for character in glob), number, family)
             for number, family in enumerate(families)
             for glob in family.codes if fnmatch.fnmatchcase(code, glob)]
    return max(found, key=lambda item: item[:3])[3] if found else None
