from __future__ import annotations

import shutil
import subprocess

import pytest

from assistant.cli.completion import commands, script
from assistant.cli.main import main
from assistant.cli.parser import build_parser


def test_commands_are_those_of_the_parser() -> None:
    known = {command.path: command for command in commands(build_parser())}
    assert {("kbtriage",), ("kbtriage", "check"), ("kbtriage", "kb", "show")} <= set(known)
    flags = {flag: option for option in known["kbtriage", "check"].options
             for flag in option.flags}
    assert flags["--format"].choices == ("terminal", "json", "markdown")
    assert flags["--output"].value and not flags["--output"].choices
    assert not flags["--verbose"].value
    assert ("bash", "") in known["kbtriage", "completion"].words


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_are_printed_and_shells_accept_them(shell: str, capsys: pytest.CaptureFixture[str]
                                                    ) -> None:
    assert main(["completion", shell]) == 0
    text = capsys.readouterr().out
    assert "kbtriage" in text and "markdown" in text
    if shutil.which(shell):
        done = subprocess.run([shell, "-n"], input=text, capture_output=True, text=True,
                              check=False)
        assert (done.returncode, done.stderr) == (0, "")


def completed(*words: str) -> list[str]:
    """What bash offers for the last of the words."""
    line = " ".join(f"'{word}'" for word in words)
    code = (f"{script('bash', build_parser())}\nCOMP_WORDS=({line}); "
            f"COMP_CWORD={len(words) - 1}; _kbtriage; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
    done = subprocess.run(["bash", "--norc", "-c", code], capture_output=True, text=True,
                          check=True)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(("words", "offered"), [
    (["kbtriage", "ch"], ["check"]),
    (["kbtriage", "check", "--fo"], ["--format"]),
    (["kbtriage", "check", "--format", "j"], ["json"]),
    (["kbtriage", "check", "x", "--lang", ""], ["en", "zh"]),
    (["kbtriage", "kb", ""], ["list", "search", "show"]),
    (["kbtriage", "kb", "show", "--la"], ["--lang"]),
    (["kbtriage", "completion", "f"], ["fish"]),
    (["kbtriage", "check", "wor"], [])])
def test_bash_offers(words: list[str], offered: list[str]) -> None:
    assert completed(*words) == offered


@pytest.mark.skipif(not shutil.which("fish"), reason="fish is not installed")
@pytest.mark.parametrize(("line", "offered"), [
    ("kbtriage ch", "check"), ("kbtriage check --format ", "json"),
    ("kbtriage kb ", "show"), ("kbtriage schema ", "report")])
def test_fish_offers(line: str, offered: str) -> None:
    code = f"{script('fish', build_parser())}\ncomplete -C '{line}'"
    done = subprocess.run(["fish", "--no-config", "-c", code], capture_output=True, text=True,
                          check=True)
    assert offered in [row.split("\t")[0] for row in done.stdout.splitlines()]
