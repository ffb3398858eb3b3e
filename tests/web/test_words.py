"""The page's words exist in both languages, say the same, and are all used."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest
import yaml

import web
from web.problems import STATUS
from web.words import PageWords

FOLDER = Path(web.__file__).parent
WORDS = {lang: yaml.safe_load((FOLDER / f"words.{lang}.yaml").read_text(encoding="utf-8"))
         for lang in ("en", "zh")}


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_both_languages_have_the_same_keys() -> None:
    assert list(WORDS["en"]) == list(WORDS["zh"])
    assert all(isinstance(text, str) for words in WORDS.values() for text in words.values())


@pytest.mark.parametrize("key", list(WORDS["en"]))
def test_both_languages_fill_in_the_same(key: str) -> None:
    english = [fields(part) - {"n"} for part in WORDS["en"][key].split("||")]
    chinese = [fields(part) - {"n"} for part in WORDS["zh"][key].split("||")]
    assert all(part == english[0] for part in (*english, *chinese))


def sources() -> str:
    return "".join(path.read_text(encoding="utf-8")
                   for pattern in ("*.py", "*.html") for path in FOLDER.rglob(pattern))


def test_every_key_in_templates_exists() -> None:
    words = PageWords("en")
    for key in re.findall(r"\bt\('([\w.-]+)'(?=[,)])", sources()):
        assert words.has(key), key


def test_every_key_is_used() -> None:
    text = sources()
    made = [re.escape(start).replace(r"\{", "{") for start in re.findall(
        r"""["']([a-z]+(?:\.[\w-]+)*[.-])(?=\{|['"] ?~)""", text)]
    unused = [key for key in WORDS["en"] if f"'{key}'" not in text and f'"{key}"' not in text
              and not any(re.match(start, key) for start in made)]
    assert unused == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_problem_has_words(lang: str) -> None:
    values = {"limit": 5, "unit": "x", "field": "f", "expected": "e", "what": "w", "detail": "d"}
    for kind in STATUS:
        title, detail = PageWords(lang).problem(kind, values)
        assert title
        assert detail


@pytest.mark.parametrize(("number", "text"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"),
                                              (11, "11th"), (12, "12th"), (21, "21st"),
                                              (113, "113th")])
def test_ordinals(number: int, text: str) -> None:
    assert PageWords("en").ordinal(number) == text
