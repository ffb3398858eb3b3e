"""The guide, followed literally: every command is run in an empty folder, in both languages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("name", ["guide.md", "guide.zh.md"])
def test_every_command_does_what_the_guide_says(name: str, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "kbtriage"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m assistant "$@"\n', "utf-8")
    command.chmod(0o755)
    folder = tmp_path / "empty"
    folder.mkdir()
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT),
                   "XDG_CONFIG_HOME": str(tmp_path / "config"),
                   "PATH": f"{command.parent}:{os.environ['PATH']}"}
    printed, run = "", 0
    for kind, info, text in BLOCK.findall((ROOT / "docs" / name).read_text("utf-8")):
        if kind == "sh":
            wanted = re.search(r"exit=(\d+)", info)
            done = subprocess.run(["bash", "-euc", text], cwd=folder, env=environment,
                                  capture_output=True, text=True, check=False)
            printed, run = done.stdout + done.stderr, run + 1
            assert done.returncode == int(wanted[1] if wanted else 0), f"{text}\n{printed}"
        elif kind == "text":
            for line in text.splitlines():
                assert flat(line) in flat(printed), printed
    assert run > 10
    for lang in ("en", "zh"):
        assert (folder / "our-cluster" / "kb" / lang / "scratch-quota.md").is_file()
