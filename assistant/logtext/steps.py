"""Step lines of every layout -> step number and values.

PyNative (mindformers/pynative/callback/loss_callback.py; fields come and go with versions):

    { step:[    5/   10], consumed_samples: 20, global_batch_size: 4, loss:   4.478439,
      per_step_time:    390ms, lr: 1.000000e-05, grad_norm:   0.546656, throughput:   2.56T }
    { step:[    5/   10], consumed_samples: None, global_batch_size: None, loss: N/A (non-last
      PP stage, refer to last stage for real loss), per_step_time:    390ms, grad_norm: NaN }

Graph mode (mindformers/core/callback/callback.py; the oldest has no braces and `time:3.1 ms`):

    { Epoch:[  1/  2], step:[    1/   19], loss:[10.649/10.649], per_step_time: 103328ms,
      lr: 0.0, overflow cond: False, loss_scale: 1.0, global_norm: [1.31], train_throughput_...

A line of a monitor is read by monitor.py, that of another trainer by trainers.py; `parse`
answers for them too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from assistant.evidence.series import NUMBER
from assistant.logtext import monitor, trainers
from assistant.logtext.values import StepLine, Value, value

__all__ = ["RENAMED", "StepLine", "Value", "parse", "parse_all"]

#: Graph mode's names for what PyNative prints too.
RENAMED = {
    "global_norm": "grad_norm",
    "train_throughput_per_npu": "throughput",
    "time": "per_step_time",
}

_STEP = re.compile(rb"step:\[ {0,9}(\d{1,12})/ {0,9}(\d{1,12})\]")
_EPOCH = re.compile(rb"Epoch:\[ {0,9}(\d{1,9})/ {0,9}(\d{1,9})\], {0,3}")
#: Longest `Epoch:[..], ` before `step:[`.
_EPOCH_ROOM = 64
# 1 name, 2 a plain number, 3 anything else
_FIELD = re.compile(
    rb" {0,9}, {0,9}([A-Za-z]\w{0,63}(?: \w{1,63}){0,3}) {0,3}: {0,16}"
    rb"(?:([+-]?\d{1,40}(?:\.\d{0,40})?(?:e[+-]\d{1,4})?)(?:ms|T| ms)?(?=,| \})"
    rb"|(N/A(?: \([^()\r]{0,200}\))?|\[[^\[\]\r]{0,4000}\]|[^ ,{}\[\]\r]{1,64}(?: ms\b)?))")
_END = re.compile(rb" {0,9}\}")


def parse(line: bytes) -> StepLine | None:
    """The first step line or monitor line in `line`, None if there is none. Never raises."""
    return next(parse_all(line), None)


def parse_all(line: bytes) -> Iterator[StepLine]:
    """All of them: two processes writing to one console can put two records on one line."""
    at = line.find(b"step:[")
    if at < 0:
        found = monitor.parse_braces(line) or trainers.parse(line)
        if found is not None:
            yield found
    while at >= 0:
        following = line.find(b"step:[", at + 1)
        end = following if following >= 0 else len(line)
        head = _STEP.match(line, at, end)
        if head is not None:
            step, total = int(head[1]), int(head[2])
            room = line[max(0, at - _EPOCH_ROOM):at]
            epoch = _EPOCH.match(room, max(0, room.rfind(b"Epoch:[")))
            graph = epoch is not None and epoch.end() == len(room)
            if epoch is not None and graph:
                step, total = (int(epoch[1]) - 1) * total + step, int(epoch[2]) * total
            values = _fields(line, head.end(), end, graph)
            if values is not None:
                yield StepLine(step, total, values, "graph" if graph else "pynative")
            else:
                found = monitor.parse_tag(line[head.end():end], step, total)
                if found is not None:
                    yield found
        at = following


def _fields(line: bytes, at: int, end: int, graph: bool) -> dict[str, Value] | None:
    """The values of a step line from index `at`; None if something else stands there."""
    if line[at:at + 1] != b"," and _END.match(line, at, end) is None:
        return None
    values: dict[str, Value] = {}
    last: list[str] = []
    while (field := _FIELD.match(line, at, end)) is not None:
        at = field.end()
        printed, number, text = field.groups()
        name = _name(printed)
        if number is not None:
            values[name] = Value(NUMBER, float(number))
            last = [name]
        else:
            last = _add(values, name, text)
    if not graph and _END.match(line, at, end) is None:
        # The record was cut, perhaps in the middle of its last value. (Graph mode closes
        # its brace on the next line.)
        for name in last:
            values.pop(name, None)
    return values


@lru_cache(maxsize=256)
def _name(printed: bytes) -> str:
    """The column of a printed name."""
    name = printed.decode("ascii", "replace").replace(" ", "_")
    return RENAMED.get(name, name)


def _add(values: dict[str, Value], name: str, text: bytes) -> list[str]:
    """Store a printed value, or the two of `[last/mean]`; return the names stored."""
    parts = {name: text}
    if name == "loss" and text.startswith(b"[") and b"/" in text:
        first, _, mean = text.strip(b"[]").partition(b"/")
        parts = {name: first, f"{name}_mean": mean}
    found = {key: known for key, part in parts.items() if (known := value(part)) is not None}
    values.update(found)
    return list(found)
