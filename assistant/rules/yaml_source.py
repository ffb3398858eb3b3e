"""YAML text -> plain values, with a position for every key and every value.

Only what a rule needs of YAML is understood: mappings, lists, text, numbers, `true`,
`false` and nothing. No tags, no merge keys, few aliases, no key twice. A word that YAML 1.1
turns into something else (`on`, `no`, a bare date, `010`, `1:30`) is a problem by itself
and is kept as the text that was written, so that it can never change a rule's meaning.

Nothing here raises on any text: whatever is wrong is in `Document.problems`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from assistant.rules.types import Position, Problem
from assistant.rules.yaml_errors import explain, typographic
from assistant.rules.yaml_text import BREAK, Span, index_of, lines_of, place_of

if TYPE_CHECKING:
    import yaml

#: Where a value stands: keys and list indices from the top of the document.
Path = tuple[str | int, ...]

#: How often aliases (`*name`) may be used in one file.
MAX_ALIASES = 64
#: How many values one file may hold once its aliases are written out.
MAX_VALUES = 200_000
#: How deep values may be nested.
MAX_DEPTH = 40
#: Longest file, in characters.
MAX_LENGTH = 8_000_000

_TAG = "tag:yaml.org,2002:"
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})\Z")
_FLOAT = re.compile(r"[-+]?(?:[0-9]{1,18}\.[0-9]{0,40}|\.[0-9]{1,40})(?:[eE][-+][0-9]{1,3})?\Z")


@dataclass(frozen=True)
class Document:
    """One YAML file as plain values.

    Attributes:
        file: the name to show.
        text: its text.
        value: dicts with text keys, lists, str, int, float, bool and None.
        spans: where each value stands, by path; the path of the whole document is `()`.
        keys: where each key of a mapping stands, by the path of its value.
        traps: paths of values that YAML 1.1 would have turned into something else.
        problems: what is wrong; the value is None if the file could not be read at all.
    """

    file: str
    text: str
    value: Any = None
    spans: Mapping[Path, Span] = field(default_factory=dict)
    keys: Mapping[Path, Position] = field(default_factory=dict)
    traps: frozenset[Path] = frozenset()
    problems: tuple[Problem, ...] = ()

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The text's lines, without line ends; line N of a position is `lines[N - 1]`."""
        return tuple(lines_of(self.text))

    def at(self, path: Path) -> Position:
        """Where the value at `path` begins; of the nearest value around it, if there is none."""
        while path and path not in self.spans:
            path = path[:-1]
        span = self.spans.get(path)
        return Position(self.file, span.line, span.column) if span else Position(self.file, 1, 1)

    def key(self, path: Path) -> Position:
        """Where the key of the value at `path` stands; the value itself for list items."""
        return self.keys.get(path) or self.at(path)

    def inside(self, path: Path, offset: int) -> Position:
        """Where character `offset` of the text at `path` stands in the file."""
        span = self.spans.get(path)
        if span is None:
            return self.at(path)
        index = index_of(self.text, span, offset)
        breaks = list(BREAK.finditer(self.text, span.start, index))
        if not breaks:
            return Position(self.file, span.line, span.column + index - span.start)
        return Position(self.file, span.line + len(breaks), index - breaks[-1].end() + 1)


def read_bytes(data: bytes, file: str) -> Document:
    """The document in `data`, which must be UTF-8; `file` is the name to show."""
    try:
        return read(data.decode("utf-8-sig"), file)
    except UnicodeDecodeError as error:
        before = data[:error.start].decode("utf-8", "replace")
        problem = Problem(Position(file, *place_of(before, len(before))), "not-utf8", "error",
                          "the file is not UTF-8 text", "save it as UTF-8")
        return Document(file, data.decode("utf-8", "replace"), problems=(problem,))


