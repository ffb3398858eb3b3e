"""Values printed on step lines and monitor lines, and what such a line yields."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from assistant.evidence.series import NOT_APPLICABLE, NOT_OBTAINED, NUMBER


class Value(NamedTuple):
    """A value of a step line.

    Attributes:
        kind: NUMBER, NOT_OBTAINED or NOT_APPLICABLE of assistant.evidence.series (a field
            that is not on the line has no Value).
        number: the number, which may be `nan` or `inf`; 0.0 unless `kind` is NUMBER.
    """

    kind: int
    number: float = 0.0


class StepLine(NamedTuple):
    """One step line.

    Attributes:
        step: number of the step, 1 for the first; in graph mode counted over all epochs.
            None where the line does not say it: on a monitor's line the step meant is that
            of the nearest line above that does, on a trainer's one lines are to be counted.
        total: number of steps of the whole run, None where not printed.
        values: by the name that is printed, blanks as `_`, with graph mode's names turned
            into PyNative's (steps.RENAMED). `loss:[a/b]` gives `loss` a and `loss_mean` b; True and
            False are 1 and 0.
        kind: `pynative`, `graph`, `monitor` or `trainer`.
    """

    step: int | None
    total: int | None
    values: Mapping[str, Value]
    kind: str


_NUMBER = re.compile(
    rb"([+-]?(?:(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][+-]?\d{1,4})?|nan|inf|NAN|INF|Inf"
    rb"|Infinity))(?: ?[A-Za-z%/]{1,8})?\Z")
_WORDS = {b"True": 1.0, b"False": 0.0}
#: Words for a value that the framework did not get.
_NO_VALUE = (b"NaN", b"None", b"unavailable", b"null")


def value(text: bytes) -> Value | None:
    """A printed value; None if it is none of the known forms.

    `NaN` and `None` say that no value was obtained; a number that is not a number prints
    `nan`. A unit is dropped; a list counts by its first element.
    """
    text = text.strip()
    if text.startswith(b"["):
        text = text.strip(b"[] ").replace(b",", b" ").split(b" ", 1)[0]
    if text in _NO_VALUE:
        return Value(NOT_OBTAINED)
    if text.startswith(b"N/A"):
        return Value(NOT_APPLICABLE)
    if text in _WORDS:
        return Value(NUMBER, _WORDS[text])
    match = _NUMBER.match(text)
    return Value(NUMBER, float(match[1])) if match else None
