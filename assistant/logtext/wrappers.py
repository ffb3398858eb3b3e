"""What others put before every line of the processes they started, and how to take it off.

Launchers: `[rank0]: ` (PyTorch), `[default0]:` (torchrun --tee), `[1,3]<stderr>:` (mpirun),
`(TaskRunner pid=354076) ` (Ray), `(VllmWorker rank=1 pid=1503) ` and vLLM's `ERROR 07-02 10:11:46
[multiproc_executor.py:522] `, which it repeats on each line of a traceback; colours around them.

Around those, whatever carried the lines to where they were copied from:

    2026-02-11T09:12:44.120394811Z stderr F     the files of a Kubernetes node (CRI)
    2026-02-11T09:12:44.120394811Z              docker logs --timestamps, kubectl, CI services
    Feb 11 09:12:44 node-a python3[4411]:       syslog and journalctl
    09:12:44                                    terminals that stamp lines
    trainer-1  |                                docker compose
    [pod/train-worker-0/main]                   kubectl logs --prefix
    3:                                          srun --label; grep -n, cat -n
    192.0.2.3:   node-03:                       pdsh (DeepSpeed), ssh in a loop
    msrun_log/worker_3.log:812:                 grep over files, whose names tell the rank
    >                                           a quoted reply
    E                                           what a test raised, as pytest shows it
"""

from __future__ import annotations

import re
from typing import NamedTuple

from assistant.logtext import stamps

_COLOUR = rb"(?:\x1b\[[0-9;]{0,16}m){0,4}"
_COLOURED = re.compile(_COLOUR)
_WRAPPER = re.compile(
    _COLOUR + rb"(?:"
    rb"\([A-Za-z_][\w.:-]{0,63}(?: rank=(\d{1,7}))? pid=(\d{1,10})(?:, ip=[\w.:]{1,64})?\)"
    rb"|(?:\[\d{1,9}\] )?\[rank(\d{1,7})\]:"
    rb"|\[default\d{1,5}\]:"
    rb"|\[\d{1,5},(\d{1,7})\]<std(?:out|err)>:"
    rb")" + _COLOUR + rb" ?")
_VLLM_ERROR = re.compile(
    _COLOUR + rb"(?:\[Stage-\d{1,4}\] )?ERROR \d\d-\d\d \d\d:\d\d:\d\d " + _COLOUR
    + rb"\[?[\w./-]{1,120}:\d{1,6}\]" + _COLOUR + rb" ?")
_ZONE = rb"(?:Z|[+-]\d\d:\d\d)"
# 1 rank by the name of a file, 2-5 stamp
_CARRIER = re.compile(
    rb"(?:> ?){1,3}(?=[^\s>])"
    # pytest keeps the indentation of the code that raised: that of a function, or of a method
    rb"|E(?: {11}| {7})(?=\S)|E {3,4}(?=\S|  )"
    rb"| {0,6}\d{1,7}\t"
    rb"|\d{1,7}(?:: | ?[:-](?=[A-Za-z\[(]))"
    rb"|(?:[\w.-]{0,80}/){0,12}worker_(\d{1,7})\.log[:-](?:\d{1,9}[:-])?"
    rb"|(?:[\w.-]{0,80}/){0,12}[\w.-]{1,80}\.(?:log|txt|out|err):(?:\d{1,9}:)?(?=\S)"
    rb"|" + stamps.STAMP + _ZONE + rb"(?: std(?:out|err) [FP])? "
    rb"|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d [\w.-]{1,63} [\w./-]{1,40}\[\d{1,10}\]: "
    rb"|\d\d:\d\d:\d\d(?:[.,]\d{1,6})? (?=[A-Z\[(])"
    rb"|[A-Za-z0-9][\w.-]{0,62}[-_]\d{1,3} {1,40}\| "
    rb"|\[pod/[\w./-]{1,200}\] "
    rb"|(?:\d{1,3}(?:\.\d{1,3}){3}|(?:node|worker|host|master|slave)[-_.\d][\w.-]{0,40}): "
    rb"|[A-Za-z0-9][\w.-]{1,62}: (?=\[rank\d|\(\w{1,63} (?:rank|pid)=)")
#: What a prefix can begin with: any other line is not looked at closely.
_FIRST = frozenset(b"([\x1bE> ./0123456789ABCDFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz")
#: What a line must hold to have a prefix that begins with a letter (of a file, a host, a service).
_LETTERED = re.compile(rb"(?:\AE   |\A[\w.-]{5,50}: |\d: |\.(?:log|txt|out|err)[:-]"
                       rb"|[-_]\d{1,3} {1,40}\| |\[\d{1,10}\]: |\AERROR \d\d-)")
_LETTERED_BYTES = 320

#: A Ray or mpirun prefix can hold a PyTorch one, which can hold vLLM's.
_DEPTH = 3
#: A file of a node can be read by grep and quoted.
_CARRIERS = 2


class Wrapping(NamedTuple):
    """Prefixes of one line.

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
    """The prefixes of `line`."""
    first = line[:1]
    if not first or first[0] not in _FIRST:
        return _NONE
    if first.isalpha() and _LETTERED.search(line, 0, _LETTERED_BYTES) is None:
        return _NONE
    end, rank, pid, error = 0, None, None, False
    for _ in range(_CARRIERS):
        match = _CARRIER.match(line, end)
        if match is None:
            break
        rank = int(match[1]) if match[1] else rank
        end = match.end()
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
    elif first == b"\x1b" and not end:
        match = _COLOURED.match(line)
        end = match.end() if match is not None else 0
    return Wrapping(end, rank, pid, error) if end else _NONE


def strip(line: bytes) -> tuple[bytes, int | None, int | None]:
    """The line without prefixes, and the rank and the process id that they state."""
    end, rank, pid, _ = find(line)
    return (line[end:] if end else line), rank, pid
