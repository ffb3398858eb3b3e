"""What a signal came to: its matches, and on whom it holds."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from assistant.diagnose.match import Match, Subject
from assistant.diagnose.view import View
from assistant.rules.types import Quantifier


@dataclass(frozen=True)
class Holding:
    """A signal's matches, and whether it is true in a job-wide condition."""

    matches: tuple[Match, ...]
    true: bool

    @cached_property
    def subjects(self) -> frozenset[Subject]:
        """On whom it holds; None among them: on the job as a whole."""
        return frozenset(match.subject for match in self.matches)

    def on(self, subject: Subject) -> bool:
        """Whether it holds for one rank or fragment by itself."""
        return subject in self.subjects or None in self.subjects

    def of(self, subject: Subject) -> list[Match]:
        """The matches on one rank or fragment, and those on the job as a whole, in order."""
        places = {*self._places.get(subject, ()), *self._places.get(None, ())}
        return [self.matches[place] for place in sorted(places)]

    @cached_property
    def _places(self) -> dict[Subject, list[int]]:
        found: dict[Subject, list[int]] = {}
        for place, match in enumerate(self.matches):
            found.setdefault(match.subject, []).append(place)
        return found


def quantify(matches: Iterable[Match], quantifier: Quantifier, view: View) -> Holding:
    """Judge `ranks:` over the matches; stages restrict the matches themselves."""
    kept = tuple(matches)
    kind = quantifier.kind
    if kind in ("first-stage", "last-stage", "early-stages"):
        kept = tuple(m for m in kept if on_stage(m.subject, kind, view))
        return Holding(kept, bool(kept))
    return Holding(kept, bool(kept) and _enough(kept, quantifier, view))


def _enough(matches: tuple[Match, ...], quantifier: Quantifier, view: View) -> bool:
    found = {m.subject for m in matches if m.subject is not None}
    everyone = view.subjects
    # Who has no log of its own may be named by others, or be found absent.
    known = len(everyone | found)
    kind, value = quantifier.kind, quantifier.value
    if kind == "all":
        return everyone <= found
    if kind == "most":
        return 2 * len(found) > known
    if kind == "some":
        return bool(found) and not everyone <= found
    if kind == "one":
        return len(found) == 1
    if kind == "count":
        return len(found) >= value
    if kind == "share":
        # less a hair: 0.07 * 100 is a little more than 7
        return len(found) >= max(1, math.ceil(value * known - 1e-9))
    return True


def on_stage(subject: Subject, kind: str, view: View) -> bool:
    """Whether a subject is on the first, the last or an early stage.

    Args:
        kind: `first-stage`, `last-stage` or `early-stages`.

    Whose stage nobody tells counts as on the last one, on which all lines are due.
    """
    process = view.by_subject.get(subject) if subject is not None else None
    last = True if process is None or process.last_stage is None else process.last_stage
    if kind == "last-stage":
        return last
    if kind == "first-stage":
        return process is not None and process.stage == 0
    return not last
