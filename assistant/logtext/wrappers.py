"""What launchers put before every line of the processes they started, and how to take it off.

`[rank0]: ` (PyTorch), `[default0]:` (torchrun --tee), `[1,3]<stderr>:` (mpirun), `(TaskRunner
pid=354076) ` (Ray), `(VllmWorker rank=1 pid=1503) ` and vLLM's `ERROR 07-02 10:11:46
[multiproc_executor.py:522] `, which it repeats on each line of a traceback; colours around them.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_COLOUR = rb"(?:\x1b\[[0-9;]{0,16}m){0,4}"
_WRAPPER = re.compile(
    _COLOUR + rb"(?:"
    rb"\([A-Za-z_][\w.:-]{0,63}(?: rank=(\d{1,7}))? pid=(\d{1,10})(?:, ip=[\w.:]{1,64})?\)"
    rb"|\[rank(\d{1,7})\]:"
    rb"|\[default\d{1,5}\]:"
    rb"|\[\d{1,5},(\d{1,7})\]<std(?:out|err)>:"
    rb")" + _COLOUR + rb" ?")
_VLLM_ERROR = re.compile(
    _COLOUR + rb"ERROR \d\d-\d\d \d\d:\d\d:\d\d " + _COLOUR
    + rb"\[?[\w./-]{1,120}:\d{1,6}\]" + _COLOUR + rb" ?")

#: A Ray or mpirun prefix can hold a PyTorch one, which can hold vLLM's.
_DEPTH = 3


class Wrapping(NamedTuple):
    """Launcher prefixes of one line.

    Attributes:
        end: where the line proper begins; 0 where there is no such prefix.
        rank, pid: as the prefixes state them (the innermost counts), else None.
        error: whether one of them is vLLM's, whose level is ERROR.
    """

    end: int
    rank: int | None
    pid: int | None
    error: bool


_NONE = Wrapping(0, None, None, False)


def find(line: bytes) -> Wrapping:
    """The launcher prefixes of `line`."""
    if line[:1] not in (b"(", b"[", b"\x1b", b"E"):
        return _NONE
    end, rank, pid, error = 0, None, None, False
    for _ in range(_DEPTH):
        match = _WRAPPER.match(line, end)
        if match is None:
            break
        stated = match[1] or match[3] or match[4]
        rank = int(stated) if stated else rank
        pid = int(match[2]) if match[2] else pid
        end = match.end()
    match = _VLLM_ERROR.match(line, end)
    if match is not None:
        end, error = match.end(), True
    return Wrapping(end, rank, pid, error) if end else _NONE


def strip(line: bytes) -> tuple[bytes, int | None, int | None]:
    """The line without launcher prefixes, and the rank and the process id that they state."""
    end, rank, pid, _ = find(line)
    return (line[end:] if end else line), rank, pid
