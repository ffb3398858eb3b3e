"""Step lines of trainers other than MindSpore Transformers -> step number and values.

Hugging Face Trainer (transformers/trainer_callback.py, a Python dictionary; newer versions
print the numbers as strings), with what is left of the progress bar before it:

    10%|#         | 10/100 [00:12<01:48,  1.20s/it]{'loss': 2.31, 'grad_norm': 1.2,
      'learning_rate': 5e-05, 'epoch': 0.01}

Megatron-LM and MindSpeed (megatron/training/training.py), perhaps behind a stamp in brackets:

    iteration       10/     100 | consumed samples: 160 | elapsed time per iteration (ms): 513.3
      | learning rate: 1.0E-06 | global batch size: 16 | lm loss: 1.08E+01 | grad norm: 2.5 |

Their names are turned into those of MindSpore Transformers. The Trainer's line has no step: it
is taken from the progress bar where one stands before it, else lines are counted by whoever
collects them.
"""

from __future__ import annotations

import re

from assistant.logtext.values import StepLine, Value, value

#: Trainers' names for what MindSpore Transformers prints, too.
NAMES = {
    "learning_rate": "lr",
    "lm_loss": "loss",
    "elapsed_time_per_iteration": "per_step_time",
}

_DICTIONARY = re.compile(rb"\{'loss': ")
_ITEM = re.compile(rb"[{,] {0,3}'([a-z]\w{0,63})': {0,3}'?([^\s,'{}\[\]]{1,40})'?(?=[,}])")
_BAR = re.compile(rb"\| {0,9}(\d{1,12})/(\d{1,12}) \[[^\[\]\r]{0,80}\]\s{0,9}\Z")
#: Longest rest of a progress bar before the dictionary.
_BAR_ROOM = 160
_ITERATION = re.compile(rb"\biteration {1,12}(\d{1,12})/ {0,12}(\d{1,12}) \|")
_COLUMN = re.compile(
    rb" {0,3}([A-Za-z][\w/-]{0,40}(?: [\w/-]{1,40}){0,6})(?: \([\w/]{1,20}\)){0,2}: {0,16}"
    rb"([^\s|]{1,40}) {0,16}\|")


def parse(line: bytes) -> StepLine | None:
    """The trainer's step line in `line`, None if there is none. Never raises."""
    return _dictionary(line) if b"{'loss': " in line else _iteration(line)


def _dictionary(line: bytes) -> StepLine | None:
    head = _DICTIONARY.search(line)
    if head is None:
        return None
    values: dict[str, Value] = {}
    at = head.start()
    while (item := _ITEM.match(line, at)) is not None:
        _add(values, item[1], item[2])
        at = item.end()
    if "loss" not in values or line[at:at + 1] != b"}":
        return None  # a dictionary of something else, or one that was cut
    before = line[max(0, head.start() - _BAR_ROOM):head.start()]
    bar = _BAR.search(before)
    if bar is None:
        return StepLine(None, None, values, "trainer")
    return StepLine(int(bar[1]), int(bar[2]), values, "trainer")


def _iteration(line: bytes) -> StepLine | None:
    head = _ITERATION.search(line)
    if head is None:
        return None
    values: dict[str, Value] = {}
    at = head.end()
    while (column := _COLUMN.match(line, at)) is not None:
        _add(values, column[1], column[2])
        at = column.end()
    return StepLine(int(head[1]), int(head[2]), values, "trainer") if values else None


def _add(values: dict[str, Value], printed: bytes, text: bytes) -> None:
    name = re.sub(r"[ /-]", "_", printed.decode("ascii", "replace"))
    found = value(text)
    if found is not None:
        values[NAMES.get(name, "throughput" if name.startswith("throughput") else name)] = found
