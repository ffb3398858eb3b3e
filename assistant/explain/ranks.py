"""`state:`, `reached:`, `landmark:` and `file:` signals: how the ranks stand instead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from assistant.diagnose.holding import Holding
from assistant.diagnose.match import Subject
from assistant.diagnose.signals.state import match_of
from assistant.diagnose.view import View
from assistant.explain.types import Say, Seen
from assistant.job.types import Process
from assistant.rules.types import PHASES, ReachedSignal, StateSignal


def state_seen(signal: StateSignal, holding: Holding, asked: Iterable[Subject],
               view: View) -> Iterator[Seen]:
    """For `state:`: the state a rank has, and the key that does not fit it."""
    for subject in asked:
        process = view.by_subject.get(subject) if subject is not None else None
        if process is None:
            yield Seen(subject, holding.on(subject), Say("state.nobody"))
            continue
        last = match_of(process, view).citation
        values = {"state": process.state, "asked": ", ".join(signal.states) or "any",
                  "step": process.last_step, "phase": process.phase or "-"}
        if holding.on(subject):
            yield Seen(subject, True, Say("state.is", values), 0.0, last)
        elif signal.states and process.state not in signal.states:
            yield Seen(subject, False, Say("state.other", values), 0.0, last)
        else:
            yield Seen(subject, False, _other_key(signal, process, values), 1.0, last)


def _other_key(signal: StateSignal, process: Process, values: Mapping[str, object]) -> Say:
    """The state fits: which further key does not."""
    if signal.without == "error" and (process.errors or not process.files):
        return Say("state.errors" if process.errors else "state.unread", values)
    if signal.exit_codes:
        code = process.exit.code if process.exit is not None else None
        if code not in signal.exit_codes:
            return Say("state.exit", {**values, "code": "-" if code is None else code,
                                      "asked": ", ".join(map(str, signal.exit_codes))})
    if signal.behind is not None:
        return Say(f"state.behind-{signal.behind}", values)
    if signal.named_by is not None:
        return Say("state.not-named", {**values, "by": signal.named_by})
    return Say("state.stage", values)


def reached_seen(signal: ReachedSignal, holding: Holding, asked: Iterable[Subject],
                 view: View) -> Iterator[Seen]:
    """For `reached:`: how far a rank got."""
    for subject in asked:
        process = view.by_subject.get(subject) if subject is not None else None
        if process is None:
            yield Seen(subject, holding.on(subject), Say("state.nobody"))
            continue
        place = PHASES.index(process.phase) if process.phase in PHASES else -1
        values = {"phase": process.phase or "-", "asked": signal.phase}
        quote = match_of(process, view).citation
        if holding.on(subject):
            yield Seen(subject, True, Say("reached.did", values), 0.0, quote)
        elif place >= PHASES.index(signal.phase):
            key = "state.stage" if process.whole or not signal.from_start else "reached.no-start"
            yield Seen(subject, False, Say(key, values), 100.0, quote)
        else:
            yield Seen(subject, False, Say("reached.not", values), float(place), quote)


def plain_seen(kind: str, holding: Holding, asked: Iterable[Subject]) -> Iterator[Seen]:
    """For a landmark, for files, and for every other kind: whether it was seen."""
    for subject in asked:
        own = holding.of(subject)
        quote = next((m.citation for m in own if m.citation is not None), None)
        path = next((m.values["path"] for m in own if "path" in m.values), "")
        yield Seen(subject, bool(own), Say(
            ("plain.path" if path else "plain.seen") if own else "plain.not",
            {"kind": kind, "path": path}), 0.0, quote)
