from __future__ import annotations

import io
import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from assistant import pipeline
from assistant.cli.main import main
from assistant.report.types import Report
from tests.render import samples


class Checked:
    """Stands in for the pipeline: gives a report and remembers how it was called."""

    def __init__(self, report: Report) -> None:
        self.made = report
        self.paths: list[str] = []
        self.options: dict[str, Any] = {}
        self.lang = ""

    def __call__(self, paths: list[str], **options: Any) -> Checked:
        self.paths, self.options = paths, options
        return self

    def report(self, lang: str) -> Report:
        self.lang = lang
        return self.made


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> Checked:
    stand_in = Checked(samples.exception_on_rank2())
    monkeypatch.setattr(pipeline, "examine", stand_in)
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return stand_in


@pytest.mark.parametrize(("verdict", "status", "with_exit_zero"), [
    ("healthy", 0, 0), ("degraded", 1, 0), ("failed", 1, 0), ("hung", 1, 0),
    ("inconclusive", 3, 3)])
def test_exit_status(checked: Checked, verdict: str, status: int, with_exit_zero: int) -> None:
    checked.made = samples.healthy_pipeline()
    object.__setattr__(checked.made, "verdict", verdict)
    assert main(["check", "x"]) == status
    assert main(["check", "x", "--exit-zero"]) == with_exit_zero


def test_options_reach_the_pipeline(checked: Checked) -> None:
    main(["check", "a", "b", "--pack", "p", "--pack", "q", "--jobs", "3", "--engine", "re2",
          "--no-cache", "--lang", "zh"])
    assert checked.paths == ["a", "b"]
    assert {**checked.options, "progress": None, "notify": None} == {
        "packs": ["p", "q"], "jobs": 3, "engine": "re2", "cache": False,
        "progress": None, "notify": None, "stdin": None}
    assert checked.lang == "zh"


def test_a_slower_engine_is_told_on_standard_error(checked: Checked,
                                                   capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "x"])
    checked.options["notify"]("RE2 takes its place")
    assert capsys.readouterr().err == "kbtriage: RE2 takes its place\n"


def test_standard_input_is_given_only_when_asked_for(checked: Checked,
                                                     monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(b"x"))
    monkeypatch.setattr(sys, "stdin", stream)
    main(["check", "-"])
    assert checked.options["stdin"] is stream.buffer


def test_the_default_path(checked: Checked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                          capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["check"]) == 2
    assert "there is no output/msrun_log here" in capsys.readouterr().err
    (tmp_path / "output" / "msrun_log").mkdir(parents=True)
    assert main(["check"]) == 1
    assert checked.paths == ["output/msrun_log"]


@pytest.mark.parametrize("value", ["0", "-1", "x", "1.5"])
def test_jobs_must_be_a_number_of_at_least_one(value: str, checked: Checked) -> None:
    with pytest.raises(SystemExit) as end:
        main(["check", "x", f"--jobs={value}"])
    assert end.value.code == 2


def test_json_is_all_that_standard_output_holds(checked: Checked,
                                                capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "x", "--format", "json"])
    shown = capsys.readouterr()
    assert json.loads(shown.out)["schema"] == "kbtriage.report/1"
    assert shown.err == ""


@pytest.mark.parametrize(("name", "options", "start"), [
    ("r.json", [], "{"), ("r.md", [], "# kbtriage report"), ("r.txt", [], "FAILED"),
    ("r.json", ["--format", "markdown"], "# kbtriage report")])
def test_output_into_a_file(checked: Checked, tmp_path: Path, name: str, options: list[str],
                            start: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / name
    file.write_text("old")
    file.chmod(0o644)
    assert main(["check", "x", "-o", str(file), *options]) == 1
    assert file.read_text(encoding="utf-8").startswith(start)
    assert capsys.readouterr().out == ""
    assert os.listdir(tmp_path) == [name]
    assert stat.S_IMODE(file.stat().st_mode) & 0o400


def test_a_file_that_cannot_be_written_is_told(checked: Checked, tmp_path: Path,
                                               capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "nowhere" / "r.json"
    assert main(["check", "x", "-o", str(file)]) == 2
    assert "r.json: cannot be written: No such file or directory" in capsys.readouterr().err
    assert main(["check", "x", "-o", str(tmp_path)]) == 2


def test_a_device_or_pipe_is_written_directly(checked: Checked) -> None:
    assert main(["check", "x", "-o", "/dev/null"]) == 1


def test_a_link_is_followed(checked: Checked, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "real")
    main(["check", "x", "-o", str(tmp_path / "link")])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text().startswith("FAILED")


class Screen(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("options", "environment", "coloured"), [
    ([], {}, True), (["--color", "never"], {}, False), ([], {"NO_COLOR": "1"}, False),
    ([], {"TERM": "dumb"}, False), (["--color=always"], {"NO_COLOR": "1"}, True)])
def test_colour_on_a_terminal(checked: Checked, monkeypatch: pytest.MonkeyPatch,
                              options: list[str], environment: dict[str, str], coloured: bool
                              ) -> None:
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", screen := Screen())
    main(["check", "x", *options])
    assert ("\x1b[" in screen.getvalue()) is coloured


def test_no_colour_when_piped(checked: Checked, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "x"])
    assert "\x1b" not in capsys.readouterr().out


def test_what_the_encoding_cannot_show_is_escaped(checked: Checked,
                                                  monkeypatch: pytest.MonkeyPatch) -> None:
    checked.made = samples.exception_on_rank2("zh")
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, "ascii"))
    assert main(["check", "x", "--lang", "zh"]) == 1
    assert raw.getvalue().startswith(b"\\u5931\\u8d25")


def test_verbose_shows_more(checked: Checked, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "x"])
    short = capsys.readouterr().out
    main(["check", "x", "--verbose"])
    assert len(capsys.readouterr().out) > len(short)
