"""One text after the other: the same value gets the same placeholder."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from assistant.redact.finders import COMMON_USERS, spans

#: A name shorter than this is replaced only where its place tells what it is.
_SHORT = 3
#: ... and so is a number of so many digits.
_NUMBER = 6
#: Words of the trade, which a node's folder may be named after: replaced in their place only.
_TRADE = frozenset({
    "ascend", "checkpoint", "client", "cluster", "compute", "config", "core", "cpu", "data",
    "debug", "deepseek", "eval", "experiment", "glm", "gpu", "head", "host", "infer", "job",
    "jobs", "llama", "llm", "log", "login", "logs", "loss", "main", "master", "mindformers",
    "model", "models", "msrun", "new", "npu", "old", "output", "outputs", "pipeline", "pretrain",
    "qwen", "rank", "result", "results", "run", "runs", "save", "scheduler", "server", "stage",
    "step", "storage", "task", "train", "training", "worker", "yarn"})
#: The names that the report gives to nodes of which nothing is known.
_INVENTED = re.compile(r"(?:node|rank|worker|host)[-_]?\d*|scheduler|console", re.IGNORECASE)


class Redactor:
    """Replaces what is private in texts.

    A value that was once recognised (a host by a node's name, a user by a home directory) is
    replaced wherever it stands as a word of its own, so `learn` all texts before the first is
    rewritten. Placeholders are numbered in the order in which their values were learned.

    Args:
        patterns: expressions of the site (RE2), by name; what one matches, or its group
            `value`, is replaced by `<name-1>`, `<name-2>` ...

    Raises:
        ValueError: an expression cannot be used.
    """

    def __init__(self, patterns: Mapping[str, str] | None = None) -> None:
        self._placeholders: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        self._words: re.Pattern[str] | None = None
        self._site = {name: _compiled(name, pattern) for name, pattern in (patterns or {}).items()}

    @property
    def values(self) -> dict[str, str]:
        """Placeholder to the value that it stands for: whoever has it can read the report."""
        return {placeholder: value for value, placeholder in self._placeholders.items()}

    def learn(self, text: str) -> None:
        """Take note of what is private in a text."""
        for kind, start, end in self._spans(text):
            self._known(kind, text[start:end])
            if kind == "host" and (short := text[start:end].partition(".")[0]) != text[start:end]:
                self.learn_hosts([short])  # in prose a machine goes without its domain

    def learn_hosts(self, names: Iterable[str]) -> None:
        """Take note of the names of machines, or of the folders that stand for them."""
        for name in names:
            for part in filter(None, name.rpartition("/")[2].split("_")):
                if not _INVENTED.fullmatch(part) and not spans(part):
                    self._known("host", part)

    def rewrite(self, text: str) -> str:
        """The text with placeholders."""
        parts: list[str] = []
        position = 0
        for kind, start, end in self._spans(text):
            parts += [self._names(text[position:start]), self._known(kind, text[start:end])]
            position = end
        return "".join([*parts, self._names(text[position:])])

    def _spans(self, text: str) -> list[tuple[str, int, int]]:
        found: list[tuple[str, int, int]] = []
        for name, pattern in self._site.items():
            for match in pattern.finditer(text):
                start, end = match.span(pattern.groupindex.get("value", 0))
                if start < end and _free(found, start, end):
                    found.append((name, start, end))
        found += [span for span in spans(text) if _free(found, span.start, span.end)]
        return sorted(found, key=lambda span: span[1])

    def _known(self, kind: str, value: str) -> str:
        if value not in self._placeholders:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            self._placeholders[value] = f"<{kind}-{self._counts[kind]}>"
            self._words = None
        return self._placeholders[value]

    def _names(self, text: str) -> str:
        """Known values that stand in a text by themselves."""
        if self._words is None:
            names = list(filter(replaced_everywhere, self._placeholders))
            names.sort(key=lambda name: (-len(name), name))
            self._words = re.compile(
                r"(?<![A-Za-z0-9])(?:" + "|".join(map(re.escape, names)) + r")(?![A-Za-z0-9])"
                if names else r"(?!)")
        return self._words.sub(lambda match: self._placeholders[match[0]], text)


def replaced_everywhere(value: str) -> bool:
    """Whether a value is private wherever it stands: no short word, no word of the trade, and no
    small number, which may well be a rank or a step."""
    if value.lower() in COMMON_USERS | _TRADE:
        return False
    if value.isdigit():
        return len(value) > _NUMBER
    return len(value) >= (_SHORT if value.isascii() else _SHORT - 1)


def _compiled(name: str, pattern: str) -> Any:
    import re2

    try:
        return re2.compile(pattern)
    except re2.error as error:
        raise ValueError(f"the pattern of {name!r} cannot be used: {error}") from error


def _free(found: Iterable[tuple[str, int, int]], start: int, end: int) -> bool:
    return all(end <= other[1] or other[2] <= start for other in found)
