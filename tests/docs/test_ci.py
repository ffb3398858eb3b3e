"""The hooks and CI steps that are shipped call commands and options that exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml

from assistant.cli.parser import build_parser

ROOT = Path(__file__).parent.parent.parent
FILES = (".pre-commit-hooks.yaml", "deploy/ci/action.yml", "deploy/ci/gitlab.yml")


@pytest.mark.parametrize("name", FILES)
def test_the_calls_can_be_read(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    calls = re.findall(r"(?:entry: |run: |- )(kbtriage rules .*)", text)
    assert len(calls) == 2
    for call in calls:
        arguments = build_parser().parse_args(shlex.split(call)[1:])
        assert callable(arguments.run)
    assert yaml.safe_load(text)


def test_every_hook_is_whole() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert [hook["id"] for hook in hooks] == ["kbtriage-lint", "kbtriage-test"]
    for hook in hooks:
        assert {"id", "name", "entry", "language", "files"} <= hook.keys()
        re.compile(hook["files"])
    guide = (ROOT / "docs" / "guide.md").read_text("utf-8")
    assert all(f"- id: {hook['id']}" in guide for hook in hooks)
