"""Nothing that people can write or type is undocumented, and generated pages are current."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.authoring.reference import Page, chinese, descriptions
from assistant.cli.parser import build_parser

DOCS = Path(__file__).parent.parent.parent / "docs"
REFERENCES = {"en": "rule-reference.md", "zh": "rule-reference.zh.md"}
COMMANDS = (DOCS / "commands.md").read_text("utf-8")
#: Spellings that hold a word to be replaced, which each language writes its own way.
OWN_WORDS = {"packs": {"+30s text", "MODULE:", "+<time>"},
             "rules": {"path:function", "<category>.<slug>", "{placeholders}",
                       "<category>.code-<code>"}}


@pytest.mark.parametrize("lang", REFERENCES)
def test_the_reference_is_current(lang: str) -> None:
    text = (DOCS / REFERENCES[lang]).read_text("utf-8")
    assert text == Page(lang).text(), "run: python -m assistant.authoring.reference"


def test_every_description_has_its_chinese() -> None:
    known = chinese()
    assert not descriptions() - known.keys(), "add them to assistant/rules/schema/zh.json"
    assert not known.keys() - descriptions(), "remove them from assistant/rules/schema/zh.json"
    assert all(re.search(r"[\u4e00-\u9fff]", text) or text in known for text in known.values())


def test_every_key_has_a_description() -> None:
    empty = [line for line in Page("en").text().splitlines()
             if re.match(r"\| `", line) and re.search(r"\|  \| [^|]*\|$", line)]
    assert [line for line in empty if not line.startswith("| `tests.")] == []


def commands(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for child in action.choices.values():
                yield from commands(child)


@pytest.mark.parametrize("parser", list(commands(build_parser())), ids=lambda p: p.prog)
def test_every_command_and_flag_is_documented(parser: argparse.ArgumentParser) -> None:
    cure = "run: python -m assistant.cli.commands_page"
    assert f"\n## {parser.prog}\n" in COMMANDS, cure
    section = COMMANDS.split(f"\n## {parser.prog}\n")[1].split("\n## ")[0]
    for action in parser._actions:
        if action.help != argparse.SUPPRESS and "--help" not in action.option_strings:
            for flag in action.option_strings:
                assert f"`{flag}`" in section, f"{flag}: {cure}"


@pytest.mark.parametrize("name", ["guide", "cookbook"])
def test_both_languages_show_the_same_files_and_commands(name: str) -> None:
    def blocks(file: str) -> list[str]:
        text = (DOCS / file).read_text("utf-8").replace("--lang zh", "--lang en")
        return re.findall(r"^```(?:sh|yaml).*?^```$", text, re.M | re.S)

    assert blocks(f"{name}.md") == blocks(f"{name}.zh.md") != []


@pytest.mark.parametrize("name", ["packs", "rules"])
def test_both_languages_say_the_same_keys_and_examples(name: str) -> None:
    """What is not prose is equal: headings in number, keys of tables, examples but for their
    comments, and whatever stands in backticks."""
    def parts(file: str) -> tuple[list[str], list[str], list[str], set[str]]:
        text = (DOCS / file).read_text("utf-8")
        fenced = re.findall(r"^```.*?^```$", text, re.M | re.S)
        prose = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
        code = [" ".join(line.split()) for block in fenced for line in block.split("\n")]
        return (re.findall(r"^#+ ", prose, re.M), re.findall(r"^\| (`[^`]*`)", prose, re.M),
                [re.sub(r" ?(?:#.*|(?<=\S) [^\x00-\x7f].*)$", "", line) for line in code
                 if not re.search(r"[\u4e00-\u9fff<]", line.split("#")[0])],
                {" ".join(span.split()) for span in re.findall(r"`([^`]*)`", prose)})

    english, chinese = parts(f"{name}.md"), parts(f"{name}.zh.md")
    assert english[:2] == chinese[:2]
    assert english[3] - chinese[3] == OWN_WORDS[name]
    assert set(chinese[2]) <= set(english[2])
    for file, other in ((f"{name}.md", f"{name}.zh.md"), (f"{name}.zh.md", f"{name}.md")):
        assert f"({other})" in (DOCS / file).read_text("utf-8").split("\n\n")[1]


def test_both_languages_tell_the_same_of_trust() -> None:
    """Headings in number, the numbers of the fuzzing, and the tests that are named."""
    def parts(file: str) -> tuple[int, list[list[str]], set[str]]:
        text = (DOCS / file).read_text("utf-8")
        prose = "\n".join(line for line in text.split("\n") if "` | `tests/" not in line)
        rows = re.findall(r"^\| (\w+) \|.*?\| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|", text, re.M)
        return (text.count("\n## "), [list(row) for row in rows],
                set(re.findall(r"`(tests/[\w/.:]+)`", prose)))

    english, chinese = parts("trust.md"), parts("trust.zh.md")
    assert english == chinese
    assert len(english[1]) == 14
    for file, other in (("trust.md", "trust.zh.md"), ("trust.zh.md", "trust.md")):
        assert f"({other})" in (DOCS / file).read_text("utf-8").split("\n\n")[1]


@pytest.mark.parametrize("path", sorted(DOCS.glob("*.md")), ids=lambda p: p.name)
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)\s#]+)(?:#[^)]*)?\)", path.read_text("utf-8")):
        if "://" not in target:
            assert (path.parent / target).exists(), f"{path.name}: {target}"
