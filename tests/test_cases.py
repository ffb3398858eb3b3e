"""Real cases, through the whole way from paths to the report.

Each folder of tests/cases/lab holds the logs of one real msrun job and what must be said of
it (see tests/scoring.py).
"""

from __future__ import annotations

import io
import json
import posixpath
import shutil
import tarfile
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest

from assistant import pipeline
from assistant.render import json_text, terminal
from assistant.report.json_form import schema_text
from assistant.report.types import Report
from tests import scoring

SCHEMA = json.loads(schema_text())
LAB = Path(__file__).parent / "cases" / "lab"
CASES = scoring.cases(LAB)
HEALTHY = [case for case in CASES if scoring.expectation(case)["verdict"] == "healthy"]
FILES = sorted(path for path in LAB.rglob("*") if path.suffix in (".log", ".txt"))
#: A line as any script prints it.
BENIGN = b"nothing of note here\n"


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One cache of compiled patterns for all, and not the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KBTRIAGE_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


def name_of(path: Path) -> str:
    return str(path.relative_to(LAB))


def logs_of(case: Path) -> Path:
    """The folder that a case is about."""
    return case / str(scoring.expectation(case).get("input", "."))


def check(*paths: Path, lang: str = "en", stdin: io.BytesIO | None = None) -> Report:
    return pipeline.check([str(path) for path in paths] or ["-"], lang=lang, jobs=1, stdin=stdin)


def as_json(report: Report) -> dict[str, Any]:
    """The report as other programs see it, held against the schema that is shipped."""
    loaded: dict[str, Any] = json.loads(json_text(report))
    jsonschema.validate(loaded, SCHEMA)
    return loaded


def told(report: Report) -> list[tuple[Any, ...]]:
    """Verdict and findings, without the places where they stand."""
    return [(report.verdict,), *((f.rule, f.role, f.explained_by, f.ranks, f.codes, f.count)
                                 for f in report.findings)]


def assert_quoted_as_it_stands(report: Report, texts: dict[str, bytes]) -> None:
    """Every quoted line stands in the input, under the number that is given."""
    for quote in [q for f in report.findings for q in f.evidence] + [
            row.evidence for row in report.unexplained]:
        line = texts[quote.file].split(b"\n")[quote.line - 1].decode("utf-8", "replace")
        assert quote.text.strip() and quote.text.strip("…") in line, quote


def texts_below(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes()
            for path in folder.rglob("*") if path.is_file()}


def test_the_cases_are_there() -> None:
    assert len(CASES) >= 17 and len(HEALTHY) >= 3 and len(FILES) >= 60


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_a_case_is_judged_as_it_should(case: Path) -> None:
    report = check(logs_of(case))
    assert list(scoring.faults(scoring.expectation(case), as_json(report))) == []
    assert_quoted_as_it_stands(report, texts_below(logs_of(case)))


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_a_parent_folder(case: Path, tmp_path: Path) -> None:
    shutil.copytree(logs_of(case), tmp_path / "somewhere" / "below")
    report = check(tmp_path)
    assert list(scoring.faults(scoring.expectation(case), as_json(report))) == []
    assert_quoted_as_it_stands(report, texts_below(tmp_path))


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_an_archive_says_the_same(case: Path, tmp_path: Path) -> None:
    archive = tmp_path / "logs.tar.gz"
    with tarfile.open(archive, "w:gz") as out:
        out.add(logs_of(case), "job")
    report = check(archive)
    as_json(report)
    assert told(report) == told(check(logs_of(case)))


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_single_file_through_standard_input(path: Path) -> None:
    content = path.read_bytes()
    report = check(stdin=io.BytesIO(content))
    as_json(report)
    names = {q.file for f in report.findings for q in f.evidence} | {
        row.evidence.file for row in report.unexplained}
    assert_quoted_as_it_stands(report, dict.fromkeys(names, content))
    assert len(names) <= 1


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("case", HEALTHY, ids=name_of)
def test_a_healthy_job_is_told_in_a_few_lines(case: Path, lang: str) -> None:
    report = check(logs_of(case), lang=lang)
    assert report.verdict == "healthy"
    assert not [f.rule for f in report.findings
                if f.role != "note" and f.severity in ("error", "warning")]
    text = terminal.render(report, 80, False)
    assert len(text.rstrip("\n").split("\n")) <= 12


