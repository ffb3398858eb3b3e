"""Step lines that are laid out like the one before, read with one expression.

A long run prints the same fields in the same order a hundred thousand times. The layout of
one line, once read by steps.py, is an expression in which only the numbers are open; words
(`NaN`, `N/A (...)`) are part of it. What it matches, it reads as steps.parse_all would, and
several times quicker; what it does not match is no business of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from assistant.evidence.series import NUMBER
from assistant.logtext.steps import StepLine, Value, parse_all

_HEAD = rb"\{ step:\[ {0,9}(\d{1,12})/ {0,9}(\d{1,12})\]"
#: How a number is found in a layout's expression.
NUMBER_EXPRESSION = rb"([+-]?\d{1,40}(?:\.\d{0,40})?(?:e[+-]\d{1,4})?)"
_SAMPLE = re.compile(_HEAD + rb"([^{}]*) \}")
_FIELD = re.compile(rb"(, ([A-Za-z]\w{0,63}(?: \w{1,63}){0,3}): {0,16})"
                    rb"(?:" + NUMBER_EXPRESSION + rb"((?:ms|T)?)(?=,|\Z)"
                    rb"|(N/A \([^()\r]{0,200}\)|NaN|None))")


class Layout:
    """The layout of one PyNative step line.

    Attributes:
        expression: what matches it; groups: the step, the total, the numbers.
        names: of the numbers. words: values of the fields that are no numbers.
    """

    def __init__(self, expression: bytes, names: tuple[str, ...],
                 words: Mapping[str, Value]) -> None:
        self._match = re.compile(expression).search
        self.expression = expression
        self.names = names
        self.words = words

    def parse(self, line: bytes) -> tuple[int, int, dict[str, tuple[int, float]]] | None:
        """Step, total and values of a line of this layout, None for any other line."""
        found = self._match(line)
        if found is None or line.count(b"step:[") != 1:
            return None
        step, total, *numbers = found.groups()
        values: dict[str, tuple[int, float]] = {
            name: (NUMBER, float(number))
            for name, number in zip(self.names, numbers, strict=True)}
        values.update(self.words)
        return int(step), int(total), values

    def span(self, line: bytes) -> tuple[int, int] | None:
        """Where in the line it stands, None for a line of another layout."""
        found = self._match(line)
        return None if found is None else found.span()


def layout_of(line: bytes, parsed: StepLine) -> Layout | None:
    """The layout of a line that parse_all read as one step line; None if it has none that
    is simple enough."""
    sample = _SAMPLE.search(line)
    if sample is None or parsed.kind != "pynative":
        return None
    fields = sample[3]
    parts, names, position = [_HEAD], [], 0
    words: dict[str, Value] = {}
    while (field := _FIELD.match(fields, position)) is not None:
        position = field.end()
        _, printed, _, unit, word = field.groups()
        name = printed.decode().replace(" ", "_")
        # Blanks pad the numbers, as many as there are places free.
        parts.append(b", " + re.escape(printed) + b": {0,16}")
        if word is None:
            parts.append(NUMBER_EXPRESSION + unit)
            names.append(name)
        else:
            parts.append(re.escape(word))
            words[name] = parsed.values.get(name, Value(NUMBER))
    if position != len(fields) or len({*names, *words}) != len(names) + len(words):
        return None
    made = Layout(b"".join(parts) + rb" \}", tuple(names), words)
    # The expression answers for itself, so that steps.py may change without harm.
    again = made.parse(line)
    alike = again == (parsed.step, parsed.total, parsed.values)
    return made if alike and next(parse_all(line), None) == parsed else None
