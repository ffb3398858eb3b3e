"""What the linter found, in the forms that programs read: JSON, SARIF, GitHub's annotations.

`kbtriage schema lint` is the schema of the JSON form. SARIF: OASIS Static Analysis Results
Interchange Format 2.1.0.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import resources
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from assistant import __version__
from assistant.authoring.chinese import problem_in
from assistant.authoring.fix import fixable
from assistant.authoring.lint import Linted, text_of
from assistant.authoring.lint_codes import explanations
from assistant.render.as_json import dumps
from assistant.rules.types import Problem

FORMATS = ("terminal", "json", "sarif", "github")
_SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def rendered(linted: Linted, form: str, lang: str = "en") -> str:
    """The findings in one of FORMATS and in a language, `en` or `zh`, without a line end behind
    it. Raises KeyError."""
    if form == "terminal":
        return text_of(linted, lang)
    spoken = replace(linted, problems=tuple(problem_in(one, lang) for one in linted.problems))
    if form == "json":
        return _json(spoken)
    return {"sarif": _sarif, "github": _github}[form](spoken, lang)


def _json(linted: Linted) -> str:
    errors = sum(problem.level == "error" for problem in linted.problems)
    return dumps({
        "kbtriage": __version__, "files": linted.files, "rules": len(linted.rules),
        "errors": errors, "warnings": len(linted.problems) - errors,
        "problems": [{
            "file": one.position.file, "line": one.position.line, "column": one.position.column,
            "code": one.code, "level": one.level, "message": one.message, "cure": one.cure,
            "snippet": _snippet(one, linted), "fixable": fixable(one),
        } for one in linted.problems],
        "passed_over": list(linted.passed_over)})


def _snippet(problem: Problem, linted: Linted) -> str:
    lines = linted.lines.get(problem.position.file, ())
    return lines[problem.position.line - 1] if problem.position.line <= len(lines) else ""


def schema_text() -> str:
    """The JSON Schema of the JSON form, as text."""
    return (resources.files("assistant.authoring") / "lint.schema.json").read_text("utf-8")


def _sarif(linted: Linted, lang: str) -> str:
    codes = sorted({problem.code for problem in linted.problems})
    known = explanations()
    rules = [{"id": code, "shortDescription": {"text": known[code].what_in(lang)},
              "help": {"text": f"{known[code].why_in(lang)} kbtriage rules docs {code}"},
              "defaultConfiguration": {"level": known[code].level}} for code in codes]
    run = {
        "tool": {"driver": {"name": "kbtriage", "semanticVersion": __version__, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(problem, codes) for problem in linted.problems]}
    return dumps({"$schema": _SARIF_SCHEMA, "version": "2.1.0", "runs": [run]})


def _result(problem: Problem, codes: list[str]) -> dict[str, Any]:
    position = problem.position
    return {
        "ruleId": problem.code, "ruleIndex": codes.index(problem.code), "level": problem.level,
        "message": {"text": _said(problem)},
        "locations": [{"physicalLocation": {
            "artifactLocation": {"uri": _uri(position.file)},
            "region": {"startLine": position.line, "startColumn": position.column}}}]}


def _uri(file: str) -> str:
    """A path as a URI: relative as it is shown, absolute with its scheme."""
    path = PurePath(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())


def _said(problem: Problem) -> str:
    return f"{problem.message}; {problem.cure}" if problem.cure else problem.message


def _github(linted: Linted, lang: str) -> str:
    """A workflow command a problem, and the summary line that a person reads in the log."""
    lines = []
    for one in linted.problems:
        place = one.position
        lines.append(f"::{one.level} file={_property(place.file)},line={place.line},"
                     f"col={place.column},title={_property(one.code)}::{_data(_said(one))}")
    return "\n".join([*lines, text_of(linted, lang).splitlines()[-1]])


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
