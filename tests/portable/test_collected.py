"""Collecting and checking elsewhere says what checking the logs themselves says."""

from __future__ import annotations

import gzip
import io
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.cli.main import main
from assistant.evidence import keep
from assistant.pipeline import Knowledge, Reading, check
from assistant.portable import kbt, load, read
from assistant.portable.kbt import Collection
from assistant.portable.known import marks
from assistant.render.terminal import render
from assistant.report.json_form import to_dict
from assistant.report.types import Report
from tests import scoring

CASES = Path(__file__).parent.parent / "cases"
LAB, REPORTED = CASES / "lab", CASES / "reported"
FEW = keep.Keep(first_hits=2, last_hits=1, first_rows=1, last_rows=2, abnormal_rows=1,
                largest_rows=1, stretches=1, strided_rows=2)
#: The logs of one job on two nodes.
TWO = LAB / "two-exc-rank3"


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KBTRIAGE_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return Knowledge()


def told(report: Report) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(json.dumps(to_dict(report)))
    return loaded


def collect(*paths: Path, to: Path, node: str | None = None) -> Path:
    assert main(["collect", *map(str, paths), "-o", str(to),
                 *(["--node", node] if node else [])]) == 0
    return to


def checked(*paths: Path) -> Report:
    return check([str(path) for path in paths], jobs=1)


@pytest.mark.parametrize("case", [*scoring.cases(LAB), *scoring.cases(REPORTED)],
                         ids=lambda path: path.name)
def test_the_same_report(case: Path, knowledge: Knowledge) -> None:
    logs = str(case / str(scoring.expectation(case).get("input", ".")))
    evidence = knowledge.scan([logs], Reading(jobs=1))
    packed = io.BytesIO()
    kbt.write(Collection(evidence, marks(knowledge.rules.patterns())), packed)
    loaded = kbt.read(packed).evidence
    assert told(knowledge.report(knowledge.diagnose(loaded), loaded, "en")) == told(
        knowledge.report(knowledge.diagnose(evidence), evidence, "en"))


def test_nodes_in_files_of_their_own(tmp_path: Path) -> None:
    files = [collect(TWO / name, to=tmp_path / f"{name}.kbt") for name in ("node-a", "node-b")]
    direct = told(checked(TWO / "node-a", TWO / "node-b"))
    assert told(checked(*files)) == direct
    assert told(checked(*reversed(files))) == direct
    assert told(checked(tmp_path)) == direct  # a folder of nothing but such files
    assert told(checked(tmp_path / "*.kbt")) == direct


@pytest.mark.parametrize("swapped", [False, True])
def test_any_mix_of_files_and_folders(tmp_path: Path, swapped: bool) -> None:
    here, there = ("node-b", "node-a") if swapped else ("node-a", "node-b")
    file = collect(TWO / there, to=tmp_path / f"{there}.kbt")
    assert told(checked(TWO / here, file)) == told(checked(TWO / "node-a", TWO / "node-b"))


def test_several_folders_in_one_file(tmp_path: Path) -> None:
    file = collect(TWO / "node-a", TWO / "node-b", to=tmp_path / "all.kbt")
    assert told(checked(file)) == told(checked(TWO / "node-a", TWO / "node-b"))


def test_nodes_whose_folders_are_called_alike(tmp_path: Path) -> None:
    """The logs of each lie in msrun_log; the file's name, or --node, says which node it is."""
    for name in ("node-a", "node-b"):
        shutil.copytree(next((TWO / name).rglob("worker_*.log")).parent,
                        tmp_path / name / "msrun_log")
    by_file = [collect(tmp_path / name / "msrun_log", to=tmp_path / f"{name}.kbt")
               for name in ("node-a", "node-b")]
    by_name = [collect(tmp_path / name / "msrun_log", to=tmp_path / f"x-{name}.kbt", node=name)
               for name in ("node-a", "node-b")]
    one, other = checked(*by_file), checked(*by_name)
    assert told(one) == told(other)
    assert {row.file for row in one.ranks if row.file} >= {"node-a/worker_0.log",
                                                           "node-b/worker_2.log"}


def test_one_name_for_two_nodes(tmp_path: Path) -> None:
    files = [collect(TWO / name, to=tmp_path / f"{name}.kbt", node="n")
             for name in ("node-a", "node-b")]
    merged = load.load([str(file) for file in files], {}, {})
    names = [file.name for evidence in merged.evidences for file in evidence.files]
    assert len(names) == len(set(names)) > 4


def test_steps_name_the_path_on_the_node(tmp_path: Path) -> None:
    logs = tmp_path / "data" / "msrun_log"
    shutil.copytree(LAB / "exc-rank2" / "msrun_log", logs)
    file = collect(logs, to=tmp_path / "n.kbt")
    shutil.rmtree(logs)
    assert any(f"{logs}/worker_2.log" in step for step in checked(file).findings[0].steps)


