"""A report with placeholders in the place of what is private."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from assistant.redact.redactor import Redactor
from assistant.report.types import Report

T = TypeVar("T")
#: Fields that hold words of the contract and times, never text of a log.
_FIXED = frozenset({"rule", "category", "severity", "role", "explained_by", "codes", "article",
                    "state", "phase", "verdict", "mode", "lang", "schema", "see", "time",
                    "first_time", "last_time", "versions"})


def redact(report: Report, redactor: Redactor) -> Report:
    """The report as it can be shown to others; the redactor learns from it."""
    learn(report, redactor)
    return mapped(report, redactor.rewrite)


def learn(report: Report, redactor: Redactor) -> None:
    """Have a redactor take note of all that is private in a report."""
    redactor.learn_hosts(report.job.nodes)
    for text in texts(report):
        redactor.learn(text)


def mapped(value: T, change: Callable[[str], str]) -> T:
    """A value of dataclasses, tuples, lists and mappings with each free text changed."""
    made: Any = _mapped(value, change)
    result: T = made
    return result


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{item.name: _mapped(getattr(value, item.name), change)
                                 for item in fields(value) if item.name not in _FIXED})
    if isinstance(value, (tuple, list)):
        return type(value)(_mapped(item, change) for item in value)
    if isinstance(value, dict):
        return {_mapped(key, change): _mapped(item, change) for key, item in value.items()}
    return value


def texts(value: Any) -> Iterator[str]:
    """The free texts of a value, as `mapped` sees them."""
    found: list[str] = []

    def note(text: str) -> str:
        found.append(text)
        return text

    _mapped(value, note)
    yield from found
