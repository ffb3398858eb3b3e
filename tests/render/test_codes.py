"""Explanations of codes, for a terminal and for programs."""

from __future__ import annotations

import json

import pytest

from assistant.guide.codes import Explanation
from assistant.render.cells import width
from assistant.render.codes import terminal, to_dict

ROW = Explanation(
    code="EI0006", name="LINK_TIMEOUT", known="code", title="A link timed out (EI0006)",
    meaning="The peer did not come. " * 6, usually="consequence", category="hccl",
    severity="error", causes=("It failed", "It is late"),
    steps=("Read `less worker_0.log` " + "slowly " * 20,), article="link-codes",
    article_title="Reading link codes", family="Links", references=("A document",))
FAMILY = Explanation(
    code="EI0099", name="", known="family", title="Links", meaning="Read on.", usually="",
    category="", severity="", causes=(), steps=(), article="link-codes", article_title="",
    family="Links", references=())


def test_a_row() -> None:
    lines = terminal([ROW], "en").splitlines()
    assert lines[:3] == ["A link timed out (EI0006)",
                         "LINK_TIMEOUT, Links, hccl, error, usually a consequence", ""]
    assert "From    1. It failed" in lines
    assert "        2. It is late" in lines
    assert "To do   1. Read `less worker_0.log` slowly slowly" in "\n".join(lines)
    assert lines[-1] == "More    kbtriage kb show link-codes Reading link codes"


def test_a_family_says_that_it_is_one() -> None:
    text = terminal([FAMILY], "en")
    assert text.startswith("EI0099 Links\na code without an entry of its own")
    assert "From" not in text and "To do" not in text


def test_in_chinese() -> None:
    text = terminal([ROW, FAMILY], "zh")
    assert "通常是后果" in text and "含义" in text and "没有单独条目" in text


@pytest.mark.parametrize("cells", [40, 80, 120])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_nothing_is_wider_than_asked(cells: int, lang: str) -> None:
    assert all(width(line) <= cells for line in terminal([ROW, FAMILY], lang, cells).splitlines())


def test_nothing_acts_on_the_terminal() -> None:
    assert "\x1b" not in terminal([Explanation(**{**json.loads(json.dumps(
        to_dict([ROW], {}, "en")["codes"][0])), "title": "\x1b[31m", "causes": ("\x1b[1m",),
        "steps": (), "references": ()})], "en")
    assert "\x1b[1m" in terminal([ROW], "en", colour=True)


def test_none() -> None:
    assert terminal([], "en") == ""


def test_for_programs() -> None:
    value = json.loads(json.dumps(to_dict([ROW], {"EX1": ("EI0006",), "x": ()}, "zh")))
    assert value["schema"] == "kbtriage.codes/1" and value["lang"] == "zh"
    assert value["codes"][0]["causes"] == ["It failed", "It is late"]
    assert set(value["codes"][0]) == {
        "code", "name", "known", "title", "meaning", "usually", "category", "severity", "causes",
        "steps", "article", "article_title", "family", "references"}
    assert value["unknown"] == [{"code": "EX1", "near": ["EI0006"]}, {"code": "x", "near": []}]
