"""Lines of the training monitors -> values of a step.

PyNative (mindformers/pynative/tools/monitor.py, callback/max_logits_monitor.py), with or
without quotation marks by version:

    { "step": 5, "micro_step": 1 }, then { "local_norm": layers.0.weight:   1.234567 } ...
    { "device_norm": layers.0.weight:   1.234567 }
    {"step": 5, "micro_step": 1, "local_loss": 9.87}    {"step": 5, "device_loss": 9.87}
    {"iter": 0, "step": 5, "micro_step": 1, "block": "decoder", "layer": 3, "tpe": [[12, 0, 4]]}
    step:[    5/   10] max_attention_logit/layers.0.self_attention: [12.5, 13.1]

Graph mode (TrainingStateMonitor): `Epoch:[  1/  2], step:[    5/   19] local_norm/w: 1.2345`.

A monitor prints a line for each parameter, layer or micro step. All have the same name here
(the parameter's is dropped), so a step has several values of one name; `worst` picks one.
Tokens per expert (`tpe`) become two values: `expert_imbalance`, the largest share divided by
the mean, and `idle_experts`, how many got nothing.
"""

from __future__ import annotations

import math
import re

from assistant.evidence.series import NOT_OBTAINED, NUMBER
from assistant.logtext.values import StepLine, Value, value

#: Names that make a line in braces a monitor's.
NAMES = ("local_norm", "device_norm", "local_loss", "device_loss", "tpe", "micro_step")

_BRACES = re.compile(
    rb'\{ {0,3}(?="?(?:iter|step|micro_step|block|local_norm|device_norm|local_loss|device_loss'
    rb'|tpe)"? {0,3}:)')
_PAIR = re.compile(
    rb'[ ,]{0,3}("?)([a-z]\w{0,63})\1 {0,3}: {0,16}'
    rb'(\[[\d\[\], .eE+-]{0,100000}\]|"[^"\r]{0,300}"|[^\s,{}\[\]"]{1,300}(?: {1,16}[^\s,{}\[\]"]'
    rb'{1,64})?)')
_TAG = re.compile(rb" {1,3}([A-Za-z]\w{0,63})((?:[/.][^:\s]{1,300})?): {0,16}"
                  rb"(\[[^\[\]\r]{0,100000}\]|[^\s,]{1,64})")
_COUNT = re.compile(rb"\d{1,18}")
_PLACE_NAMES = frozenset(("iter", "step", "micro_step", "block", "layer", "mtp_idx"))


def worst(one: Value, other: Value) -> Value:
    """Of two values of the same name in the same step the one that says more of trouble.

    A number before no number, `nan` before `inf` before the one farther from zero.
    """
    return max(one, other, key=_badness)


def _badness(candidate: Value) -> tuple[bool, bool, float]:
    number = candidate.number
    return (candidate.kind == NUMBER, math.isnan(number),
            0.0 if math.isnan(number) else abs(number))


def parse_braces(line: bytes) -> StepLine | None:
    """A monitor's line in braces, None for any other line. Never raises."""
    head = _BRACES.search(line)
    if head is None:
        return None
    at, step = head.end(), None
    values: dict[str, Value] = {}
    known = False
    while (pair := _PAIR.match(line, at)) is not None:
        at = pair.end()
        quoted, name, text = bool(pair[1]), pair[2].decode("ascii", "replace"), pair[3]
        known = known or name in NAMES
        if name == "step":
            step = int(text) if text.isdigit() and len(text) < 13 else None
        elif name == "tpe":
            values.update(_experts(text))
        elif name not in _PLACE_NAMES:
            found = _scalar(text, quoted)
            if found is not None:
                values[name] = found
    return StepLine(step, None, values, "monitor") if known else None


def parse_tag(rest: bytes, step: int, total: int) -> StepLine | None:
    """What follows `step:[..]` on a monitor's line: ` tag: value`."""
    match = _TAG.match(rest)
    if match is None:
        return None
    name = match[1].decode("ascii", "replace")
    if match[2] == b"/mean":
        name += "_mean"
    found = _largest(match[3])
    return None if found is None else StepLine(step, total, {name: found}, "monitor")


def _scalar(text: bytes, quoted: bool) -> Value | None:
    """`1.5`, or `parameter: 1.5`. In JSON, `NaN` is a number that is not one."""
    found = value(text.strip(b'"').rsplit(b" ", 1)[-1].rsplit(b":", 1)[-1])
    if quoted and found is not None and found.kind == NOT_OBTAINED and b"NaN" in text:
        return Value(NUMBER, math.nan)
    return found


def _largest(text: bytes) -> Value | None:
    """A number, or the worst of a list of numbers."""
    found: Value | None = None
    for part in text.strip(b"[]").split(b","):
        this = value(part)
        if this is not None:
            found = this if found is None else worst(found, this)
    return found


def _experts(text: bytes) -> dict[str, Value]:
    """Imbalance and number of idle experts from a (nested) list of token counts."""
    counts = [int(part) for part in _COUNT.findall(text.replace(b".0", b""))]
    total = sum(counts)
    if not total:
        return {}
    return {"expert_imbalance": Value(NUMBER, max(counts) * len(counts) / total),
            "idle_experts": Value(NUMBER, float(counts.count(0)))}
