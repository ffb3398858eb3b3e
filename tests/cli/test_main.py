from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from assistant import __version__, pipeline
from assistant.cli import main as cli
from assistant.cli.parser import build_parser
from assistant.errors import UsageError

ROOT = Path(__file__).resolve().parent.parent.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}
COMMAND = [sys.executable, "-m", "assistant"]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True,
                          env=ENVIRONMENT, check=False)


def test_version() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"kbtriage {__version__}\n", "")


def test_version_imports_nothing_heavy() -> None:
    code = ("import sys\nfrom assistant.cli.main import main\n"
            "try: main(['--version'])\nexcept SystemExit: pass\n"
            "heavy = {'yaml', 'jsonschema', 'hyperscan', 're2', 'rich', 'markdown_it', 'zstandard',"
            " 'flask', 'multiprocessing', 'assistant.pipeline'} & set(sys.modules)\n"
            "sys.exit(str(heavy) if heavy else 0)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env=ENVIRONMENT, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def subcommands(parser: argparse.ArgumentParser) -> list[list[str]]:
    found: list[list[str]] = [[]]
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, child in action.choices.items():
                found += [[name, *rest] for rest in subcommands(child)]
    return found


@pytest.mark.parametrize("words", subcommands(build_parser()), ids=" ".join)
def test_every_help_has_a_usage_and_the_commands_examples(
        words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main([*words, "--help"])
    shown = capsys.readouterr().out
    assert end.value.code == 0
    assert shown.startswith("usage: " + " ".join(["kbtriage", *words]))
    if len(words) < 2:
        assert "examples:\n  " in shown


def test_without_a_command_the_usage_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main([])
    assert end.value.code == 2
    assert "COMMAND" in capsys.readouterr().err


def failing(error: BaseException) -> Callable[..., object]:
    def check(*_: object, **__: object) -> object:
        raise error
    return check


@pytest.mark.parametrize(("error", "status", "says"), [
    (UsageError("no such path: x\x1b[2J\nlooked in y"), 2,
     "kbtriage: no such path: x\\x1b[2J\nlooked in y\n"),
    (KeyboardInterrupt(), 130, ""),
    (BrokenPipeError(), 0, ""),
])
def test_how_a_command_ends(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str],
                            error: BaseException, status: int, says: str) -> None:
    monkeypatch.setattr(pipeline, "examine", failing(error))
    monkeypatch.setattr("assistant.cli.output.forget_output", lambda: None)
    assert cli.main(["check", "x"]) == status
    shown = capfd.readouterr()
    assert (shown.out, shown.err) == ("", says)


def test_a_defect_is_told_from_a_failed_job(monkeypatch: pytest.MonkeyPatch,
                                            capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(pipeline, "examine", failing(ZeroDivisionError("x")))
    assert cli.main(["check", "x"]) == 70
    shown = capfd.readouterr().err
    assert "ZeroDivisionError: x" in shown
    assert "a defect of kbtriage" in shown


def test_ctrl_c_ends_quietly(tmp_path: Path) -> None:
    fifo = tmp_path / "worker_0.log"
    # A shell that starts the tests behind `&` has them ignore it: the program says for itself.
    code = ("import signal, time\nfrom assistant import pipeline\n"
            "from assistant.cli.main import main\nimport sys\n"
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "def check(*a, **k):\n    print('now', flush=True)\n    time.sleep(60)\n"
            "pipeline.examine = check\nsys.exit(main(['check', 'x']))")
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
    assert process.stdout is not None
    assert process.stdout.readline() == "now\n"
    process.send_signal(signal.SIGINT)
    start = time.monotonic()
    _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (130, "")
    assert time.monotonic() - start < 10
    assert not fifo.exists()


@pytest.mark.parametrize("arguments", [["--help"], ["schema", "report"], ["completion", "bash"]])
def test_a_closed_pipe_is_no_error(arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as pipe:
        done = subprocess.run([*COMMAND, *arguments], stdout=pipe, stderr=subprocess.PIPE,
                              text=True, env=ENVIRONMENT, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_full_disk_is_told() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run([*COMMAND, "schema", "report"], stdout=full, stderr=subprocess.PIPE,
                              text=True, env=ENVIRONMENT, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("kbtriage: standard output: cannot be written")


@pytest.mark.parametrize(("words", "told"), [
    (["-dash"], True), (["--no-such-option"], False), (["x", "-q", "-z"], True)])
def test_a_path_that_begins_with_a_dash(words: list[str], told: bool,
                                        capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["check", *words])
    assert ended.value.code == 2
    assert ("stands behind --, or begins with ./" in capsys.readouterr().err) == told


@pytest.mark.parametrize("words", [
    ["check", "x", "-o", ""], ["check", "x", "--redact", "--redact-map", ""],
    ["report", "--issue", "x", "-o", ""], ["collect", "x", "-o", ""], ["schema", "rule", "-o", ""],
    ["rules", "lint", "-o", ""], ["rules", "test", "--junit", ""]], ids=" ".join)
def test_a_file_without_a_name_is_refused(words: list[str],
                                          capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(words)
    shown = capsys.readouterr()
    assert (end.value.code, shown.out) == (2, "")
    assert "the name of the file is empty" in shown.err
