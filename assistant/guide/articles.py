"""One article of the knowledge base: YAML front matter, named sections, and the steps.

```markdown
---
title: A worker ended with an exception of its own script
category: user-code
---
## What it means
...
## What to do
1. Read the traceback: `less +{top} {log_dir}/{file}`
2. ...
```

Parsing never raises on a bad article: what is wrong comes back as problems with positions,
so that one broken page of a pack costs that page only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assistant.guide.steps import Step, paragraphs, read_steps
from assistant.rules.suggest import closest
from assistant.rules.types import CATEGORIES, Position, Problem

#: Section key to its heading in each language, in the order in which an article has them.
HEADINGS: Mapping[str, Mapping[str, str]] = {
    "meaning": {"en": "What it means", "zh": "含义"},
    "check": {"en": "How to be sure", "zh": "如何确认"},
    "steps": {"en": "What to do", "zh": "处理步骤"},
    "otherwise": {"en": "If it was not that", "zh": "若不是这个原因"},
    "avoid": {"en": "How to avoid it", "zh": "如何避免"},
    "references": {"en": "References", "zh": "参考资料"},
}
#: Sections without which an article cannot guide anybody.
REQUIRED = ("meaning", "steps")

_KEYS = {heading.casefold(): key for key, names in HEADINGS.items() for heading in names.values()}
_HEADING = re.compile(r"##[ \t]+(.+?)[ \t]*#*[ \t]*$")
#: A heading of another level than that of sections.
_OTHER_LEVEL = re.compile(r"(?:#|###+)[ \t]+(.+?)[ \t]*#*[ \t]*$")
#: A line of front matter that YAML reads as a key and a text, and no more.
_SIMPLE = re.compile(r"""(?P<key>[a-z_]+):[ ]+(?:"(?P<quoted>[^"\\]+)"
    |(?P<value>[^\W\d_](?:[^:#\s]|:(?=\S)|[ ](?=[^ #]))*))""", re.VERBOSE)
_NOT_TEXT = frozenset(("true", "false", "yes", "no", "on", "off", "null", "y", "n"))
_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class Section:
    """The Markdown below one `##` heading; `line` is that of its first line of content."""

    heading: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Article:
    """An article in one language, its text not yet filled in.

    Attributes:
        id: name of its file without the suffix.
        lang: language it is written in.
        title: one line. category: one of rules.types.CATEGORIES.
        meaning, otherwise: the sections of that name as plain paragraphs, "" if there is none.
        steps: the items of "What to do", a line each, commands in backticks.
        step_lines: line of the file on which each of the steps begins.
        sections: key of HEADINGS to the section as written.
        front: the front matter as read.
        file: where it comes from, for messages.
    """

    id: str
    lang: str
    title: str
    category: str
    meaning: str
    steps: tuple[str, ...]
    otherwise: str = ""
    step_lines: tuple[int, ...] = ()
    sections: Mapping[str, Section] = field(default_factory=dict)
    front: Mapping[str, Any] = field(default_factory=dict)
    file: str = ""


def parse(text: str, article_id: str, lang: str, file: str = "") -> tuple[Article, list[Problem]]:
    """Read an article; whatever is missing stays empty and is told as a problem."""
    problems: list[Problem] = []

    def wrong(line: int, code: str, message: str, cure: str, level: str = "error") -> None:
        problems.append(Problem(Position(file, line, 1), code, level, message, cure))

    lines = text.removeprefix("\ufeff").splitlines()
    front, body = _front_matter(lines, wrong)
    title = _text_of(front, "title")
    category = _text_of(front, "category")
    # Of front matter that cannot be read no more is said than that.
    if not title and not problems:
        wrong(1, "article-title", "the article has no title", "write `title: ...` at its top")
    if category not in CATEGORIES and not any(
            one.code == "article-front-matter" for one in problems):
        wrong(1, "article-category", f"`{category}` is not a category" if category
              else "the article has no category", "use one of: " + ", ".join(CATEGORIES))
    sections = _sections(lines, body, wrong)
    for key in REQUIRED:
        heading = HEADINGS[key].get(lang, HEADINGS[key]["en"])
        if key not in sections and not any(f"`## {heading}`" in one.cure for one in problems):
            wrong(1, "article-section", f"the section `## {heading}` is missing",
                  f"write `## {heading}` and its text")
    steps: tuple[Step, ...] = ()
    if "steps" in sections:
        steps, stray = read_steps(sections["steps"].text, sections["steps"].line)
        for line in stray:
            wrong(line, "article-stray-text", "this text belongs to no step of the ordered list",
                  "indent it below its item, or start it with a number", "warning")
        if not steps:
            wrong(sections["steps"].line, "article-no-steps", "the section holds no ordered list",
                  "write each step as an item: `1. ...`")

    def plain(key: str) -> str:
        return paragraphs(sections[key].text) if key in sections else ""

    article = Article(article_id, lang, title or article_id, category, plain("meaning"),
                      tuple(step.text for step in steps), plain("otherwise"),
                      tuple(step.line for step in steps), sections, front, file)
    return article, problems


def _text_of(front: Mapping[str, Any], key: str) -> str:
    value = front.get(key)
    return " ".join(value.split()) if isinstance(value, str) else ""


def _front_matter(lines: list[str], wrong: Any) -> tuple[dict[str, Any], int]:
    """The mapping between the first two `---` lines, and the index of the line after it."""
    if not lines or lines[0].rstrip() != "---":
        wrong(1, "article-front-matter", "the article does not begin with front matter",
              "begin it with `---`, `title: ...`, `category: ...`, `---`")
        return {}, 0
    end = next((i for i, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), None)
    if end is None:
        wrong(1, "article-front-matter", "the front matter is not closed", "close it with `---`")
        return {}, 1
    if (simple := _simple_front(lines[1:end])) is not None:
        return simple, end + 1
    import yaml

    try:
        front = yaml.safe_load("\n".join(lines[1:end]))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or "not YAML"
        wrong(2 + (mark.line if mark else 0), "article-front-matter",
              f"the front matter cannot be read: {reason}",
              "put a value that holds `: ` or `#` into quotes")
        return {}, end + 1
    if not isinstance(front, dict):
        wrong(2, "article-front-matter", "the front matter is not a list of `key: value`",
              "write `title: ...` and `category: ...`, a line each")
        return {}, end + 1
    return {str(key): value for key, value in front.items()}, end + 1


def _simple_front(lines: list[str]) -> dict[str, Any] | None:
    """Front matter that is nothing but `key: words`, read without the YAML parser, which
    takes longer to import than to check a job. None where YAML may see more in it."""
    front: dict[str, Any] = {}
    for line in lines:
        match = _SIMPLE.fullmatch(line)
        if not match or not line.isprintable() or match["key"] in front:
            return None
        if match["quoted"] is None and match["value"].casefold() in _NOT_TEXT:
            return None
        front[match["key"]] = match["quoted"] or match["value"]
    return front


def _told(heading: str, message: str) -> tuple[str, str, str, str]:
    """Code, message, cure and level of a heading by which the section `heading` is meant: as
    bad as the lack of that section."""
    cure = f"write `## {heading}`"
    if _KEYS[heading.casefold()] in REQUIRED:
        return "article-section", message, cure, "error"
    return "article-heading", message, cure, "warning"


def _sections(lines: list[str], start: int, wrong: Any) -> dict[str, Section]:
    """Key to section, from the `##` headings that stand outside fenced code."""
    marks: list[tuple[int, str]] = []
    fence = ""
    for index in range(start, len(lines)):
        opening = _FENCE.match(lines[index])
        if opening and (not fence or opening[1].startswith(fence)):
            fence = "" if fence else opening[1]
        other = None if fence else _OTHER_LEVEL.match(lines[index])
        if other and other[1].casefold() in _KEYS:
            wrong(index + 1, *_told(other[1], f"`{other[1]}` has another level than sections have"))
        heading = None if fence else _HEADING.match(lines[index])
        if heading:
            marks.append((index, heading[1]))
    sections: dict[str, Section] = {}
    ends = [*(index for index, _ in marks), len(lines)][1:]
    for (index, heading_text), end in zip(marks, ends, strict=True):
        key = _KEYS.get(heading_text.casefold())
        if key is None:
            near = closest(heading_text, (name for n in HEADINGS.values() for name in n.values()))
            if near:
                wrong(index + 1, *_told(near, f"`{heading_text}` is not a section of an article"))
                continue
            wrong(index + 1, "article-heading", f"`{heading_text}` is not a section of an article",
                  "use one of: " + ", ".join(f"{n['en']} ({n['zh']})" for n in HEADINGS.values()),
                  "warning")
        elif key in sections:
            wrong(index + 1, "article-heading", f"the section `{heading_text}` stands twice",
                  "join the two")
        else:
            sections[key] = Section(heading_text, "\n".join(lines[index + 1:end]), index + 2)
    return sections
