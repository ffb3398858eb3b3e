"""What the commands for authors say in Chinese is the same as in English, and all of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.authoring.chinese import messages, said
from assistant.authoring.lint import lint, text_of
from assistant.authoring.lint_codes import explained, explanations, page
from assistant.cli.main import main
from assistant.rules.packs import TESTS

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "tests" / "lint"
CHINESE = re.compile(r"[\u4e00-\u9fff]")
#: Names, spellings and quotations, which are the same in every language.
SPELLED = re.compile(r"`[^`]*`|\{[^}]*\}|\(\?[^)]*\)|\\.|\[\S*\]|https?:\S+|\"[^\"]*\""
                     r"|'[^']*'|“[^”]*”|[\w./-]+\.\w+")
MAKERS = {"Problem", "_error", "_warning", "_problem", "problem", "wrong", "fail", "Trouble",
          "ConditionError", "TimelineError"}


def english(text: str) -> bool:
    """Whether a text still speaks English."""
    return re.search(r"[a-z]{3,} [a-z]{2,}", SPELLED.sub("", text)) is not None


def test_every_problem_of_the_examples_is_told_in_chinese() -> None:
    problems = lint([str(EXAMPLES)]).problems
    assert len(problems) > 150
    for one in problems:
        assert CHINESE.search(said(one.message, "zh")), one.message
        assert not english(said(one.message, "zh")), one.message
        assert not english(said(one.cure, "zh")), one.cure


def templates(node: ast.expr) -> Iterator[str]:
    """The texts that an expression can give, `%` in the place of what it fills in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "%"
                      for part in node.values)
    elif isinstance(node, ast.IfExp):
        yield from templates(node.body)
        yield from templates(node.orelse)


def spoken() -> Iterator[str]:
    """Messages and cures as the code of the linter, its readers and the tests builds them."""
    for room in ("rules", "authoring", "guide", "patterns"):
        for path in sorted((ROOT / "assistant" / room).glob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                name = (getattr(node.func, "id", getattr(node.func, "attr", ""))
                        if isinstance(node, ast.Call) else "")
                if isinstance(node, ast.Call) and name in MAKERS:
                    for argument in node.args:
                        yield from templates(argument)


def forms(text: str) -> tuple[str, ...]:
    """A template, and what it is where nothing stands at its end, or the suffix of tests in it."""
    return text, text.removesuffix("%"), text.replace("NAME%", f"NAME{TESTS}")


def test_every_message_in_the_code_has_its_chinese() -> None:
    found = {text for text in spoken() if " " in text.strip() and english(text)}
    assert len(found) > 150
    known = [re.compile(re.sub(r"%\d", "(?:.+)", re.escape(line).replace("\\%", "%")))
             for line in messages()]
    missing = [text for text in sorted(found)
               if not any(line.fullmatch(form) for line in known for form in forms(text))]
    assert not missing, "add them to assistant/authoring/messages.zh.txt"


def test_both_sides_have_the_same_places() -> None:
    for line, chinese in messages().items():
        places = re.findall(r"%\d", line)
        assert set(places) == set(re.findall(r"%\d", chinese)), line
        assert chinese and (CHINESE.search(chinese) or not english(line)), line


def test_places_codes_and_quotations_stay(capsys: pytest.CaptureFixture[str]) -> None:
    broken = [str(EXAMPLES / "unknown-severity.yaml"), str(EXAMPLES / "misspelt-signal.yaml")]
    assert main(["rules", "lint", *broken, "--lang", "en"]) == 1
    plain = capsys.readouterr().out.splitlines()
    assert main(["rules", "lint", *broken, "--lang", "zh"]) == 1
    shown = capsys.readouterr().out.splitlines()
    assert any(line.endswith("unknown-severity.yaml:6:11: error[unknown-severity]: "
                             "`fatal` 不是 `severity` 的有效值") for line in shown)
    assert [line.split("]: ")[0] for line in plain if "error[" in line] == [
        line.split("]: ")[0] for line in shown if "error[" in line]
    assert [line for line in plain if " | " in line] == [line for line in shown if " | " in line]
    assert shown[-1] == "2 个文件，0 条规则：2 个错误，0 个警告"
    assert text_of(lint([str(EXAMPLES / "hccl")], layers=[]), "zh").count("没有问题") <= 1


@pytest.mark.parametrize("code", explanations())
def test_every_code_is_explained_in_chinese(code: str) -> None:
    one, text = explanations()[code], explained(code, "zh")
    assert CHINESE.search(one.what_in("zh")) and CHINESE.search(one.why_in("zh"))
    assert one.what_in("zh").endswith(("。", "）")) and one.why_in("zh").endswith(("。", "}"))
    assert text.startswith(f"{code}（{'错误' if one.level == 'error' else '警告'}")
    for spelled in re.findall(r"`[^`]+`", one.what + one.why):
        assert spelled in one.what_in("zh") + one.why_in("zh") or spelled == "`What to do`"


def test_the_chinese_page_is_current() -> None:
    text = (ROOT / "docs" / "lint-codes.zh.md").read_text("utf-8")
    assert text == page("zh"), "run: python -m assistant.authoring.lint_codes"


RULE = """\
id: storage.scratch-quota
title: {en: "The quota of {disk} is used up", zh: "{disk} 的配额已用完"}
category: storage
severity: error
article: disk-full
signals:
  full: {log: 'scratch quota exceeded on (?P<disk>\\S+)', in: worker}
when: full
tests:
  - name: it is
    logs: {worker_0.log: "scratch quota exceeded"}
    expect: {}
  - name: it is on another rank
    logs: {worker_0.log: "scratch quota exceeded on /x"}
    expect: {ranks: [1]}
  - name: it is not
    logs: {worker_0.log: "scratch quota exceeded on /x"}
    expect: none
"""


def test_results_of_tests(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "quota.yaml"
    path.write_text(RULE, "utf-8")
    assert main(["rules", "test", str(path), "--no-healthy", "--lang", "zh"]) == 1
    shown = capsys.readouterr().out
    assert "missing（应命中而未命中）：storage.scratch-quota：it is\n" in shown
    assert "信号 full：不成立" in shown and "条件 `when` 不成立" in shown
    assert "ranks：期望 [1]，实际 [0]" in shown
    assert "noisy（不应命中而命中）" in shown
    assert shown.splitlines()[-1] == "0 个通过，3 个失败"
    assert not [line for line in shown.splitlines() if english(line) and "quota exceeded" not in
                line and not line.startswith(str(path))]
