"""Step lines of trainers other than MindSpore Transformers -> step number and values.

Hugging Face Trainer (transformers/trainer_callback.py, a Python dictionary; newer versions
print the numbers as strings), with what is left of the progress bar before it:

    10%|#         | 10/100 [00:12<01:48,  1.20s/it]{'loss': 2.31, 'grad_norm': 1.2,
      'learning_rate': 5e-05, 'epoch': 0.01}

Megatron-LM and MindSpeed (megatron/training/training.py), perhaps behind a stamp in brackets:

    iteration       10/     100 | consumed samples: 160 | elapsed time per iteration (ms): 513.3
      | learning rate: 1.0E-06 | global batch size: 16 | lm loss: 1.08E+01 | grad norm: 2.5 |

`Model.train` of MindSpore (LossMonitor; its steps begin anew with every epoch) and the model
collections on top of it (MindCV, MindYOLO, MindOCR):

    epoch: 1 step: 18, loss is 869.990478515625
    Epoch: [1/90], batch: [100/1251], loss: 6.914, lr: 0.1, time: 20.114
    Epoch 1/200, Step 100/3995, imgsize (640, 640), loss: 11.6707, lbox: 3.6262, cur_lr: 0.099
    epoch: [1/400] step: [10/62], loss: 1.2041, lr: 0.0010, per step time: 402.1 ms

Their names are turned into those of MindSpore Transformers. A line without a step takes it
from the progress bar where one stands before it, else lines are counted by whoever collects
them.
"""

from __future__ import annotations

import re

from assistant.logtext.values import StepLine, Value, value

#: Trainers' names for what MindSpore Transformers prints, too.
NAMES = {
    "learning_rate": "lr",
    "lm_loss": "loss",
    "elapsed_time_per_iteration": "per_step_time",
    "cur_lr": "lr",
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
# 1 epoch, 2 epochs, 3 step of the epoch, 4 steps of an epoch
_EPOCH = re.compile(
    rb"\b[Ee]poch:? ?\[?(\d{1,9})(?:/ ?(\d{1,9}))?\]?,? (?:[Ss]tep|batch):? ?\[?(\d{1,12})"
    rb"(?:/ ?(\d{1,12}))?\]?, ")
_MEASURED = re.compile(
    rb"(?:\A|, )([a-z]\w{0,40}(?: \w{1,40}){0,3}?)(?: is|:) ([^\s,]{1,40})(?: ms)?(?=,|\s|\Z)")
#: Longest rest of such a line that is read.
_REST = 2048


def parse(line: bytes) -> StepLine | None:
    """The trainer's step line in `line`, None if there is none. Never raises."""
    if b"{'loss': " in line:
        return _dictionary(line)
    return _iteration(line) or _epoch(line)


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


def _epoch(line: bytes) -> StepLine | None:
    head = _EPOCH.search(line)
    if head is None:
        return None
    values: dict[str, Value] = {}
    for printed, text in _MEASURED.findall(line[head.end():head.end() + _REST]):
        _add(values, printed, text)
    if "loss" not in values:
        return None
    if head[4] is None:
        return StepLine(None, None, values, "trainer")
    step, steps = int(head[3]), int(head[4])
    return StepLine((int(head[1]) - 1) * steps + step,
                    int(head[2]) * steps if head[2] else None, values, "trainer")


def _add(values: dict[str, Value], printed: bytes, text: bytes) -> None:
    name = re.sub(r"[ /-]", "_", printed.decode("ascii", "replace"))
    found = value(text)
    if found is not None:
        values[NAMES.get(name, "throughput" if name.startswith("throughput") else name)] = found
