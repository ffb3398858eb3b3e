"""Logs of a test written as a time line -> the lines that a job prints.

A line that begins with `+<time> ` is a record so long after the start of the test; all others
stay as they are.

    +0s our launcher, version 3                 mindformers' layout, level INFO
    +30s ERROR link state: down                 MindSpore's layout, module ME
    +30s WARNING HCCL: link state: down         ... of another module
    +1m step 1..20 every 3s loss=2.5            twenty step lines, three seconds apart
    +1m step 5/100 loss=nan grad_norm=1.2       one, of a hundred
    +1m step 1..9 loss=2,2,2,9                  a value a step, the last one for all others
"""

from __future__ import annotations

import datetime
import posixpath
import re
from collections.abc import Iterator

_START = datetime.datetime(2026, 1, 1, 10, 0, 0)
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_STAMP = re.compile(r"\+(\d+(?:\.\d+)?)(ms|s|m|h)(?: (.*))?")
_MARKED = re.compile(r"^\+\d", re.MULTILINE)
_RECORD = re.compile(r"(DEBUG|INFO|WARNING|ERROR|CRITICAL) (?:([A-Z][A-Z_]{1,31}): )?(.*)")
_STEP = re.compile(r"step (\d+)(?:\.\.(\d+))?(?:/(\d+))?(?: every (\d+(?:\.\d+)?)(ms|s|m|h))?"
                   r"((?: [A-Za-z]\w*=\S+)*) *")
#: How values of known metrics are printed; all others as they are given.
_FORMS = {"loss": "{: 11.6f}", "per_step_time": "{:7.0f}ms", "grad_norm": "{: 11.6f}",
          "lr": "{:.6e}", "throughput": "{: 8.2f}T"}
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
#: Step lines that one line of a time line can stand for.
MOST_STEPS = 2000
#: What a step line holds where the time line does not say.
_USUAL = {"loss": "2.5", "per_step_time": "3000", "lr": "1e-05", "grad_norm": "1.2"}


class TimelineError(ValueError):
    """A line that cannot be read. Attributes: line: its number; message, cure."""

    def __init__(self, line: int, message: str, cure: str) -> None:
        super().__init__(message)
        self.line, self.message, self.cure = line, message, cure


def render(name: str, text: str) -> str:
    """The content of the log file `name`. Raises TimelineError."""
    if not _MARKED.search(text):
        return text
    lines = [line for number, source in enumerate(text.split("\n"), 1)
             for line in _lines(name, number, source)]
    return "\n".join(lines)


def _lines(name: str, number: int, source: str) -> Iterator[str]:
    if not re.match(r"\+\d", source):
        yield source
        return
    stamp = _STAMP.fullmatch(source)
    if stamp is None:
        raise TimelineError(number, f"`{source[:30]}` is no time of a time line",
                            "write a number and ms, s, m or h, such as `+30s`, and a blank")
    seconds, rest = float(stamp[1]) * _UNITS[stamp[2]], stamp[3] or ""
    if rest.startswith("step "):
        yield from _steps(number, seconds, rest)
    elif record := _RECORD.fullmatch(rest):
        yield _record(name, seconds, record)
    else:
        yield f"{_comma(seconds)} - job[train.py:10] - INFO - {rest}"


def _record(name: str, seconds: float, record: re.Match[str]) -> str:
    found = re.search(r"(\d+)\.\w+$", posixpath.basename(name))
    pid = 1000 + int(found[1]) if found else 999
    stamp = _at(seconds).strftime("%Y-%m-%d-%H:%M:%S.%f")
    return (f"[{record[1]}] {record[2] or 'ME'}({pid},7f0000000000,python):{stamp[:-3]}."
            f"{stamp[-3:]} [job/test.cc:1] Test] {record[3]}")


def _steps(number: int, seconds: float, rest: str) -> Iterator[str]:
    found = _STEP.fullmatch(rest)
    if found is None:
        raise TimelineError(number, f"`{rest[:40]}` is no step of a time line",
                            "write `step 5 loss=2.5`, or `step 1..20 every 3s loss=2.5`")
    first = int(found[1])
    last = int(found[2] or first)
    if not 0 <= last - first < MOST_STEPS:
        raise TimelineError(number, f"`step {first}..{last}` is no range of steps",
                            f"count upwards, {MOST_STEPS} steps at most")
    total = int(found[3] or max(last, 100))
    apart = float(found[4] or 3) * _UNITS[found[5] or "s"]
    given = dict(pair.split("=", 1) for pair in found[6].split())
    if found[4] and "per_step_time" not in given:
        given["per_step_time"] = f"{apart * 1000:g}"
    values = {**_USUAL, **given}
    for place, step in enumerate(range(first, last + 1)):
        fields = "".join(f", {metric}: {_shown(metric, texts.split(','), place)}"
                         for metric, texts in values.items() if texts != "-")
        yield (f"{_comma(seconds + place * apart)} - mindformers./output/log[mindformers/pynative/"
               f"callback/loss_callback.py:337] - INFO - {{ step:[{step:5}/{total:5}]{fields} }}")


def _shown(metric: str, texts: list[str], place: int) -> str:
    text = texts[min(place, len(texts) - 1)]
    form = _FORMS.get(metric)
    return form.format(float(text)).strip() if form and _NUMBER.fullmatch(text) else text


def _comma(seconds: float) -> str:
    return _at(seconds).strftime("%Y-%m-%d %H:%M:%S,%f")[:-3]


def _at(seconds: float) -> datetime.datetime:
    return _START + datetime.timedelta(seconds=seconds)
