"""Mechanical mistakes are mended in place: comments and layout stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.authoring.fix import fix
from assistant.authoring.form import OPTIONAL
from assistant.authoring.lint import lint
from assistant.rules.packs import Layer

RULES = Path(__file__).parents[1] / "rules"
LINT = Path(__file__).parents[1] / "lint"
GOOD = Layer("good", RULES / "good", RULES / "kb")
RULE = """\
# At the top.
id: network.ours   # its name
title: {en: "Port {port} is taken", zh: "端口 {port} 被占用"}
category: network
severity: error
article: port-taken
signals:
  # what to look for
  bind: {log: 'port (?P<port>\\d+) is ours'}
when: bind
owner: us
tests:
  - name: taken
    logs: {scheduler.log: "port 1 is ours"}
    expect: {captures: {port: "1"}}
  - name: free
    logs: {scheduler.log: "free"}
    expect: none
"""


def mended(folder: Path, old: str, new: str, also: tuple[str, ...] = ()) -> tuple[str, list[str]]:
    """The text of the rule with a mistake, mended, and the codes that are left."""
    path = folder / "rules" / "ours.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    assert old in RULE
    path.write_text(RULE.replace(old, new, 1), encoding="utf-8")
    path.chmod(0o640)
    edits, files = fix([str(path)], [GOOD], also)
    assert (edits > 0) is (files > 0)
    assert path.stat().st_mode & 0o777 == 0o640
    assert [one.name for one in path.parent.iterdir()] == ["ours.yaml"]
    return path.read_text("utf-8"), [
        one.code for one in lint([str(path)], layers=[GOOD], also=also).problems]


@pytest.mark.parametrize(("right", "wrong"), [
    ("owner: us", "owner：us"), ('port: "1"', "port： \"1\""),
    ("  # what to look for\n  bind", "  # what to look for\n\tbind"),
    ("name: taken\n    logs", "name: taken\n\t\tlogs"),
])
def test_back_to_what_it_was(tmp_path: Path, right: str, wrong: str) -> None:
    text, left = mended(tmp_path, right, wrong)
    assert text == RULE
    assert left == []


@pytest.mark.parametrize(("right", "wrong", "cured"), [
    ("owner: us", "owner: on", 'owner: "on"'), ("owner: us", "owner: 2026-01-01 # date",
                                                'owner: "2026-01-01" # date'),
    ("owner: us", "owner: 17", 'owner: "17"'), ("name: free", "name: 1:30", 'name: "1:30"'),
])
def test_quotes(tmp_path: Path, right: str, wrong: str, cured: str) -> None:
    text, left = mended(tmp_path, right, wrong)
    assert text == RULE.replace(right, cured)
    assert left == []


def test_keys_move_with_their_comments(tmp_path: Path) -> None:
    text, left = mended(tmp_path, "severity: error\n", "", ("key-order",))
    assert "missing-key" in left
    shuffled = ("# about the tests\nwhen: bind\n# how bad\nseverity: error\n")
    path = tmp_path / "rules" / "ours.yaml"
    path.write_text(RULE.replace("severity: error\n", "").replace("when: bind\n", "").replace(
        "signals:", shuffled + "signals:"), encoding="utf-8")
    assert fix([str(path)], [GOOD], ["key-order"]) == (1, 1)
    text = path.read_text("utf-8")
    assert text.startswith("# At the top.\nid: network.ours   # its name\n")
    assert "# how bad\nseverity: error\narticle" in text
    assert "# about the tests\nwhen: bind\nowner" in text
    assert sorted(text.splitlines()) == sorted([*RULE.splitlines(), "# how bad",
                                                "# about the tests"])
    assert lint([str(path)], layers=[GOOD], also=["key-order"]).problems == ()


def test_blanks_at_line_ends_but_not_in_texts(tmp_path: Path) -> None:
    block = 'logs:\n      scheduler.log: |\n        free  \n        too '
    text, left = mended(tmp_path, 'logs: {scheduler.log: "free"}', block, ("trailing-space",))
    assert block in text and left == []
    text, left = mended(tmp_path, "when: bind", "when: bind  \t", ("trailing-space",))
    assert (text, left) == (RULE, [])


def test_a_schema_line_where_the_pack_has_schemas(tmp_path: Path) -> None:
    text, left = mended(tmp_path, "us", "us", ("no-schema-line",))
    assert (text, left) == (RULE, ["no-schema-line"])
    (tmp_path / ".schema").mkdir()
    (tmp_path / ".schema" / "rule.schema.json").write_text("{}", encoding="utf-8")
    text, left = mended(tmp_path, "us", "us", ("no-schema-line",))
    line = "# yaml-language-server: $schema=../.schema/rule.schema.json\n"
    assert (text, left) == (line + RULE, [])


def test_typographic_quotes_are_left_to_a_person(tmp_path: Path) -> None:
    text, left = mended(tmp_path, "owner: us", "owner: “us”")
    assert "owner: “us”" in text and left == ["full-width"]


@pytest.mark.parametrize("path", sorted(LINT.rglob("*.yaml")), ids=lambda path: path.name)
def test_mending_never_makes_it_worse(tmp_path: Path, path: Path) -> None:
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())
    before = lint([str(copy)], layers=[GOOD], also=OPTIONAL).problems
    edits, _ = fix([str(copy)], [GOOD], OPTIONAL)
    after = lint([str(copy)], layers=[GOOD], also=OPTIONAL).problems
    assert {one.code for one in after if one.level == "error"} - {
        one.code for one in before} <= _COMES_TO_LIGHT
    assert edits or after == before
    assert fix([str(copy)], [GOOD], OPTIONAL) == (0, 0)


#: What a file that could not be read at all may show once it can.
_COMES_TO_LIGHT = {"no-counter-test", "unknown-key", "bad-expression", "wrong-type",
                   "unused-capture", "missing-key", "bad-form"}