@pytest.mark.parametrize("case", CASES, ids=name_of)
@pytest.mark.parametrize("seed", range(3))
def test_logs_that_are_cut_anywhere(case: Path, seed: int, tmp_path: Path) -> None:
    """What is no longer there is not quoted, and nothing breaks."""
    random = Random(f"{case.name} {seed}")
    folder = tmp_path / "logs"
    shutil.copytree(logs_of(case), folder)
    for path in sorted(p for p in folder.rglob("*.log")):
        size = path.stat().st_size
        with path.open("r+b") as file:
            file.truncate(random.choice([0, size, random.randint(0, size),
                                         random.randint(0, size)]))
    report = check(tmp_path)
    as_json(report)
    assert_quoted_as_it_stands(report, texts_below(tmp_path))


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_the_order_of_paths_changes_nothing(case: Path) -> None:
    paths = sorted(p for p in logs_of(case).rglob("*.log"))
    shuffled = list(paths)
    Random(case.name).shuffle(shuffled)
    assert as_json(check(*paths)) == as_json(check(*shuffled))


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_a_benign_line_changes_no_finding(case: Path, tmp_path: Path) -> None:
    random = Random(case.name)
    folder = tmp_path / "logs"
    shutil.copytree(logs_of(case), folder)
    for path in sorted(folder.rglob("worker_*.log")):
        content = path.read_bytes()
        if content:  # an empty log is a finding of its own
            path.write_bytes(BENIGN * random.randint(1, 3) + content)
    assert told(check(folder)) == told(check(logs_of(case)))


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_no_line_is_blamed_twice(case: Path) -> None:
    """Two causes that rest on one line are one cause, or one explains the other."""
    blamed = [f for f in check(logs_of(case)).findings
              if f.role == "cause" and f.severity in ("error", "warning")]
    for one, other in combinations(blamed, 2):
        shared = {(q.file, q.line) for q in one.evidence} & {
            (q.file, q.line) for q in other.evidence}
        assert not shared, (one.rule, other.rule)


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_both_languages_say_the_same(case: Path) -> None:
    english, chinese = check(logs_of(case)), check(logs_of(case), lang="zh")
    assert told(english) == told(chinese)
    for one, other in zip(english.findings, chinese.findings, strict=True):
        assert len(one.steps) > 0 and len(other.steps) > 0
        assert any("\u4e00" <= c <= "\u9fff" for c in other.title)


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_what_tail_prints_of_a_case_is_the_case(case: Path, tmp_path: Path) -> None:
    """The logs of a case in one text with heads, as a file and on standard input."""
    texts = {name: text for name, text in texts_below(logs_of(case)).items()
             if name.endswith(".log")}
    shared = posixpath.commonpath([posixpath.dirname(name) for name in texts])
    paste = b"\n".join(b"==> %s <==\n%s" % (name.encode(), text) for name, text in texts.items())
    file = tmp_path / "paste.txt"
    file.write_bytes(paste)
    expected = told(check(logs_of(case)))
    shown = {posixpath.relpath(name, shared or "."): text for name, text in texts.items()}
    for report in (check(file), check(stdin=io.BytesIO(paste))):
        assert told(report) == expected
        assert_quoted_as_it_stands(report, shown)


@pytest.mark.parametrize("left_out", [None, 0, 1, 2, 3])
@pytest.mark.parametrize("nodes", [1, 2])
@pytest.mark.parametrize("port", [b"8886", b"50000"])
def test_a_killed_rank_is_found_in_worker_logs_alone(tmp_path: Path, left_out: int | None,
                                                     nodes: int, port: bytes) -> None:
    """Without scheduler.log and console.log, in one folder or two, one log missing or none, and
    whether or not the port of the connection that closed tells the rank."""
    for rank in {0, 1, 2, 3} - {left_out}:
        folder = tmp_path / (f"node-{rank // 2}" if nodes == 2 else "msrun_log")
        folder.mkdir(exist_ok=True)
        content = (LAB / "kill-rank3" / "msrun_log" / f"worker_{rank}.log").read_bytes()
        content = content.replace(b"port: 8886", b"port: " + port)
        (folder / f"worker_{rank}.log").write_bytes(content)
    report = check(tmp_path)
    assert report.verdict == "failed"
    assert (report.findings[0].category, report.findings[0].ranks) == ("crash", (3,))
    told_by_port = report.findings[0].rule == "crash.connection-closed-first"
    assert told_by_port == (port == b"8886" and left_out != 3)
    assert told_by_port or (report.findings[0].rule == "crash.peer-lost") == (left_out == 3)


@pytest.mark.parametrize("count", [4, 15, 44, 58, 61])
@pytest.mark.parametrize("case", HEALTHY, ids=name_of)
def test_the_last_lines_of_healthy_logs_miss_nothing(case: Path, tmp_path: Path,
                                                     count: int) -> None:
    """A start that `tail` has cut off explains what is missing of it."""
    for name, text in texts_below(logs_of(case)).items():
        if name.endswith(".log"):
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes(b"".join(text.splitlines(True)[-count:]))
    report = check(tmp_path)
    assert report.verdict in ("healthy", "inconclusive")
    assert [f.rule for f in report.findings if f.role == "cause"] == []


def test_a_failed_import_that_a_rerun_appended_is_not_taken_for_old(tmp_path: Path) -> None:
    """Worker logs of an earlier run, each with the failure of the last one below, which has no
    time; the scheduler's log is of the last run."""
    for rank in range(4):
        old = (LAB / "ok-dp4" / "msrun_log" / f"worker_{rank}.log").read_bytes()
        new = (LAB / "import-all" / "msrun_log" / f"worker_{rank}.log").read_bytes()
        (tmp_path / f"worker_{rank}.log").write_bytes(old + new)
    scheduler = LAB / "import-all" / "msrun_log" / "scheduler.log"
    (tmp_path / "scheduler.log").write_bytes(scheduler.read_bytes())
    report = check(tmp_path)
    assert report.verdict == "failed"
    assert (report.findings[0].rule, report.findings[0].ranks) == (
        "environment.missing-module", (0, 1, 2, 3))
