"""The reference of the files that people write, made from their schemas.

    python -m assistant.authoring.reference        writes docs/rule-reference.md and .zh.md

Descriptions stand in the schemas, in English; schema/zh.json has them in Chinese.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from assistant.rules.schema import KINDS, schema_text

Node = Mapping[str, Any]

#: The parts of the rule schema that are shown, in order; signals follow in theirs.
_PARTS = ("relation", "test", "expectation")
#: (English, Chinese) words of the page itself.
_WORDS = {
    "title": ("Reference of the files of a pack", "规则包文件参考"),
    "intro": ("Made from the JSON Schemas (`kbtriage schema KIND`) by "
              "`python -m assistant.authoring.reference`; do not edit it. What the keys mean in "
              "their context stands in [The rule language](rules.md).",
              "本页由 `python -m assistant.authoring.reference` 根据 JSON Schema"
              "（`kbtriage schema KIND`）生成，请勿手工修改。"
              "各键的含义与用法另见[规则语言](rules.zh.md)。"),
    "key": ("key", "键"), "value": ("value", "取值"), "meaning": ("meaning", "含义"),
    "example": ("example", "示例"), "needed": ("must be given", "必填"),
    "rule": ("A rule", "规则"), "relation": ("An entry of `explains`", "`explains` 的一项"),
    "test": ("A test", "测试"), "expectation": ("What a test expects (`expect`)",
                                                "测试的期望（`expect`）"),
    "signals": ("Signals", "信号"), "signal": ("`{head}` signal", "`{head}` 信号"),
    "tests": ("NAME.test.yaml: tests beside a rule", "NAME.test.yaml：与规则并列的测试"),
    "case": ("cases/NAME/expect.yaml: a case of a pack", "cases/NAME/expect.yaml：规则包的用例"),
    "landmarks": ("landmarks.yaml: lines that tell progress", "landmarks.yaml：体现进度的日志行"),
    "catalogue": ("A catalogue of error codes", "错误码目录"),
    "pack": ("pack.yaml", "pack.yaml"), "site": ("site.yaml", "site.yaml"),
    "string": ("text", "文本"), "integer": ("whole number", "整数"), "number": ("number", "数值"),
    "boolean": ("`true` or `false`", "`true` 或 `false`"), "array": ("list", "列表"),
    "object": ("mapping", "映射"), "or": (" or ", " 或 "), "list-of": ("list of: ", "列表，每项："),
    "since": ("Since kbtriage {version}.", "自 kbtriage {version} 起。"),
}


class Page:
    """The reference in one language. Raises KeyError where a description has no Chinese."""

    def __init__(self, lang: str) -> None:
        self._column = 1 if lang == "zh" else 0
        self._chinese = chinese() if lang == "zh" else {}

    def text(self) -> str:
        """The whole page, ending with a line end."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        yield from (f"# {self.word('title')}", "", self.word("intro"))
        rules: Node = json.loads(schema_text("rule"))
        yield from self._table("##", self.word("rule"), rules["$defs"]["rule"], rules)
        yield from ("", f"## {self.word('signals')}")
        for ref in rules["$defs"]["signal"]["oneOf"]:
            signal = _resolved(ref, rules)
            head = self.word("signal").format(head=signal["required"][0])
            yield from self._table("###", head, signal, rules)
        for name in _PARTS:
            yield from self._table("##", self.word(name), rules["$defs"][name], rules)
        for kind in KINDS[1:]:
            schema: Node = json.loads(schema_text(kind))
            yield from self._table("##", self.word(kind), schema, schema)

    def word(self, key: str) -> str:
        """A word of the page itself."""
        return _WORDS[key][self._column]

    def _table(self, level: str, title: str, node: Node, root: Node) -> Iterator[str]:
        yield from ("", f"{level} {title}", "")
        about = node.get("description")
        if about and node is not root:
            yield from (self.said(about), "")
        yield (f"| {self.word('key')} | {self.word('value')} | {self.word('meaning')} | "
               f"{self.word('example')} |")
        yield "|---|---|---|---|"
        for key, inner in rows(node, root):
            needed = f" ({self.word('needed')})" if key in node.get("required", ()) else ""
            if "." in key:
                needed = ""
            yield (f"| `{key}`{needed} | {self._value(inner, root)} | "
                   f"{_cell(self.said(inner.get('description', '')))} | {_example(inner)} |")

    def said(self, description: str) -> str:
        """A description in the language of the page."""
        return self._chinese[description] if self._column and description else description

    def _value(self, node: Node, root: Node) -> str:
        node = _resolved(node, root)
        if "const" in node:
            return f"`{node['const']}`"
        if "enum" in node:
            return ", ".join(f"`{value}`" for value in node["enum"])
        for key in ("anyOf", "oneOf"):
            if key in node:
                found = dict.fromkeys(self._value(part, root) for part in node[key])
                return self.word("or").join(found)
        kind = node.get("type")
        if kind == "array":
            items = self._value(node.get("items", {}), root)
            return f"{self.word('list-of')}{items}" if items else self.word("array")
        if isinstance(kind, list):
            return self.word("or").join(self.word(one) for one in kind)
        return self.word(kind) if kind else ""


def rows(node: Node, root: Node, before: str = "") -> Iterator[tuple[str, Node]]:
    """The keys of a mapping, and those of mappings below it that have no part of their own."""
    for key, value in node.get("properties", {}).items():
        whole: Node = {**_resolved(value, root), **value}
        yield f"{before}{key}", whole
        inner: Node = whole
        if "items" in inner:
            inner = _resolved(inner["items"], root)
        elif isinstance(inner.get("additionalProperties"), dict):
            inner = _resolved(inner["additionalProperties"], root)
        if "properties" in inner and not _has_own_part(inner, root) and before.count(".") < 3:
            yield from rows(inner, root, f"{before}{key}.")


def _has_own_part(node: Node, root: Node) -> bool:
    own = root.get("$defs", {})
    return any(own.get(name) == node for name in ("rule", "signal", *_PARTS)) and "rule" in own


def _resolved(node: Node, root: Node) -> Node:
    while "$ref" in node:
        target: Any = root
        for part in str(node["$ref"]).removeprefix("#/").split("/"):
            target = target[part]
        node = {**target, **{key: value for key, value in node.items() if key != "$ref"}}
    return node


def _example(node: Node) -> str:
    examples = node.get("examples", ())
    if not examples:
        return ""
    text = json.dumps(examples[0], ensure_ascii=False)
    if isinstance(examples[0], str):
        text = examples[0]
    return f"`` {_cell(text)} ``" if "`" in text else f"`{_cell(text)}`"


def _cell(text: str) -> str:
    return text.replace("\n", " ").replace("|", "\\|")


def chinese() -> Mapping[str, str]:
    """English description to Chinese."""
    folder = resources.files("assistant.rules") / "schema"
    found: Mapping[str, str] = json.loads((folder / "zh.json").read_text("utf-8"))
    return found


def descriptions() -> set[str]:
    """All descriptions that the pages show."""
    found: set[str] = set()

    def walk(node: Any) -> None:
        if isinstance(node, dict):
            if isinstance(node.get("description"), str):
                found.add(node["description"])
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    for kind in KINDS:
        walk(json.loads(schema_text(kind)))
    return found


def main(folder: Path) -> int:
    """Write both pages into a folder."""
    for lang, name in (("en", "rule-reference.md"), ("zh", "rule-reference.zh.md")):
        (folder / name).write_text(Page(lang).text(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs")))
