"""`fact:` and `file:` signals: values of the job, and the state of the files themselves."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.diagnose.match import Match, cite, subject_of
from assistant.diagnose.types import Citation
from assistant.diagnose.view import View
from assistant.job import runs
from assistant.job.claims import claims
from assistant.job.types import LogFile
from assistant.rules.types import ConfigSignal, FactSignal, FileSignal

#: Notes of the reading (see FileEvidence.notes) that mean that a file's end is missing.
_CUT = ("shrank", "read-error", "truncated-archive")


def matches(signal: FactSignal, view: View) -> Iterator[Match]:
    """One match on the job as a whole if the fact is known and compares as asked."""
    value = view.job.facts.get(signal.name)
    values = {} if value is None else _compared(signal, value, view)
    if values:
        values[signal.name] = str(value)
        yield Match(None, "", _statement(signal.name, view), (), values)


def config_matches(signal: ConfigSignal, view: View) -> Iterator[Match]:
    """One match on the job as a whole if the configuration holds the key and compares so."""
    key = next((key for key in signal.keys if key in view.config), None)
    if key is None:
        return
    values = _compared(signal, _plain(view.config[key]), view)
    if values:
        yield Match(None, "", None, (), {"key": key, **values})


def _plain(text: str) -> str | int | float:
    """A printed value as a number where it is one."""
    try:
        return int(text) if text.lstrip("-").isdecimal() else float(text)
    except ValueError:
        return text


def _compared(signal: FactSignal | ConfigSignal, value: str | int | float,
              view: View) -> dict[str, str]:
    """What a value gives if it compares as asked, else nothing."""
    if signal.is_ is not None and value != signal.is_ and (
            str(value).lower() != str(signal.is_).lower()):
        return {}
    for bound, above in ((signal.above, True), (signal.below, False)):
        if bound is not None and not (
                isinstance(value, (int, float)) and (value > bound if above else value < bound)):
            return {}
    values = {"value": str(value)}
    if signal.differs_from is not None:
        other = view.job.facts.get(signal.differs_from)
        if other is None or str(other) == str(value):
            return {}
        values[signal.differs_from] = str(other)
    return values


def _statement(name: str, view: View) -> Citation | None:
    """The line that states a fact, where one line does."""
    place = view.job.stated.get(name)
    hit = view.hit_at(*place) if place is not None else None
    return Citation(place[0], hit.line, hit.time, hit.text) if place and hit else None


def file_matches(signal: FileSignal, view: View) -> Iterator[Match]:
    """One match for every file, rank or input that is as asked."""
    if signal.condition == "unreadable":
        for skipped in view.job.evidence.skipped:
            yield Match(None, "", None, (), {"path": skipped.file, "why": skipped.why})
    elif signal.condition == "missing":
        for process in view.job.processes:
            if process.state == "absent":
                yield Match(process.rank, process.node or "", None)
    elif signal.condition == "several-jobs":
        folders = sorted(runs.launches(view.job.files))
        if len(folders) > 1:
            yield Match(None, "", None, (), {"path": ", ".join(name or "." for name in folders)})
    elif signal.condition == "duplicate":
        yield from _duplicates(signal, view)
    else:
        for file in view.job.files:
            if (not signal.roles or file.role in signal.roles) and _is(signal.condition, file):
                yield _file_match(file, view)


def _is(condition: str, file: LogFile) -> bool:
    if condition == "empty":
        return file.evidence.size == 0
    if condition == "stale":
        return file.stale
    if condition == "several-runs":
        return file.runs > 1
    return any(note.startswith(_CUT) for note in file.evidence.notes)  # `truncated`


def _duplicates(signal: FileSignal, view: View) -> Iterator[Match]:
    """Worker logs of which two claim one rank."""
    roles = signal.roles or ("worker",)
    for files in claims(view.files, roles).values():
        if len(files) > 1:
            for file in files:
                yield _file_match(file, view)


def _file_match(file: LogFile, view: View) -> Match:
    process = view.process_of.get(file.name)
    subject = file.rank if file.rank is not None else (subject_of(process) if process else None)
    head = next(iter(file.evidence.head), None)
    citation = cite(file, head.line, head.time, head.text) if head is not None else None
    return Match(subject, file.node, citation, (), {"path": file.name}, file.evidence.first_time)
