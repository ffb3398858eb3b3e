"""Every code of the linter is explained, and every example of a mistake shows just that."""

from __future__ import annotations

import ast
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.authoring.form import OPTIONAL
from assistant.authoring.lint import lint, text_of
from assistant.authoring.lint_codes import explained, explanations, listed, page
from assistant.errors import UsageError
from assistant.rules.packs import Layer

ROOT = Path(__file__).parents[2]
BASE = Path(__file__).parent / "lint_base"
FILES = {"rule": "rules/storage/mount.yaml", "wait": "rules/hang/wait.yaml",
         "article": "kb/en/mount-lost.md", "pack": "pack.yaml", "site": "site.yaml"}
#: Mistakes that no piece of text shows: each has a test of its own, where it is made.
ELSEWHERE = {"not-utf8", "too-large", "unreadable", "not-allowed", "reserved-name",
             "missing-language", "article-unreadable", "newer-key", "bad-pack", "no-schema-line",
             "tests-without-rule", "no-logs", "too-many-rules"}


def found(folder: Path) -> set[str]:
    layer = Layer("base", folder, folder / "kb")
    return {problem.code for problem in lint([str(folder)], layers=[layer], also=OPTIONAL).problems}


def test_the_base_is_right() -> None:
    layer = Layer("base", BASE, BASE / "kb")
    linted = lint([str(BASE)], layers=[layer])
    assert not linted.problems, text_of(linted)


@pytest.mark.parametrize("code", [one.code for one in explanations().values() if one.bad])
def test_an_example_shows_its_code(code: str, tmp_path: Path) -> None:
    explanation = explanations()[code]
    pack = tmp_path / "pack"
    shutil.copytree(BASE, pack)
    path = pack / FILES[explanation.file]
    text = path.read_text("utf-8")
    if explanation.whole:
        path.write_text(explanation.bad + "\n", encoding="utf-8")
    elif explanation.code == "no-owner":
        assert explanation.bad in text  # the base itself has it
    else:
        assert explanation.good in text
        path.write_text(text.replace(explanation.good, explanation.bad, 1), encoding="utf-8")
    assert explanation.code in found(pack)
    if explanation.code not in OPTIONAL:
        assert explanation.code not in found(BASE)


def emitted() -> Iterator[str]:
    """The codes that stand in the code of the linter and the readers."""
    makers = {"Problem", "_error", "_warning", "_problem", "problem", "wrong"}
    for room in ("rules", "authoring", "guide"):
        for path in (ROOT / "assistant" / room).glob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if (isinstance(node, ast.Call) and len(node.args) > 1
                        and not isinstance(node.args[1], ast.Starred)):
                    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                    if name in makers:
                        yield from (part.value for part in ast.walk(node.args[1])
                                    if isinstance(part, ast.Constant)
                                    and isinstance(part.value, str)
                                    and not isinstance(node.args[1], ast.JoinedStr))


def test_every_code_is_explained_and_every_explanation_is_of_a_code() -> None:
    from assistant.rules import content, schema, yaml_errors

    tables = {code for _, code, _, _ in yaml_errors._KNOWN} | set(schema._CODES.values())
    tables |= {make(Path("x"))[0] for make in content._ODD.values()}
    codes = {code for code in emitted() if code not in ("", "id")} | tables | {
        "bad-id", "bad-pack", "unreadable"}
    assert codes == set(explanations())


def test_every_code_has_an_example_or_a_test_elsewhere() -> None:
    assert {one.code for one in explanations().values() if not one.bad} == ELSEWHERE


def test_the_examples_of_mistakes_use_known_codes() -> None:
    for path in (ROOT / "tests" / "lint").rglob("*.expect.json"):
        for problem in json.loads(path.read_text("utf-8")):
            assert problem["code"] in explanations()


@pytest.mark.parametrize("code", explanations())
def test_explanations(code: str) -> None:
    text = explained(code)
    one = explanations()[code]
    assert text.startswith(f"{code} ({one.level}")
    assert one.what.endswith((".", ")"))
    assert (one.code in OPTIONAL) is one.optional
    assert ("kbtriage: allow" in text) is (one.level == "warning")
    assert code in listed()


def test_the_page_is_current() -> None:
    text = (ROOT / "docs" / "lint-codes.md").read_text("utf-8")
    assert text == page(), "run: python -m assistant.authoring.lint_codes"


def test_no_such_code() -> None:
    with pytest.raises(UsageError, match="did you mean unused-capture"):
        explained("unused-captures")