def test_steps_name_a_path_that_is_there_when_two_nodes_call_it_alike(tmp_path: Path) -> None:
    """The same path on this machine and on the node whose logs were collected."""
    logs = tmp_path / "msrun_log"
    shutil.copytree(LAB / "exc-rank2" / "msrun_log", logs)
    file = collect(logs, to=tmp_path / "other.kbt")
    steps = checked(file, logs).findings[0].steps
    assert any(f"{logs}/worker_2.log" in step for step in steps)
    assert not any("msrun_log/msrun_log" in step for step in steps)


@pytest.mark.parametrize("command", ["collect", "watch"])
def test_what_was_collected_is_no_log(command: str, tmp_path: Path,
                                      capsys: pytest.CaptureFixture[str]) -> None:
    file = collect(LAB / "exc-rank2" / "msrun_log", to=tmp_path / "n.kbt")
    capsys.readouterr()
    assert main([command, str(file)]) == 2
    error = capsys.readouterr().err
    assert "n.kbt: was collected" in error and "kbtriage check" in error


def test_a_file_that_was_compressed_once_more_is_refused(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = collect(LAB / "exc-rank2" / "msrun_log", to=tmp_path / "n.kbt")
    packed = tmp_path / "n.kbt.gz"
    packed.write_bytes(gzip.compress(file.read_bytes()))
    assert main(["check", str(packed)]) == 2
    assert "n.kbt.gz: it is compressed" in capsys.readouterr().err


def test_through_pipes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                       capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    logs = LAB / "exc-rank2" / "msrun_log"
    assert main(["collect", str(logs), "-o", "-"]) == 0
    packed = capfdbinary.readouterr().out
    direct = told(checked(logs))
    assert told(check(["-"], stdin=io.BytesIO(packed))) == direct
    assert told(check(["-"], stdin=_Pipe(packed))) == direct
    log = (logs / "worker_2.log").read_bytes()
    assert told(check(["-"], stdin=_Pipe(log))) == told(check(["-"], stdin=io.BytesIO(log)))


class _Pipe(io.BytesIO):
    def seekable(self) -> bool:
        return False

    def seek(self, offset: int, whence: int = 0) -> int:
        raise OSError("a pipe")


def test_a_broken_file_alone_is_refused(tmp_path: Path,
                                        capsys: pytest.CaptureFixture[str]) -> None:
    file = collect(LAB / "exc-rank2", to=tmp_path / "n.kbt")
    file.write_bytes(file.read_bytes()[:-40])
    capsys.readouterr()
    assert main(["check", str(file)]) == 2
    error = capsys.readouterr().err
    assert "n.kbt: it is damaged or cut short" in error and "collect it again" in error


def test_a_broken_file_among_others_is_named(tmp_path: Path) -> None:
    good = collect(TWO / "node-a", to=tmp_path / "node-a.kbt")
    bad = collect(TWO / "node-b", to=tmp_path / "node-b.kbt")
    bad.write_bytes(bad.read_bytes()[:-40])
    other = tmp_path / "other.kbt"
    other.write_bytes(b"something else")
    report = checked(good, bad, other)
    assert {row.file.rpartition("/")[2] for row in report.inputs.skipped} == {
        "node-b.kbt", "other.kbt"}
    assert report.verdict != "healthy" and report.inputs.files > 0


def test_a_lost_node_is_never_healthy(tmp_path: Path) -> None:
    good = collect(LAB / "ok-dp4" / "msrun_log", to=tmp_path / "good.kbt")
    assert checked(good).verdict == "healthy"
    bad = tmp_path / "bad.kbt"
    bad.write_bytes(good.read_bytes()[:-1])
    report = checked(good, bad)
    assert report.verdict == "inconclusive"
    assert "not everything could be read" in render(report)


def test_a_rule_that_was_not_known_is_not_judged(tmp_path: Path, knowledge: Knowledge) -> None:
    """Its lines were not looked for: that there are none says nothing."""
    evidence = knowledge.scan([str(LAB / "nonorm" / "msrun_log")], Reading(jobs=1))
    known = marks(knowledge.rules.patterns())
    lost = "launch.graph-mode-instead-of-pynative"
    assert known.pop(lost)
    file = tmp_path / "old.kbt"
    with file.open("wb") as stream:
        kbt.write(Collection(evidence, known), stream)
    loaded = load.load([str(file)], {}, marks(knowledge.rules.patterns()))
    assert loaded.not_known == (lost,)
    asked = {str(f.rule.id) for f in knowledge.diagnose(
        load.whole(loaded, None), without=frozenset(loaded.not_known)).findings}
    assert lost not in asked
    report = checked(file)
    assert any(lost in remark and "collect again" in remark for remark in report.inputs.remarks)


def test_a_name_that_cannot_be_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["collect", str(LAB / "ok-dp4"), "--node", "a/b"]) == 2
    assert "--node" in capsys.readouterr().err