def read(text: str, file: str) -> Document:
    """The document in `text`; `file` is the name to show."""
    def failed(problem: Problem) -> Document:
        return Document(file, text, problems=(problem,))

    start = Position(file, 1, 1)
    if len(text) > MAX_LENGTH:
        return failed(Problem(start, "too-large", "error",
                              f"the file holds more than {MAX_LENGTH:,} characters",
                              "split it into several files"))
    if not text.strip():
        return failed(Problem(start, "empty-file", "error", "the file is empty",
                              "write a rule into it, or remove it"))
    nodes, problem = _compose(text, file)
    if problem is not None:
        return failed(problem)
    if not nodes:
        return failed(Problem(start, "empty-file", "error", "the file holds nothing but comments",
                              "write a rule into it, or remove it"))
    builder = _Builder(file)
    value = builder.value(nodes[0], ())
    if builder.stopped:
        return failed(builder.problems[-1])
    if len(nodes) > 1:
        mark = nodes[1].start_mark
        builder.problems.append(Problem(
            Position(file, mark.line + 1, mark.column + 1), "several-documents", "error",
            "a second YAML document begins here (after `---`)",
            "put several rules into one list under the key `rules:`"))
    return Document(file, text, value, builder.spans, builder.keys,
                    frozenset(builder.traps), tuple(builder.problems))


def _compose(text: str, file: str) -> tuple[list[yaml.Node], Problem | None]:
    """The nodes of at most two documents, or what is wrong with the text.

    libyaml's parser is ten times as fast; PyYAML's own has the better messages, so that
    it is asked when the former fails.
    """
    import yaml

    fast = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _nodes(fast(text)), None
    except Exception as error:  # whatever a parser trips over is the text's fault
        first: Exception = error
    try:
        _nodes(yaml.SafeLoader(text))
    except Exception as error:
        first = error
    return [], explain(first, text, file)


def _nodes(loader: Any) -> list[yaml.Node]:
    nodes: list[yaml.Node] = []
    try:
        while len(nodes) < 2 and loader.check_node():
            nodes.append(loader.get_node())
    finally:
        loader.dispose()
    return nodes


