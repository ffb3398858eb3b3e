"""Which events and lines are spoken for, so that fallback rules and the list of the
unexplained see only the rest."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.diagnose.drafts import Draft
from assistant.diagnose.evaluate import Free
from assistant.diagnose.types import Unexplained
from assistant.diagnose.view import View, cite


class Claims:
    """Lines and events that findings rest on, collected as rules are judged."""

    def __init__(self) -> None:
        self.events: set[tuple[str, int]] = set()
        self.lines: set[tuple[str, int]] = set()
        self.keys: set[str] = set()

    def add(self, found: Iterable[Draft]) -> None:
        """Claim all that these findings rest on."""
        for draft in found:
            for match in (*draft.matches, *draft.support):
                if match.event is not None:
                    self.events.add(match.event)
                for quote in (match.citation, *match.more):
                    if quote is not None:
                        self.lines.add((quote.file, quote.line))
            self.keys.update(f"{draft.rule.id}/{name}" for name in draft.rule.signals)

    def free(self, view: View) -> Free:
        """What is left; an error line is spoken for if a holding rule matched its like."""
        lines = set(self.lines)
        for file, error in view.errors(()):
            if any(key in self.keys for key, _ in error.matched):
                lines.update((file.name, hit.line) for hit in error.hits)
        return Free(frozenset(self.events), frozenset(lines))

    def unexplained(self, view: View) -> tuple[Unexplained, ...]:
        """Error lines and events that nothing claims, most frequent shapes first."""
        groups: dict[str, Unexplained] = {}
        for file, error in view.errors(()):
            covered = max((n for key, n in error.matched if key in self.keys), default=0)
            left = error.count - covered
            if left <= 0 or any((file.name, hit.line) in self.lines for hit in error.hits):
                continue
            hit = error.hits[0]
            _add(groups, error.template, left,
                 Unexplained(error.template, 0, cite(file, hit.line, hit.time, hit.text), 0))
        for kind in ("traceback", "cann", "dataset", "native", "cluster", "cpp-stack"):
            for file, event in view.events(kind, ()):
                if (file.name, event.line) not in self.events and event.quotes:
                    line, text = event.quotes[0]
                    shape = f"{event.title}: {text.strip()}"[:200]
                    _add(groups, shape, event.repeats,
                         Unexplained(shape, 0, cite(file, line, event.time, text), 0))
        return tuple(sorted(groups.values(), key=lambda u: (-u.count, u.template)))


def _add(groups: dict[str, Unexplained], template: str, count: int, new: Unexplained) -> None:
    old = groups.get(template, new)
    groups[template] = Unexplained(template, old.count + count, old.evidence, old.files + 1)