def test_the_default_file_is_called_after_the_host(tmp_path: Path,
                                                   monkeypatch: pytest.MonkeyPatch,
                                                   capsys: pytest.CaptureFixture[str]) -> None:
    import socket

    monkeypatch.setattr(socket, "gethostname", lambda: "node-7.example.org")
    monkeypatch.chdir(tmp_path)
    assert main(["collect", str(LAB / "ok-dp4" / "msrun_log")]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["node-7.kbt"]
    assert capsys.readouterr().out.startswith("node-7.kbt: ")


def test_a_file_that_cannot_be_written(tmp_path: Path,
                                       capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["collect", str(LAB / "ok-dp4" / "msrun_log"), "-o",
                 str(tmp_path / "no" / "x.kbt")]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_without_collected_files_nothing_of_this_is_imported() -> None:
    import subprocess

    code = ("import sys; from assistant.cli.main import main; "
            f"main(['check', {str(LAB / 'ok-dp4' / 'msrun_log')!r}, '--jobs', '1']); "
            "sys.exit(any(name.startswith(('assistant.portable', 'zstandard')) "
            "for name in sys.modules))")
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL,
                          check=False).returncode == 0


@pytest.fixture
def many(tmp_path: Path, knowledge: Knowledge, monkeypatch: pytest.MonkeyPatch
         ) -> tuple[list[Path], list[Path]]:
    """Folders of four nodes with ten logs each, and what was collected of each; forty logs
    are so many that less is kept."""
    monkeypatch.setattr(keep, "MANY_FILES", 30)
    for module in (keep, load, read):
        monkeypatch.setattr(module, "LIGHT", FEW)
    source = LAB / "ok-dp4" / "msrun_log" / "worker_0.log"
    for rank in range(40):
        folder = tmp_path / "logs" / f"node-{rank // 10}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"worker_{rank}.log").write_bytes(source.read_bytes())
    nodes = sorted((tmp_path / "logs").iterdir())
    files = []
    for node in nodes:
        files.append(tmp_path / f"{node.name}.kbt")
        with files[-1].open("wb") as stream:
            kbt.write(Collection(knowledge.scan([str(node)], Reading(jobs=1))), stream)
    return nodes, files


def loaded_from(files: list[Path], **options: Any) -> load.Loaded:
    paths = [str(file) for file in files]
    return load.load(paths, load.labels_for(paths, []), {}, **options)


def test_of_thousands_of_files_less_is_kept(many: tuple[list[Path], list[Path]],
                                            knowledge: Knowledge) -> None:
    """However the files come, the evidence is the same."""
    nodes, files = many
    direct = knowledge.scan([str(node) for node in nodes], Reading(jobs=1))
    assert load.whole(loaded_from(files), None).files == direct.files
    assert 0 < len(direct.files[0].series.steps) < 10
    paths = [str(file) for file in files[1:]]
    labels = load.labels_for(paths, [str(nodes[0])])
    scanned = knowledge.scan([str(nodes[0])], Reading(jobs=1), labels=labels)
    assert load.whole(load.load(paths, labels, {}), scanned).files == direct.files


def test_damaged_files_do_not_count_as_many(many: tuple[list[Path], list[Path]]) -> None:
    _, files = many
    for file in files[:2]:
        file.write_bytes(file.read_bytes()[:-1])
    found = loaded_from(files)
    assert len(found.skipped) == 2
    assert [evidence.files for evidence in found.evidences] == [
        evidence.files for file in files[2:]
        for evidence in loaded_from([*files[:2], file]).evidences]
    assert all(len(file.series.steps) == 10
               for evidence in found.evidences for file in evidence.files)


def test_standard_input_counts_with_the_files(many: tuple[list[Path], list[Path]]) -> None:
    _, files = many
    labels = load.labels_for([str(file) for file in files], [])
    paths = [*map(str, files[:3]), "-"]
    with files[3].open("rb") as stdin:
        found = load.load(paths, {**labels, "-": labels[str(files[3])]}, {}, stdin)
    assert found == loaded_from(files)
    assert load.load(["-"], {}, {}, io.BytesIO(b"no")).skipped[0].file == "-"


@pytest.fixture
def in_parallel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few files are enough for several processes."""
    monkeypatch.setattr(read, "PARALLEL_BYTES", 0)
    monkeypatch.setattr(read, "_TASK_BYTES", 1)


@pytest.mark.parametrize("jobs", [2, 3, None])
def test_several_processes_load_the_same(many: tuple[list[Path], list[Path]], in_parallel: None,
                                         tmp_path: Path, jobs: int | None) -> None:
    _, files = many
    bad = tmp_path / "bad.kbt"
    bad.write_bytes(files[0].read_bytes()[:-1])
    for some in ([*files, bad], files[:2], [bad, files[0]]):
        assert loaded_from(some, jobs=jobs) == loaded_from(some)


def test_a_process_that_dies_costs_nothing(many: tuple[list[Path], list[Path]],
                                           in_parallel: None,
                                           monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    _, files = many
    expected, own, reads = loaded_from(files), os.getpid(), read._read

    def dies(path: str, *rest: Any) -> Any:
        if os.getpid() != own and path.endswith("node-1.kbt"):
            os._exit(9)
        return reads(path, *rest)

    monkeypatch.setattr(read, "_read", dies)
    assert loaded_from(files, jobs=2) == expected
