"""Which logs say that they are those of a rank."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from assistant.job.names import base_of
from assistant.job.types import LogFile

_ROTATED = re.compile(r"\.\d{1,4}$")


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
    kept: list[LogFile] = []
    for file in sorted(files, key=lambda file: -(file.evidence.last_time or 0.0)):
        later = next((one for one in kept if _whole(one) == _whole(file)
                      and _ends_before(file, one)), None)
        if later is None:
            kept.append(file)
    return [file for file in files if file in kept]


def _whole(file: LogFile) -> str:
    """The name of the log of which a file is a part: `a/worker_0.log.1.gz` -> `a/worker_0.log`."""
    folder = file.name.rpartition("/")[0]
    return f"{folder}/{_ROTATED.sub('', base_of(file.name))}"


def _ends_before(one: LogFile, other: LogFile) -> bool:
    end, begin = one.evidence.last_time, other.evidence.first_time
    return one.name != other.name and end is not None and begin is not None and end <= begin
