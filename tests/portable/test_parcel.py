"""An archive of files of collected evidence is read as these files are."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.cli.main import main

LOGS = Path(__file__).parent.parent / "cases" / "lab" / "exc-rank2" / "msrun_log"
Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Two files of collected evidence, by name: of two ranks each."""
    folder = tmp_path_factory.mktemp("nodes")
    found = {}
    for node, ranks in (("node-1", (0, 1)), ("node-2", (2, 3))):
        logs = [str(LOGS / f"worker_{rank}.log") for rank in ranks]
        assert main(["collect", *logs, "-o", str(folder / f"{node}.kbt"), "--jobs", "1"]) == 0
        found[f"{node}.kbt"] = (folder / f"{node}.kbt").read_bytes()
    return found


def tar(path: Path, files: dict[str, bytes], mode: str) -> None:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))


def zipped(path: Path, files: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)


def checked(capsys: Capture, *paths: Path) -> dict[str, object]:
    capsys.readouterr()
    main(["check", *map(str, paths), "--format", "json", "--jobs", "1"])
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return {key: found[key] for key in ("verdict", "findings", "ranks", "inputs")}


@pytest.mark.parametrize(("name", "make"), [
    ("nodes.tar", lambda path, files: tar(path, files, "w:")),
    ("nodes.tar.gz", lambda path, files: tar(path, files, "w:gz")),
    ("nodes.tar.xz", lambda path, files: tar(path, files, "w:xz")),
    ("nodes.zip", zipped)])
def test_the_same_report_as_of_the_files(tmp_path: Path, capsys: Capture,
                                         collected: dict[str, bytes], name: str,
                                         make: Callable[[Path, dict[str, bytes]], None]) -> None:
    for file, content in collected.items():
        (tmp_path / file).write_bytes(content)
    make(tmp_path / name, collected)
    apart = checked(capsys, *(tmp_path / file for file in collected))
    assert apart["verdict"] == "failed"
    assert checked(capsys, tmp_path / name) == apart


def test_what_is_damaged_is_told_and_the_rest_read(tmp_path: Path, capsys: Capture,
                                                   collected: dict[str, bytes]) -> None:
    first, second = collected
    tar(tmp_path / "a.tar", {first: collected[first], "b.kbt": b"x", "c.txt": b"y"}, "w:")
    inputs = checked(capsys, tmp_path / "a.tar")["inputs"]
    assert isinstance(inputs, dict)
    assert [one["file"].rpartition("/")[2] for one in inputs["skipped"]] == ["b.kbt"]
    tar(tmp_path / "cut.tar", collected, "w:")
    whole = (tmp_path / "cut.tar").read_bytes()
    (tmp_path / "cut.tar").write_bytes(whole[:whole.rindex(second.encode()) + 1024])
    inputs = checked(capsys, tmp_path / "cut.tar")["inputs"]
    assert isinstance(inputs, dict)
    assert "cannot be read to its end" in inputs["skipped"][0]["why"]
    assert inputs["files"] == 2
    (tmp_path / "cut.tar").write_bytes(whole[:1024])
    assert main(["check", str(tmp_path / "cut.tar")]) == 2


def test_among_logs_it_is_told_how(tmp_path: Path, capsys: Capture,
                                   collected: dict[str, bytes]) -> None:
    log = (LOGS / "worker_0.log").read_bytes()
    tar(tmp_path / "mixed.tar", {"worker_0.log": log, **collected}, "w:")
    inputs = checked(capsys, tmp_path / "mixed.tar")["inputs"]
    assert isinstance(inputs, dict)
    assert [one["file"] for one in inputs["skipped"]] == list(collected)
    assert all("unpack it and give it as well" in one["why"] for one in inputs["skipped"])


def test_nobody_collects_what_is_collected(tmp_path: Path, capsys: Capture,
                                           collected: dict[str, bytes]) -> None:
    tar(tmp_path / "nodes.tar", collected, "w:")
    assert main(["collect", str(tmp_path / "nodes.tar"), "-o", str(tmp_path / "x.kbt")]) == 2
    assert "was collected already" in capsys.readouterr().err
