"""`log:` signals: which lines match, which match and do not count, and which nearly match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from assistant.diagnose.holding import Holding
from assistant.diagnose.match import Subject, cite
from assistant.diagnose.types import Citation
from assistant.diagnose.view import View
from assistant.evidence.types import Hit
from assistant.explain.probes import Probes
from assistant.explain.types import Say, Seen
from assistant.job.types import LogFile
from assistant.rules.types import LogSignal, Rule


def seen(name: str, signal: LogSignal, holding: Holding, asked: Iterable[Subject],
         view: View, probes: Probes) -> Iterator[Seen]:
    """What there was on each of the asked ranks."""
    lines: dict[Subject, list[Citation]] = {}
    counts: dict[Subject, int] = {}
    for match in holding.matches:
        counts[match.subject] = counts.get(match.subject, 0) + match.count
        if match.citation is not None:
            lines.setdefault(match.subject, []).append(match.citation)
    for subject in asked:
        if holding.on(subject):
            own = subject if subject in counts else None
            yield Seen(subject, True, Say("log.matches", {"n": counts.get(own, 1)}),
                       0.0, next(iter(lines.get(own, ())), None))
        else:
            yield _missing(name, signal, subject, view, probes)


def _missing(name: str, signal: LogSignal, subject: Subject, view: View,
             probes: Probes) -> Seen:
    """The line that came nearest: the one that lacks one part only, else the longest piece."""
    best: Seen | None = None
    for file in _files(subject, view):
        if not view.role_counts(file, signal.roles):
            continue
        for form, hit in probes.near(name, file.name):
            say = Say("log.case") if not form.lacks else Say(
                "log.lacks" if form.rest else "log.broken", {"part": form.lacks})
            close = form.weight + (1_000_000 if form.rest else 0)
            if best is None or close > best.close:
                best = Seen(subject, False, Say("log.none"), close, _quote(file, hit), say)
            break  # the first form is the nearest one
    return best or Seen(subject, False, Say("log.none"))


def elsewhere(rule: Rule, name: str, signal: LogSignal, holding: Holding, view: View,
              probes: Probes, others: Mapping[str, Holding]) -> Iterator[Seen]:
    """Lines that match the expression and do not count, the first of each reason."""
    counted = {(m.citation.file, m.citation.line) for m in holding.matches if m.citation}
    told: set[str] = set()
    for file in view.job.files:
        hits = probes.whole(name, file.name) or _known(rule, name, file)
        for hit in hits:
            if (file.name, hit.line) in counted:
                continue
            say = _why_not(rule, name, signal, file, hit, view, others)
            if say.key not in told:
                told.add(say.key)
                yield Seen(file.rank, False, say, 0.0, _quote(file, hit))


def _known(rule: Rule, name: str, file: LogFile) -> tuple[Hit, ...]:
    """The hits that the scan kept, for want of a second look."""
    found = file.evidence.hits.get(f"{rule.id}/{name}")
    return () if found is None else found.hits


def _why_not(rule: Rule, name: str, signal: LogSignal, file: LogFile, hit: Hit, view: View,
             others: Mapping[str, Holding]) -> Say:
    """Which key of the signal (or what of the job) keeps a line from counting."""
    if file.stale:
        return Say("log.stale")
    if hit.line < file.run_start:
        return Say("log.earlier-run", {"line": file.run_start})
    if not view.role_counts(file, signal.roles):
        return Say("log.echo" if file.echo else "log.role",
                   {"role": file.role, "asked": ", ".join(signal.roles)})
    if signal.levels and hit.level not in signal.levels:
        return Say("log.level", {"level": hit.level or "-", "asked": ", ".join(signal.levels)})
    if signal.components and hit.component not in signal.components:
        return Say("log.component", {"component": hit.component or "-",
                                     "asked": ", ".join(signal.components)})
    event = view.event((file.name, hit.event)) if hit.event is not None else None
    kind = event.kind if event is not None else "-"
    if signal.inside and kind not in signal.inside:
        return Say("log.inside", {"kind": kind, "asked": ", ".join(signal.inside)})
    if hit.event is not None and signal.outside and (event is None or kind in signal.outside):
        return Say("log.outside", {"kind": kind})
    found = file.evidence.hits.get(f"{rule.id}/{name}")
    if found is not None and found.count < signal.at_least:
        return Say("log.too-few", {"n": found.count, "asked": signal.at_least})
    for key, other in (("before", signal.before), ("after", signal.after)):
        if other is not None:
            return _order(key, other, signal, others)
    return Say("log.other")


def _order(key: str, other: str, signal: LogSignal, others: Mapping[str, Holding]) -> Say:
    matches = others[other].matches if other in others else ()
    if not matches:
        return Say(f"log.{key}-none", {"other": other})
    within = "" if signal.within is None else f"{signal.within:g}s"
    return Say(f"log.{key}", {"other": other, "within": within or "-"})


def _files(subject: Subject, view: View) -> Iterator[LogFile]:
    """The files whose lines would be about a subject."""
    process = view.by_subject.get(subject) if subject is not None else None
    if process is not None:
        yield from view.files_of(process)
    elif subject is None:
        yield from view.files


def _quote(file: LogFile, hit: Hit) -> Citation:
    return cite(file, hit.line, hit.time, hit.text)


