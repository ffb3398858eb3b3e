"""What was odd about the files of a job, a line each, alike files together."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.guide.printable import printable
from assistant.job.claims import claims
from assistant.job.roles import is_logger_copy
from assistant.job.types import Job
from assistant.report.words import Words

#: How many files of one kind are named.
_NAMED = 3


def remarks(job: Job, words: Words) -> tuple[str, ...]:
    """Stale files, several runs, empty files, ranks claimed twice, and notes of the reading."""
    lines: list[str] = []

    def tell(key: str, files: Sequence[str], **values: object) -> None:
        if files:
            lines.append(words(f"remark.{key}", files=_listed(files, words), **values))

    tell("stale", [file.name for file in job.files if file.stale])
    tell("runs", [file.name for file in job.files if file.runs > 1])
    tell("empty", [file.name for file in job.files if file.evidence.size == 0])
    for rank, files in claims(file for file in job.files if not file.stale).items():
        if len(files) > 1:
            tell("duplicate", [file.name for file in files], rank=rank)
    for original, names in _copies(job).items():
        tell("copies", names, original=printable(original))
    notes: dict[str, list[str]] = {}
    for file in job.files:
        for note in file.evidence.notes:
            notes.setdefault(note, []).append(file.name)
    for note, names in sorted(notes.items()):
        kind, _, detail = note.partition(": ")
        known = words.has(f"remark.{kind}")
        tell(kind if known else "other", names, detail=printable(detail if known else note))
    return tuple(lines)


def _copies(job: Job) -> dict[str, list[str]]:
    """Worker log to its copies; what the logger itself writes twice is none."""
    of_rank = {file.rank: file.name for file in job.files
               if file.rank is not None and file.role == "worker"
               and not (file.stale or file.echo)}
    copies: dict[str, list[str]] = {}
    for file in job.files:
        if (file.echo and file.role == "worker" and file.rank in of_rank
                and not is_logger_copy(file.name)):
            copies.setdefault(of_rank[file.rank], []).append(file.name)
    return dict(sorted(copies.items()))


def _listed(files: Sequence[str], words: Words) -> str:
    shown = words.comma.join(printable(name) for name in files[:_NAMED])
    more = len(files) - _NAMED
    return words("files.more", files=shown, n=more) if more > 0 else shown
