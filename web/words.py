"""The page's own words in both languages; those of the report are taken from the report."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from assistant.report.words import Words

_FILES = {"en": "words.en.yaml", "zh": "words.zh.yaml"}


class PageWords(Words):
    """`t("nav.check")`; keys that the page does not have are the report's."""

    def __init__(self, lang: str) -> None:
        super().__init__(lang)
        self._own = _load(lang)

    def __call__(self, key: str, **values: Any) -> str:
        text = self._own.get(key)
        if text is None:
            return super().__call__(key, **values)
        one, separator, many = text.partition("||")
        if separator:
            text = one if values.get("n") == 1 else many
        return text.format_map(values)

    def has(self, key: str) -> bool:
        return key in self._own or super().has(key)

    def ordinal(self, number: int) -> str:
        """`3rd`; in Chinese `第 3 次`."""
        if self.lang == "zh":
            return f"第 {number} 次"
        ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(
            number % 10, "th")
        return f"{number}{ending}"

    def problem(self, kind: str, values: Mapping[str, Any]) -> tuple[str, str]:
        """Title and detail of a problem."""
        shown = dict(values)
        if values.get("unit") == "bytes":
            shown["limit"] = _binary(int(values["limit"]))
        return (self(f"problem.{kind}.title"),
                self(f"problem.{kind}.detail", **{"limit": "", "detail": "", **shown}))


@lru_cache(maxsize=2)
def _load(lang: str) -> Mapping[str, str]:
    import yaml

    path = os.path.join(os.path.dirname(__file__), _FILES[lang])
    with open(path, encoding="utf-8") as stream:
        words: dict[str, str] = yaml.safe_load(stream)
    return words


def _binary(count: int) -> str:
    """A limit as its setting spells it: `16 MiB`."""
    for unit, size in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= size and count % size == 0:
            return f"{count // size} {unit}"
    return f"{count:,} bytes"
