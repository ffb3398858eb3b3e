"""JSON Schema of the files that people write, and its errors in words a writer understands."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any

from assistant.rules import history
from assistant.rules.suggest import closest, instead, listed
from assistant.rules.types import LANGUAGES, Position, Problem
from assistant.rules.yaml_source import Document, Path

#: The kinds of file that have a schema here.
KINDS = ("rule", "tests", "case", "landmarks", "catalogue", "pack", "site")

_TYPES = {"string": "text", "integer": "a whole number", "number": "a number",
          "boolean": "true or false", "array": "a list", "object": "a mapping of keys to values"}
_PYTHON: Mapping[str, Any] = {"string": str, "integer": int, "number": (int, float),
                              "array": list, "object": dict}
_CODES = {"category": "unknown-category", "severity": "unknown-severity",
          "in": "unknown-role", "inside": "unknown-event", "outside": "unknown-event",
          "block": "unknown-event", "state": "unknown-state", "reached": "unknown-phase",
          "phase": "unknown-phase", "fact": "unknown-fact", "level": "unknown-level"}


def schema_text(kind: str) -> str:
    """The JSON Schema of a kind of file, one of KINDS, as JSON text. Raises KeyError."""
    if kind not in KINDS:
        raise KeyError(kind)
    text = _file(kind)
    return json.dumps(_completed(kind, json.loads(text)), ensure_ascii=False, indent=2) if (
        kind in ("tests", "case")) else text


def _file(kind: str) -> str:
    folder = resources.files("assistant.rules") / "schema"
    return (folder / f"{kind}.schema.json").read_text("utf-8")


def _completed(kind: str, schema: dict[str, Any]) -> dict[str, Any]:
    """A schema of tests with the definitions that it shares with that of rules."""
    defs = json.loads(_file("rule"))["$defs"]
    about = "Id of the rule that is meant."
    if kind == "tests":
        about += " Needed only where the file beside holds several rules."
    rule = {"description": about, "examples": ["storage.scratch-quota"], "type": "string",
            "minLength": 1}
    if kind == "tests":
        test = defs["test"]
        own = {"test": {**test, "properties": {"rule": rule, **test["properties"]}}}
    else:
        finding = defs["expectation"]
        own = {"found": {**finding, "required": ["rule"],
                         "properties": {"rule": rule, **finding["properties"]}}}
    kept = {name: defs[name] for name in defs if name not in ("rule", "signal", "test")
            and not name.endswith("-signal")}
    return {**schema, "$defs": {**kept, **own}}


def check(document: Document, kind: str) -> list[Problem]:
    """What in a document does not fit the schema of its kind, in the file's order.

    Values that are traps (see yaml_source) are passed over: they have been told already.
    """
    schema, validator = _validator(kind)
    teller = _Teller(document, schema, kind)
    found = [problem for error in validator.iter_errors(document.value)
             for problem in teller.explain(error)]
    return sorted(dict.fromkeys(found), key=lambda p: (p.position.line, p.position.column))


@cache
def _validator(kind: str) -> tuple[Mapping[str, Any], Any]:
    import jsonschema

    schema = json.loads(schema_text(kind))
    return schema, jsonschema.Draft202012Validator(schema)


class _Teller:
    """Puts the validator's errors (jsonschema's ValidationError) about one document into words."""

    def __init__(self, document: Document, schema: Mapping[str, Any], kind: str) -> None:
        self._document = document
        self._schema = schema
        self._kind = kind
        self._top = "the rule" if kind == "rule" else "the file"

    def explain(self, error: Any) -> Iterator[Problem]:
        path: Path = tuple(error.absolute_path)
        if path in self._document.traps:
            return
        if "propertyNames" in error.absolute_schema_path:
            wanted = error.schema.get("patternErrorMessage", "is not allowed")
            yield self._problem(self._document.key((*path, error.instance)), "bad-name",
                                f"the name `{error.instance}` {wanted}", "rename it")
            return
        yield from getattr(self, f"_{error.validator}", self._other)(error, path)

    # One method a keyword of JSON Schema, each named after it.

    def _oneOf(self, error: Any, path: Path) -> Iterator[Problem]:
        """One of several forms was wanted: speak of the one that the writer meant."""
        branches = [self._resolve(branch) for branch in error.validator_value]
        value = error.instance
        heads = [branch["required"][0] for branch in branches if "required" in branch]
        if isinstance(value, dict) and len(heads) == len(branches):
            present = _heads(value, heads, branches)
            if len(present) > 1:
                yield self._problem(
                    self._document.key((*path, present[1])), "several-heads",
                    f"only one of these can be given in {self._what(path)}: {listed(present)}",
                    "make two signals of them, and name both in `when`")
                return
            if not present:
                yield self._no_head(value, heads, branches, path)
                return
            chosen = heads.index(present[0])
        else:
            fitting = [n for n, branch in enumerate(branches) if _fits(value, branch)]
            if not fitting:
                wanted = dict.fromkeys(_type_of(branch) for branch in branches)
                yield self._wrong_type(path, value, [name for name in wanted if name])
                return
            chosen = _nearest(value, fitting, branches)
        for inner in error.context or ():
            if inner.schema_path and inner.schema_path[0] == chosen:
                yield from self.explain(inner)

    _anyOf = _oneOf

    def _no_head(self, value: Mapping[str, Any], heads: list[str],
                 branches: list[Mapping[str, Any]], path: Path) -> Problem:
        for key in value:
            near = closest(key, heads)
            if near and not any(key in branch.get("properties", ()) for branch in branches):
                return self._problem(self._document.key((*path, key)), "unknown-key",
                                     f"unknown key `{key}`", f"did you mean `{near}`?")
        return self._problem(self._document.key(path), "missing-head",
                             f"{self._what(path)} does not say what to look for",
                             f"give one of: {listed(heads)}")

    def _additionalProperties(self, error: Any, path: Path) -> Iterator[Problem]:
        allowed = list(error.schema.get("properties", {}))
        if allowed == ["rules"]:
            key = next(key for key in error.instance if key not in allowed)
            yield self._problem(self._document.key((key,)), "unknown-key",
                                f"`{key}` stands beside `rules`",
                                "write one rule, or a list of rules under `rules:` and no more")
            return
        missing = [key for key in error.schema.get("required", ()) if key not in error.instance]
        for key in error.instance:
            if key in allowed:
                continue
            near = closest(key, missing) or closest(key, allowed)
            cure = history.told(self._kind, key) or (
                f"did you mean `{near}`?" if near else f"allowed here: {listed(allowed, 40)}")
            yield self._problem(self._document.key((*path, key)), "unknown-key",
                                f"unknown key `{key}` in {self._what(path)}", cure)

    def _required(self, error: Any, path: Path) -> Iterator[Problem]:
        properties = error.schema.get("properties", {})
        unknown = [name for name in error.instance if name not in properties]
        for key in error.validator_value:
            # One error comes for each missing key, and only its message names it.
            if not error.message.startswith(f"{key!r} "):
                continue
            if any(closest(name, [key]) for name in unknown):
                return  # told as an unknown key already
            about = self._resolve(properties.get(key, {}))
            cure = str(about.get("description", f"add `{key}:`"))
            example = next(iter(about.get("examples", ())), None)
            if key in LANGUAGES:  # the title of another rule would be no cure
                cure = f"add `{key}: ...`. {cure}"
            elif isinstance(example, str):
                cure = f"add `{key}: {example}`. {cure}"
            yield self._problem(self._document.key(path), "missing-key",
                                f"{self._what(path)} lacks the key `{key}`", cure)

    def _type(self, error: Any, path: Path) -> Iterator[Problem]:
        wanted = error.validator_value
        yield self._wrong_type(path, error.instance,
                               [wanted] if isinstance(wanted, str) else list(wanted))

    def _wrong_type(self, path: Path, value: Any, wanted: list[str]) -> Problem:
        names = " or ".join(_TYPES.get(name, name) for name in wanted)
        if value is None:
            return self._problem(self._document.key(path), "empty-value",
                                 f"{self._what(path)} has no value",
                                 f"give {names}, or remove the key")
        cure = f"give {names}"
        if "string" in wanted and isinstance(value, (bool, int, float)):
            cure = "put it in quotes"
        elif set(wanted) <= {"integer", "number"} and _is_number(value):
            quoted = self._document.spans[path].style if path in self._document.spans else ""
            # YAML 1.1 takes 1e-3 for text: it wants a point.
            cure = f"give {names}, without quotes" if quoted else f"write {float(value)!r}"
        elif wanted == ["array"] and isinstance(value, str):
            cure = f"write a list: [{value[:30]}]"
        elif not path and isinstance(value, list):
            cure = "put the list under the key `rules:`"
        elif not path:
            cure = "begin with keys and values, such as `id: network.some-name`"
        return self._problem(self._document.at(path), "wrong-type",
                             f"{self._what(path)} must be {names}, not {_given(value)}", cure)

    def _enum(self, error: Any, path: Path) -> Iterator[Problem]:
        value = error.instance
        allowed = error.validator_value if error.validator == "enum" else [error.validator_value]
        if value is None:
            yield self._problem(self._document.key(path), "empty-value",
                                f"{self._what(path)} has no value",
                                f"give one of: {listed(map(str, allowed), 20)}")
            return
        if not isinstance(value, str):
            yield self._wrong_type(path, value, ["string"])
            return
        name = next((part for part in reversed(path) if isinstance(part, str)), "")
        yield self._problem(self._document.at(path), _CODES.get(name, "unknown-value"),
                            f"`{value[:60]}` is not a value of {self._what(path)}",
                            error.schema.get("errorMessage") or instead(value, allowed))

    _const = _enum

    def _pattern(self, error: Any, path: Path) -> Iterator[Problem]:
        wanted = error.schema.get("patternErrorMessage", f"must match {error.validator_value}")
        example = next(iter(error.schema.get("examples", ())), None)
        code = "bad-id" if path and path[-1] == "id" else "bad-form"
        yield self._problem(self._document.at(path), code, f"{self._what(path)} {wanted}",
                            f"for example `{example}`" if example else "write it so")

    def _minimum(self, error: Any, path: Path) -> Iterator[Problem]:
        limit = error.validator_value
        words = {"minimum": f"must be {limit} at least", "maximum": f"must be {limit} at most",
                 "exclusiveMinimum": f"must be greater than {limit}"}
        yield self._problem(self._document.at(path), "out-of-range",
                            f"{self._what(path)} {words[str(error.validator)]}",
                            "change the number")

    _maximum = _exclusiveMinimum = _minimum

    def _minLength(self, error: Any, path: Path) -> Iterator[Problem]:
        yield self._problem(self._document.at(path), "empty-value", f"{self._what(path)} is empty",
                            "give a value, or remove the key")

    _minItems = _minProperties = _minLength

    def _uniqueItems(self, error: Any, path: Path) -> Iterator[Problem]:
        for number, item in enumerate(error.instance):
            if item in error.instance[:number]:
                yield self._problem(self._document.at((*path, number)), "listed-twice",
                                    f"`{item}` stands twice in the list", "remove one of them")

    def _other(self, error: Any, path: Path) -> Iterator[Problem]:
        yield self._problem(self._document.at(path), "not-allowed",
                            f"{self._what(path)}: {error.message}", "")

    def _resolve(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """A schema with its `$ref` into the same file followed; keys beside it win."""
        while "$ref" in schema:
            target: Any = self._schema
            for part in str(schema["$ref"]).removeprefix("#/").split("/"):
                target = target[part]
            schema = {**target, **{k: v for k, v in schema.items() if k != "$ref"}}
        return schema

    def _what(self, path: Path) -> str:
        """How to call the value at a path: the rule, `severity`, `signals.bind.in`, the key
        of a test by the test's name ..."""
        start = 2 if len(path) > 1 and path[0] == "rules" else 0
        parts = path[start:]
        if not parts:
            return self._top
        test = self._test(path[:start + 2]) if parts[0] == "tests" and len(parts) > 1 else None
        if test is not None:
            return (f"`{_dotted(parts[2:])}` of " if parts[2:] else "") + f"the test `{test}`"
        return f"`{_dotted(parts)}`"

    def _test(self, path: Path) -> str | None:
        """The name of the test at a path, None if it has none."""
        value: Any = self._document.value
        try:
            for part in path:
                value = value[part]
            name = value["name"]
        except (KeyError, IndexError, TypeError):
            return None
        return name if isinstance(name, str) else None

    @staticmethod
    def _problem(position: Position, code: str, message: str, cure: str) -> Problem:
        return Problem(position, code, "error", message, cure)


