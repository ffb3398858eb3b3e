"""The files of a draft as text: a rule in YAML, an article in Markdown."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from assistant.authoring.generalise import Generalised

#: What marks a text that somebody has yet to write; the linter warns of it.
TO_WRITE = "TODO"
#: Longest line of a log that is put into a test.
_WIDEST = 1000

_RULE = """\
{schema}# Drafted from a line of a log: read the expression, shorten it to what makes the symptom.
id: {id}
title:
  en: {en}
  zh: {zh}
category: {category}
severity: error
article: {article}
signals:
  {name}: {signal}
when: {name}
tests:
  - name: "as logged"
    logs:
      {log}: {lines}
    expect: {expect}
  - name: "healthy lines"
    logs:
      {healthy_log}: {healthy}
    expect: none
"""

_EN = """\
---
title: {title}
category: {category}
---
## What it means
TODO: say in a paragraph what happened, for somebody in a hurry.

## How to be sure
TODO: a command that tells it from what looks like it.

## What to do
1. Read what stands around it: `less +{{top}} {{log_dir}}/{{file}}`
2. TODO: the command that mends it, and how success looks.

## If it was not that
TODO: where to go on.

## How to avoid it
TODO: what to check before the next job, or remove this section.

## References
- TODO: document and version, or remove this section.
"""

_ZH = """\
---
title: {title}
category: {category}
---
## 含义
TODO：用一段话说明发生了什么，供急用的人阅读。

## 如何确认
TODO：用一条命令与相似现象区分。

## 处理步骤
1. 查看前后日志：`less +{{top}} {{log_dir}}/{{file}}`
2. TODO：修复命令，以及成功时的表现。

## 若不是这个原因
TODO：接下来查什么。

## 如何避免
TODO：下次任务前检查什么；没有则删去本节。

## 参考资料
- TODO：文档及版本；没有则删去本节。
"""


def rule_text(rule_id: str, article: str, shape: Generalised, signal: Mapping[str, str], *,
              log: str, lines: Sequence[str], line: int, healthy: Sequence[str],
              healthy_log: str, schema: str) -> str:
    """The file of a rule with its two tests.

    Args:
        signal: its keys and values. log, lines: name and lines of the matching test's log, of
            which `line` (1-based) is the evidence. healthy, healthy_log: those of the other.
        schema: where the editor finds the schema; "": it is not said.
    """
    title = shape.title or article.replace("-", " ")
    expect: dict[str, object] = {"line": f"{log}:{line}"}
    if shape.captures:
        expect["captures"] = shape.captures
    return _RULE.format(
        schema=f"# yaml-language-server: $schema={schema}\n" if schema else "",
        id=rule_id, en=quoted(title), zh=quoted(f"{TO_WRITE}：{title}"),
        category=rule_id.partition(".")[0], article=article,
        name="event" if "log" not in signal else "line", signal=_flow(signal), log=log,
        lines=_block(lines), expect=json.dumps(expect, ensure_ascii=False),
        healthy_log=healthy_log, healthy=_block(healthy or ["training goes on"]))


def article_text(lang: str, title: str, category: str) -> str:
    """The skeleton of an article in one language."""
    plain = re.sub(r"\w*[-=:#]?\{\w+\}", "...", title)  # the article is on all values
    if lang == "en":
        return _EN.format(title=quoted(plain), category=category)
    return _ZH.format(title=quoted(f"{TO_WRITE}：{plain}"), category=category)


def quoted(text: str) -> str:
    """A text in double quotes; what YAML cannot hold is escaped."""
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" if ord(c) < 0x10000 else " "
                   for c in json.dumps(text, ensure_ascii=False))


def _flow(signal: Mapping[str, str]) -> str:
    """A signal on one line; expressions stand in single quotes, where a backslash is itself."""
    plain = {"in", "level", "component", "block"}
    return "{" + ", ".join(
        f"{key}: {value}" if key in plain else f"{key}: " + "'" + value.replace("'", "''") + "'"
        for key, value in signal.items()) + "}"


def _block(lines: Sequence[str]) -> str:
    """Lines of a log as a literal block, or in quotes where a block could not hold them."""
    # A line that begins with `+5` would be read as one of a time line.
    kept = [(" " + line if re.match(r"\+\d", line) else line)[:_WIDEST] for line in lines]
    if all(line.replace("\t", " ").isprintable() and line.strip() for line in kept):
        indent = "\n" + " " * 8
        # a first line that begins with a blank hides where the text begins
        mark = "|2" if kept[0][:1].isspace() else "|"
        return mark + indent + indent.join(kept)
    return quoted("\n".join(kept) + "\n")
