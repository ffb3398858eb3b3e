from __future__ import annotations

import string

import pytest

from assistant.render.cells import width
from assistant.report.words import WORDS, Words
from assistant.rules.types import PHASES, SEVERITIES, STATES


@pytest.mark.parametrize("key", WORDS)
def test_both_languages_say_the_same(key: str) -> None:
    english, chinese = WORDS[key]
    assert english and chinese

    def names(text: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    assert names(english) | {"n"} == names(chinese) | {"n"}


def test_every_state_phase_severity_and_role_has_words() -> None:
    words = Words("zh")
    for kind, values in (("state", STATES), ("phase", PHASES), ("severity", SEVERITIES),
                         ("role", ("cause", "consequence", "note"))):
        assert all(words.has(f"{kind}.{value}") for value in values)


@pytest.mark.parametrize("key", [key for key in WORDS if key.startswith("label.")])
def test_labels_leave_two_blanks(key: str) -> None:
    assert all(width(text) <= 6 for text in WORDS[key])


def test_plural_and_thousands() -> None:
    words = Words("en")
    assert words("read.files", n=1) == "1 file"
    assert words("read.files", n=12_345) == "12,345 files"
    assert Words("zh")("read.files", n=1) == "1 个文件"


@pytest.mark.parametrize(("count", "text"), [
    (0, "0 B"), (999, "999 B"), (1000, "1.0 KB"), (41_220, "41 KB"), (999_600, "1.0 MB"),
    (31_412_000_118, "31 GB"), (10**15, "1,000.0 TB")])
def test_size(count: int, text: str) -> None:
    assert Words("en").size(count) == text
