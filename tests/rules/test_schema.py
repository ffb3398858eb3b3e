"""The shipped schemas: complete, documented, and in step with the Python types."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from assistant.rules import schema, schema_text, types

Node = dict[str, Any]
RULE: Node = json.loads(schema_text("rule"))


def resolve(root: Node, node: Node) -> Node:
    while "$ref" in node:
        target: Any = root
        for part in node["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        node = {**target, **{key: value for key, value in node.items() if key != "$ref"}}
    return node


def properties(node: Any, place: str = "") -> Iterator[tuple[str, Node]]:
    """Every key that a schema describes, with where it stands."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "properties":
                yield from ((f"{place}.{name}", about) for name, about in value.items())
            yield from properties(value, f"{place}.{key}")
    elif isinstance(node, list):
        for number, value in enumerate(node):
            yield from properties(value, f"{place}[{number}]")


@pytest.mark.parametrize("kind", schema.KINDS)
def test_schema_is_a_schema(kind: str) -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads(schema_text(kind)))


def test_no_other_kind() -> None:
    with pytest.raises(KeyError):
        schema_text("recipe")


@pytest.mark.parametrize("kind", schema.KINDS)
def test_every_key_is_described_and_its_examples_are_valid(kind: str) -> None:
    root = json.loads(schema_text(kind))
    found = 0
    for place, node in properties(root):
        about = resolve(root, node)
        assert about.get("description", "").strip(), place
        assert about.get("examples"), place
        if not place.endswith((".rules", ".signals", ".tests", ".codes")):
            alone = {"$schema": root["$schema"], "$defs": root.get("$defs", {}), **node}
            for example in about["examples"]:
                jsonschema.Draft202012Validator(alone).validate(example)
        found += 1
    assert found >= 3


@pytest.mark.parametrize("kind", schema.KINDS)
def test_unknown_keys_are_refused_everywhere(kind: str) -> None:
    def objects(node: Any) -> Iterator[Node]:
        if isinstance(node, dict):
            if "properties" in node:
                yield node
            for value in node.values():
                yield from objects(value)
        elif isinstance(node, list):
            for value in node:
                yield from objects(value)

    for node in objects(json.loads(schema_text(kind))):
        assert node.get("additionalProperties") is False, list(node["properties"])


def listed(*path: str) -> tuple[str, ...]:
    node: Any = RULE
    for part in path:
        node = resolve(RULE, node[part])
    return tuple(node["enum"])


@pytest.mark.parametrize(("path", "expected"), [
    (("$defs", "rule", "properties", "category"), types.CATEGORIES),
    (("$defs", "rule", "properties", "severity"), types.SEVERITIES),
    (("$defs", "rule", "properties", "verdict"), types.VERDICTS),
    (("$defs", "role"), types.ROLES),
    (("$defs", "one-level"), types.LEVELS),
    (("$defs", "one-state"), types.STATES),
    (("$defs", "event"), types.EVENT_KINDS),
    (("$defs", "reached-signal", "properties", "reached"), types.PHASES),
    (("$defs", "metric-signal", "properties", "is"), types.METRIC_TESTS),
    (("$defs", "file-signal", "properties", "file"), types.FILE_CONDITIONS),
], ids=lambda value: value[-1] if isinstance(value, tuple) else "")
def test_lists_are_those_of_the_types(path: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert listed(*path) == expected


def test_quantifiers_and_languages_are_those_of_the_types() -> None:
    ranks = RULE["$defs"]["ranks"]["anyOf"][0]["enum"]
    assert tuple(ranks) == types.QUANTIFIERS
    assert tuple(RULE["$defs"]["rule"]["properties"]["title"]["properties"]) == types.LANGUAGES


def test_no_word_is_a_yaml_trap() -> None:
    """Nobody should have to quote a key or a value of the language."""
    import yaml

    def words(node: Any) -> Iterator[str]:
        if isinstance(node, dict):
            yield from (str(word) for word in node.get("enum", ()))
            yield from node.get("properties", {})
            for value in node.values():
                yield from words(value)
        elif isinstance(node, list):
            for value in node:
                yield from words(value)

    for kind in schema.KINDS:
        for word in set(words(json.loads(schema_text(kind)))):
            assert yaml.safe_load(word) == word
