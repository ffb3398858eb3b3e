"""Which events and lines are spoken for, so that fallback rules and the list of the
unexplained see only the rest."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.diagnose.drafts import Draft
from assistant.diagnose.evaluate import Free
from assistant.diagnose.match import cite
from assistant.diagnose.types import Unexplained
from assistant.diagnose.view import View
from assistant.rules.types import EVENT_KINDS, LogSignal, Rule


class Claims:
    """Lines and events that findings rest on, collected as rules are judged."""

    def __init__(self) -> None:
        self.events: set[tuple[str, int]] = set()
        self.lines: set[tuple[str, int]] = set()
        self.keys: set[str] = set()

    def add(self, found: Iterable[Draft]) -> None:
        """Claim all that these findings rest on."""
        for draft in found:
            whole = _claims_events(draft.rule)
            for match in (*draft.matches, *draft.support):
                if match.event is not None and whole:
                    self.events.add(match.event)
                for quote in (match.citation, *match.more):
                    if quote is not None:
                        self.lines.add((quote.file, quote.line))
            self.keys.update(f"{draft.rule.id}/{name}" for name in draft.rule.signals)

    def free(self, view: View) -> Free:
        """What is left; an error line is spoken for if a holding rule matched its like."""
        lines = set(self.lines)
        for file, error, _ in view.errors(()):
            if any(key in self.keys for key, _ in error.matched):
                lines.update((file.name, hit.line) for hit in error.hits)
        return Free(frozenset(self.events), frozenset(lines))

    def unexplained(self, view: View) -> tuple[Unexplained, ...]:
        """Error lines and events that nothing claims, most frequent shapes first."""
        groups: dict[str, Unexplained] = {}
        for file, error, hit in view.errors(()):
            covered = max((n for key, n in error.matched if key in self.keys), default=0)
            left = error.count - covered
            if left > 0 and not any((file.name, h.line) in self.lines for h in error.hits):
                _add(groups, Unexplained(error.template, left,
                                         cite(file, hit.line, hit.time, hit.text)))
        for alike in (alike for kind in EVENT_KINDS for alike in view.events(kind)):
            for file, event in alike.places:
                if (event.quotes and view.role_counts(file, ())
                        and (file.name, event.line) not in self.events):
                    line, text = event.quotes[0]
                    _add(groups, Unexplained(_shape(event.title, text), event.repeats,
                                             cite(file, line, event.time, text)))
        return tuple(sorted(groups.values(), key=lambda u: (-u.count, u.template)))


def _claims_events(rule: Rule) -> bool:
    """Whether a line of an event that a rule matches speaks for the whole event: not where
    it is a mere remark on one line of it."""
    return rule.severity != "info" or rule.harmless or not all(
        isinstance(signal, LogSignal) for signal in rule.signals.values())


def _add(groups: dict[str, Unexplained], new: Unexplained) -> None:
    """Count it in with those of the same shape, of which the first is quoted."""
    old = groups.get(new.template)
    groups[new.template] = new if old is None else Unexplained(
        new.template, old.count + new.count, old.evidence, old.files + 1)


def _shape(title: str, text: str) -> str:
    from assistant.logtext import template

    shape = template.shape(text)
    return (shape if title in shape else f"{title}: {shape}")[:template.MAX_SHAPE]
