from __future__ import annotations

import gzip
import io
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from assistant.errors import UsageError
from assistant.evidence.types import Evidence, Skipped
from assistant.rules.ruleset import RuleSet
from assistant.rules.types import Landmark
from assistant.scan import scan_all
from assistant.sources import LogSource, find, open_file

RULES = RuleSet((), (Landmark("rank", (r"rank id: (?P<rank>\d+)",)),))
IN_PROCESSES = {"jobs": 2, "parallel_bytes": 0}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for rank in range(12):
        (tmp_path / f"worker_{rank}.log").write_text(f"rank id: {rank}\n" * (rank + 1))
    (tmp_path / "more.log.gz").write_bytes(gzip.compress(b"rank id: 99\n"))
    return tmp_path


def scan(folder: Path, **options: object) -> Evidence:
    return scan_all(find([str(folder)]), RULES, **options)  # type: ignore[arg-type]


def test_files_by_name_with_their_hits(folder: Path) -> None:
    evidence = scan(folder, inputs=["logs"])
    names = [file.name for file in evidence.files]
    assert names == sorted(names)
    assert len(names) == 13
    counts = {file.name: file.hits["landmark/rank"].count for file in evidence.files}
    assert counts["worker_11.log"] == 12
    assert counts["more.log.gz"] == 1
    assert evidence.inputs == ("logs",)


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_same_whatever_the_number_of_jobs(folder: Path, jobs: int) -> None:
    assert scan(folder, jobs=jobs, parallel_bytes=0) == scan(folder)


def test_same_whatever_the_order(folder: Path) -> None:
    found = list(find([str(folder)]))
    assert scan_all(reversed(found), RULES) == scan_all(found, RULES)


def test_sources_that_do_not_last_are_read_at_once() -> None:
    opened: list[str] = []

    def sources() -> Iterator[LogSource]:
        for name in ("b", "a"):
            stream = io.BytesIO(b"rank id: 1\n")
            yield LogSource(name, 11, None, None, lambda stream=stream: stream)  # type: ignore[misc]
            opened.append(name)
            assert stream.closed

    evidence = scan_all(sources(), RULES, **IN_PROCESSES)  # type: ignore[arg-type]
    assert [file.name for file in evidence.files] == ["a", "b"]
    assert opened == ["b", "a"]


def broken() -> LogSource:
    return LogSource("broken", 5, None, "/nowhere", partial(open_file, "/nowhere/at/all"))


def deadly(name: str) -> LogSource:
    return LogSource(name, 5, None, "/nowhere", partial(os._exit, 3))


@pytest.mark.parametrize("options", [{}, IN_PROCESSES])
def test_source_that_cannot_be_opened_is_skipped(folder: Path, options: dict[str, int]) -> None:
    evidence = scan_all([*find([str(folder)]), broken(), Skipped("pipe", "it is a pipe")], RULES,
                        **options)  # type: ignore[arg-type]
    assert len(evidence.files) == 13
    assert evidence.skipped == (Skipped("broken", "no such file or directory"),
                                Skipped("pipe", "it is a pipe"))


def test_source_that_breaks_the_scan_is_skipped() -> None:
    source = LogSource("odd", 5, None, None, lambda: None)  # type: ignore[arg-type, return-value]
    (skipped,) = scan_all([source], RULES).skipped
    assert skipped.file == "odd"
    assert "fault of this program" in skipped.why


def test_source_of_which_a_process_dies_is_skipped(folder: Path) -> None:
    sources = list(find([str(folder)]))
    evidence = scan_all([deadly("x"), *sources, deadly("y")], RULES,
                        **IN_PROCESSES)  # type: ignore[arg-type]
    assert evidence.files == scan(folder).files
    assert [item.file for item in evidence.skipped] == ["x", "y"]
    assert "died" in evidence.skipped[0].why


@pytest.mark.parametrize("options", [{}, IN_PROCESSES])
def test_progress_ends_at_the_total(folder: Path, options: dict[str, int]) -> None:
    seen: list[tuple[int, int]] = []
    scan(folder, progress=lambda done, total: seen.append((done, total)), **options)
    assert seen == sorted(seen)
    assert seen[-1][0] == seen[-1][1] > 0


def test_bad_engine_is_refused(folder: Path) -> None:
    with pytest.raises(UsageError):
        scan(folder, engine="none")