class _Builder:
    """Turns composed nodes into plain values and collects positions and problems."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.spans: dict[Path, Span] = {}
        self.keys: dict[Path, Position] = {}
        self.traps: set[Path] = set()
        self.problems: list[Problem] = []
        self._seen: set[int] = set()
        self._open: list[int] = []
        self._aliases = 0
        self._values = 0
        self.stopped = False

    def value(self, node: Any, path: Path) -> Any:
        """The plain value of a node; whatever is wrong with it is noted."""
        position = self._position(node)
        mark = node.start_mark
        self.spans[path] = Span(mark.index, node.end_mark.index, mark.line + 1, mark.column + 1,
                                _style(node))
        if not self._bounded(node, position, path):
            return None
        kind = node.id
        if not node.tag.startswith(_TAG) or node.tag[len(_TAG):] not in _KINDS[kind]:
            self._problem(position, "tag", f"the tag `{_tag(node.tag)}` is not allowed",
                          "write the value without a tag")
        if kind == "scalar":
            return self._scalar(node, position, path)
        self._open.append(id(node))
        value = (self._list if kind == "sequence" else self._mapping)(node, path)
        self._open.pop()
        return value

    def _bounded(self, node: Any, position: Position, path: Path) -> bool:
        if self.stopped:
            return False
        self._values += 1
        # The node of an alias is that of its anchor: what surrounds it is nearer to the place.
        around = self.spans.get(path[:-1])
        if around is not None:
            position = Position(self.file, around.line, around.column)
        if id(node) in self._open:
            self.traps.add(path)
            self._problem(position, "alias", "this alias stands inside what it repeats",
                          "write the value out")
            return False
        if id(node) in self._seen:
            self._aliases += 1
        self._seen.add(id(node))
        if self._aliases > MAX_ALIASES or self._values > MAX_VALUES:
            self.stopped = True
            self._problem(position, "alias", "aliases (`*name`) repeat too much here: the file "
                          f"may use {MAX_ALIASES} at most", "write the values out")
            return False
        if len(path) > MAX_DEPTH:
            self._problem(position, "too-deep", f"values are nested deeper than {MAX_DEPTH} levels",
                          "a rule needs no more than six")
            return False
        return True

    def _list(self, node: Any, path: Path) -> list[Any]:
        return [self.value(item, (*path, number)) for number, item in enumerate(node.value)]

    def _mapping(self, node: Any, path: Path) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key_node, value_node in node.value:
            position = self._position(key_node)
            key = self._key(key_node, position)
            if key is None:
                continue
            here = (*path, key)
            if key in result:
                first = self.keys[here]
                self._problem(position, "duplicate-key",
                              f"`{_short(key)}` is given twice; first on line {first.line}",
                              "keep one of them; another item of a list begins with `- `")
                continue
            self.keys[here] = position
            result[key] = self.value(value_node, here)
        return result

    def _key(self, node: Any, position: Position) -> str | None:
        if node.id != "scalar":
            self._problem(position, "bad-key", "a key must be one word, not a list or a mapping",
                          "if braces are part of a text, put the text in quotes")
            return None
        text = str(node.value)
        if not _style(node):
            if text == "<<":
                self._problem(position, "merge-key", "merge keys (`<<`) are not supported",
                              "write the keys out")
                return None
            if node.tag == _TAG + "null":
                self._problem(position, "bad-key", "a key is missing before the colon",
                              "write `key: value`")
                return None
            if "：" in text:
                self._problem(Position(self.file, position.line,
                                       position.column + text.index("：")), "full-width",
                              "`：` is full-width punctuation, which means nothing to YAML",
                              "write `:` and a blank; in a text put all of it in quotes")
                return None
            trap = _trap(node.tag, text)
            if trap:
                self._problem(position, "yaml-trap", f"the key `{_short(text)}` is {trap}",
                              f'put it in quotes: "{_short(text)}"')
        return text

    def _scalar(self, node: Any, position: Position, path: Path) -> Any:
        text = str(node.value)
        if not _style(node) and typographic(text):
            self._problem(position, "full-width", "these quotes are part of the text: YAML knows "
                          "the straight ones only", "write ' or \" in their place")
        if _style(node) or node.tag == _TAG + "str":
            return text
        if node.tag == _TAG + "null":
            return None
        trap = _trap(node.tag, text)
        if trap:
            self.traps.add(path)
            self._problem(position, "yaml-trap", f"`{_short(text)}` is {trap}",
                          f'put it in quotes if text is meant: "{_short(text)}"; '
                          + _PLAIN.get(node.tag[len(_TAG):], "else write a plain number"))
            return text
        if node.tag == _TAG + "bool":
            return text.lower() == "true"
        if node.tag == _TAG + "int":
            return int(text)
        if node.tag == _TAG + "float":
            return float(text)
        return text

    def _position(self, node: Any) -> Position:
        return Position(self.file, node.start_mark.line + 1, node.start_mark.column + 1)

    def _problem(self, position: Position, code: str, message: str, cure: str) -> None:
        self.problems.append(Problem(position, code, "error", message, cure))


def _style(node: Any) -> str:
    """How a scalar is quoted, empty for plain text; the two parsers say that differently."""
    style = getattr(node, "style", None)
    return style if style in ("'", '"', "|", ">") else ""


_KINDS = {
    "scalar": ("str", "int", "float", "bool", "null", "timestamp", "merge", "value"),
    "sequence": ("seq",),
    "mapping": ("map",),
}
_PLAIN = {"bool": "else write true or false", "timestamp": "a date is text here"}


def _trap(tag: str, text: str) -> str | None:
    """What YAML 1.1 would make of a plain word, or None if it means what it seems to."""
    kind = tag[len(_TAG):]
    lower = text.lower()
    if kind == "bool" and lower not in ("true", "false"):
        return f"read by YAML as {str(lower in ('yes', 'on')).lower()}"
    if kind == "timestamp":
        return "read by YAML as a date"
    if kind not in ("int", "float") or _INT.match(text) or _FLOAT.match(text):
        return None
    if ":" in text:
        return "read by YAML as a number of base 60"
    if lower.lstrip("+-").startswith("0x"):
        return "read by YAML as a hexadecimal number"
    if lower.lstrip("+-").startswith("0b"):
        return "read by YAML as a binary number"
    if "_" in text:
        return "read by YAML as a number without its underscores"
    if kind == "float":
        return "read by YAML as a special number"
    if text.lstrip("+-").startswith("0"):
        return "read by YAML as an octal number"
    return "too long for a number"


def _tag(tag: str) -> str:
    return _short("!!" + tag[len(_TAG):] if tag.startswith(_TAG) else tag)


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."