def _dotted(parts: Path) -> str:
    """`signals.bind.in[2]`: list items are counted from 1."""
    words: list[str] = []
    for part in parts:
        if isinstance(part, int) and words:
            words[-1] += f"[{part + 1}]"
        else:
            words.append(str(part))
    return ".".join(words)


def _heads(value: Mapping[str, Any], heads: list[str],
           branches: list[Mapping[str, Any]]) -> list[str]:
    """The head keys that a mapping has; `code` is none beside `block`, which knows it, too."""
    present = [head for head in heads if head in value]
    return [head for head in present
            if not any(head in branch.get("properties", ()) for other, branch
                       in zip(heads, branches, strict=True) if other in present and other != head)]


def _nearest(value: Any, fitting: list[int], branches: list[Mapping[str, Any]]) -> int:
    """Of several forms of one type: a list of words if one is near, else the last."""
    if isinstance(value, str):
        for number in fitting:
            if closest(value, branches[number].get("enum", ())):
                return number
        return fitting[-1]
    return fitting[0]


def _type_of(schema: Mapping[str, Any]) -> str:
    if "type" in schema:
        return str(schema["type"])
    return "string" if "enum" in schema or "const" in schema else ""


def _fits(value: Any, schema: Mapping[str, Any]) -> bool:
    kind = _type_of(schema)
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _PYTHON.get(kind, dict))


def _is_number(value: Any) -> bool:
    try:
        return isinstance(value, str) and math.isfinite(float(value))
    except ValueError:
        return False


def _given(value: Any) -> str:
    """What a value is, in words."""
    if isinstance(value, bool):
        return "true or false"
    return next((_TYPES[name] for name in ("string", "number", "array")
                 if isinstance(value, _PYTHON[name])), "a mapping")
