from __future__ import annotations

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from assistant.guide.articles import parse

GOOD = """---
title: A worker raised an exception
category: user-code
---
## What it means
Python raised an exception
that nothing caught.

A second paragraph with **force**.

## How to be sure
Look.

## What to do
1. Read the traceback: `less +{line} {file}`
2. Mend `{frame_file}`.

## If it was not that
- Look at [the memory](https://example.org/x).

## References
- MindSpore 2.10
"""


def test_a_good_article_in_english() -> None:
    article, problems = parse(GOOD, "user-exception", "en", "kb/en/user-exception.md")
    assert problems == []
    assert (article.id, article.lang, article.title) == (
        "user-exception", "en", "A worker raised an exception")
    assert article.category == "user-code"
    assert article.meaning == ("Python raised an exception that nothing caught.\n\n"
                               "A second paragraph with force.")
    assert article.steps == ("Read the traceback: `less +{line} {file}`", "Mend `{frame_file}`.")
    assert [GOOD.split("\n")[line - 1][:2] for line in article.step_lines] == ["1.", "2."]
    assert article.otherwise == "- Look at the memory (https://example.org/x)."
    assert list(article.sections) == ["meaning", "check", "steps", "otherwise", "references"]
    assert article.sections["check"].text.strip() == "Look."


def test_chinese_headings_are_known_and_lines_join_without_a_blank() -> None:
    text = ("---\ntitle: 工作进程抛出异常\ncategory: user-code\n---\n"
            "## 含义\n进程抛出了异常，\n没有被捕获。\n"
            "## 处理步骤\n1. 查看\n   日志 `less {file}`\n")
    article, problems = parse(text, "x", "zh")
    assert problems == []
    assert article.meaning == "进程抛出了异常，没有被捕获。"
    assert article.steps == ("查看日志 `less {file}`",)


@pytest.mark.parametrize(("old", "new", "code", "line"), [
    ("---\ntitle", "title", "article-front-matter", 1),
    ("category: user-code\n---\n", "category: user-code\n", "article-front-matter", 1),
    ("title: A", "title: A: b", "article-front-matter", 2),
    ("title: A worker raised an exception\n", "", "article-title", 1),
    ("title: A worker", "title: [A, b] #", "article-title", 1),
    ("category: user-code", "category: users", "article-category", 1),
    ("category: user-code\n", "", "article-category", 1),
    ("## What it means", "## What it mean", "article-section", 5),
    ("## What it means", "## Contents", "article-heading", 5),
    ("## What it means", "## Contents", "article-section", 1),
    ("## What to do", "### What to do", "article-section", 14),
    ("## How to be sure", "## How to be shure", "article-heading", 11),
    ("## How to be sure", "## What it means", "article-heading", 11),
    ("1. Read", "Read", "article-stray-text", 15),
    ("1. Read the traceback: `less +{line} {file}`\n2. Mend `{frame_file}`.", "",
     "article-no-steps", 15),
])
def test_a_bad_article_is_told_with_its_line(old: str, new: str, code: str, line: int) -> None:
    assert old in GOOD
    _, problems = parse(GOOD.replace(old, new, 1), "x", "en", "kb/en/x.md")
    assert (code, line) in [(p.code, p.position.line) for p in problems]
    assert all(p.position.file == "kb/en/x.md" for p in problems)


def test_headings_inside_fenced_code_are_text() -> None:
    text = GOOD.replace("Look.\n", "```\n## What it means\n```\n")
    article, problems = parse(text, "x", "en")
    assert problems == []
    assert "## What it means" in article.sections["check"].text


@given(st.text())
def test_any_text_is_survived(text: str) -> None:
    article, problems = parse(text, "x", "en")
    assert article.title
    assert problems or article.steps


WORDS = st.text(st.sampled_from("ab é中“:#'\"-[]{},&*!|>%@`~?=\\0.T yesno"), max_size=12)


@given(st.dictionaries(st.sampled_from(["title", "category", "owner"]), WORDS, max_size=3))
@example({"title": "yes"})
@example({"title": "a #b"})
@example({"title": "a: b"})
def test_front_matter_is_read_as_yaml_reads_it(values: dict[str, str]) -> None:
    lines = "\n".join(f"{key}: {value}" for key, value in values.items())
    try:
        expected = yaml.safe_load(lines)
    except (yaml.YAMLError, ValueError):
        expected = None
    article, _ = parse(f"---\n{lines}\n---\n", "x", "en")
    assert article.front == (expected if isinstance(expected, dict) else {})


@pytest.mark.parametrize("old,new", [
    ("## What to do", "## What to Do now"), ("## What to do", "# What to do"),
    ("category: user-code\n---", "category: user-code"), ("title: ", "title: One: "),
])
def test_one_mistake_is_told_once(old: str, new: str) -> None:
    assert old in GOOD
    _, problems = parse(GOOD.replace(old, new, 1), "x", "en", "kb/en/x.md")
    assert len(problems) == 1, problems
