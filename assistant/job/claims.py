"""Which logs say that they are those of a rank."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from assistant.job.names import part_of
from assistant.job.types import LogFile


def claims(files: Iterable[LogFile], roles: Collection[str] = ("worker",)
           ) -> dict[int, list[LogFile]]:
    """Rank to the logs of some roles that claim it, copies left out; of a log that was rotated
    (`worker_0.log.1`, then `worker_0.log`) only its last part."""
    found: dict[int, list[LogFile]] = {}
    for file in files:
        if file.rank is not None and file.role in roles and not file.echo:
            found.setdefault(file.rank, []).append(file)
    return {rank: _without_rotated(found[rank]) for rank in sorted(found)}


def _without_rotated(files: list[LogFile]) -> list[LogFile]:
    """A part that was rotated away ends before the next one begins; else it is another log."""
    return [file for file in files if not any(_is_before(file, other) for other in files)]


def _is_before(one: LogFile, other: LogFile) -> bool:
    """Whether one is an earlier part of the log that the other belongs to: by their times, and
    where these do not tell by their names."""
    (whole, age), (other_whole, other_age) = part_of(one.name), part_of(other.name)
    if whole != other_whole or one.name == other.name:
        return False
    before, after = _ends_before(one, other), _ends_before(other, one)
    if before is False and after is False:
        return False  # both were written at one time
    return age > other_age if before == after or before is None else before


def _ends_before(one: LogFile, other: LogFile) -> bool | None:
    """None where there are no times."""
    end, begin = one.evidence.last_time, other.evidence.first_time
    return None if end is None or begin is None else end <= begin
