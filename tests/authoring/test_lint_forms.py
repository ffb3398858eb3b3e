"""The forms in which programs read what the linter found."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from assistant.authoring import lint_forms
from assistant.authoring.lint import Linted, lint
from assistant.authoring.lint_forms import rendered
from assistant.rules.packs import Layer
from assistant.rules.types import Position, Problem

TESTS = Path(__file__).parents[1]
LAYER = Layer("good", TESTS / "rules" / "good", TESTS / "rules" / "kb")
#: What SARIF 2.1.0 asks of the parts that are written (OASIS, sections 3.13 to 3.49).
LEVELS = {"enum": ["none", "note", "warning", "error"]}
SARIF: Mapping[str, Any] = {
    "type": "object", "required": ["version", "runs"],
    "properties": {"version": {"const": "2.1.0"}, "$schema": {"type": "string"}, "runs": {
        "type": "array", "items": {
            "type": "object", "required": ["tool"], "additionalProperties": False,
            "properties": {
                "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                "tool": {"type": "object", "required": ["driver"], "properties": {"driver": {
                    "type": "object", "required": ["name"], "additionalProperties": False,
                    "properties": {
                        "name": {"type": "string"}, "semanticVersion": {"type": "string"},
                        "rules": {"type": "array", "uniqueItems": True, "items": {
                            "type": "object", "required": ["id"], "properties": {
                                "id": {"type": "string"},
                                "shortDescription": {"required": ["text"]},
                                "help": {"required": ["text"]},
                                "defaultConfiguration": {"properties": {
                                    "level": LEVELS}}}}}}}}},
                "results": {"type": "array", "items": {
                    "type": "object", "required": ["message"], "additionalProperties": False,
                    "properties": {
                        "ruleId": {"type": "string"},
                        "ruleIndex": {"type": "integer", "minimum": 0},
                        "level": LEVELS,
                        "message": {"required": ["text"]},
                        "locations": {"type": "array", "items": {"properties": {
                            "physicalLocation": {"properties": {
                                "artifactLocation": {"properties": {"uri": {
                                    "type": "string", "pattern": r"^[^ \\]*$"}}},
                                "region": {"properties": {
                                    "startLine": {"type": "integer", "minimum": 1},
                                    "startColumn": {"type": "integer", "minimum": 1}}}}}}}}}}}}}}}}


@pytest.fixture(scope="module")
def linted() -> Linted:
    return lint([str(TESTS / "lint" / name) for name in (
        "unknown-severity.yaml", "misspelt-signal.yaml", "unsure-placeholder.yaml")],
        layers=[LAYER])


def test_json(linted: Linted) -> None:
    from assistant.authoring.lint_forms import schema_text

    values = json.loads(rendered(linted, "json"))
    jsonschema.Draft202012Validator(json.loads(schema_text())).validate(values)
    assert (values["files"], values["rules"], values["errors"], values["warnings"]) == (3, 1, 2, 2)
    first = values["problems"][0]
    assert (Path(first["file"]).name, first["line"], first["code"], first["level"]) == (
        "misspelt-signal.yaml", 10, "unknown-signal", "error")
    assert first["snippet"].startswith("when:")


def test_sarif(linted: Linted) -> None:
    values = json.loads(rendered(linted, "sarif"))
    jsonschema.Draft202012Validator(SARIF).validate(values)
    (run,) = values["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [result["ruleId"] for result in run["results"]] == [
        rules[result["ruleIndex"]]["id"] for result in run["results"]] == [
        one.code for one in linted.problems]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("tests/lint/misspelt-signal.yaml")
    assert place["region"] == {"startLine": 10, "startColumn": 7}


def told(file: str, message: str) -> Linted:
    problem = Problem(Position(file, 2, 3), "unknown-key", "error", message, "100% cured")
    return Linted(1, (), (problem,), {file: ("a", "b")})


def test_github_escapes_what_would_end_the_command() -> None:
    text = rendered(told("a,b:c.yaml", "no\nsuch: key"), "github")
    assert text.splitlines() == [
        "::error file=a%2Cb%3Ac.yaml,line=2,col=3,title=unknown-key::no%0Asuch: key; 100%25 cured",
        "1 file, 0 rules: 1 error, 0 warnings"]


@pytest.mark.parametrize(("file", "uri"), [
    ("规则/a b.yaml", "%E8%A7%84%E5%88%99/a%20b.yaml"), ("/x y/a.yaml", "file:///x%20y/a.yaml"),
    ("ours.zip!/rules/a.yaml", "ours.zip%21/rules/a.yaml")])
def test_paths_are_uris(file: str, uri: str) -> None:
    values = json.loads(rendered(told(file, "x"), "sarif"))
    place = values["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == uri


def test_nothing_wrong_in_every_form() -> None:
    right = Linted(1, (), (), {})
    assert set(lint_forms.FORMATS) == {"terminal", "json", "sarif", "github"}
    assert json.loads(rendered(right, "json"))["problems"] == []
    assert json.loads(rendered(right, "sarif"))["runs"][0]["results"] == []
    assert rendered(right, "github") == rendered(right, "terminal")
