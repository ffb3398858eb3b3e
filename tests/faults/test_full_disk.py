"""A disk that is full: what is written is there whole or not at all, and it is said."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
CASE = ROOT / "tests" / "cases" / "lab" / "exc-rank2"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def run(folder: Path, cache: Path, *arguments: str, size: int = 100,
        stdout: int = subprocess.PIPE,
        environment: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command where no file may grow beyond `size` bytes (as on a disk that is full)."""
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return subprocess.run(
        [sys.executable, "-m", "assistant", *arguments], cwd=folder, stdout=stdout,
        stderr=subprocess.PIPE, text=True, check=False, preexec_fn=limit, timeout=300,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1",
             "KBTRIAGE_CACHE_DIR": str(cache), **(environment or {})})


def test_a_report_that_does_not_fit(tmp_path: Path, cache: Path) -> None:
    run(tmp_path, cache, "check", str(CASE), size=1 << 26)  # fills the cache
    old = tmp_path / "report.json"
    old.write_text("{}")
    done = run(tmp_path, cache, "check", str(CASE), "-o", "report.json")
    assert done.returncode == 2
    assert done.stderr == "kbtriage: report.json: cannot be written: File too large\n"
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(old.name, "{}")]


def test_collected_evidence_that_does_not_fit(tmp_path: Path, cache: Path) -> None:
    done = run(tmp_path, cache, "collect", str(CASE), "-o", "node.kbt")
    assert done.returncode == 2
    assert done.stderr == "kbtriage: node.kbt: cannot be written: File too large\n"
    assert list(tmp_path.iterdir()) == []


def test_a_cache_that_does_not_fit(tmp_path: Path) -> None:
    own = tmp_path / "cache"
    done = run(tmp_path, own, "check", str(CASE))
    assert done.returncode == 1
    line, = done.stderr.splitlines()
    assert "cannot be kept" in line and "File too large" in line
    assert [path.name for path in own.rglob("*") if path.is_file()] == []


def test_standard_output_that_is_full(tmp_path: Path, cache: Path) -> None:
    with open("/dev/full", "w") as full:
        done = run(tmp_path, cache, "check", str(CASE), size=1 << 26, stdout=full.fileno())
    assert done.returncode == 2
    assert "standard output: cannot be written" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_page_that_does_not_fit(tmp_path: Path, cache: Path) -> None:
    done = run(tmp_path, cache, "report", "--html", "-o", "page.html", str(CASE))
    assert done.returncode == 2
    assert done.stderr == "kbtriage: page.html: cannot be written: File too large\n"
    assert list(tmp_path.iterdir()) == []


def test_a_pack_that_does_not_fit(tmp_path: Path, cache: Path) -> None:
    done = run(tmp_path, cache, "pack", "new", "acme")
    assert done.returncode == 2
    line, = done.stderr.splitlines()
    assert "cannot be written: File too large" in line and "None" not in line
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_rule_that_is_mended_stays_as_it_was(tmp_path: Path, cache: Path) -> None:
    rule = tmp_path / "rule.yaml"
    rule.write_text("# a rule\nid: data.x\n" + "\n" * 120 + "summary: yes\n")
    before = rule.read_text()
    done = run(tmp_path, cache, "rules", "lint", "--fix", "rule.yaml")
    assert done.returncode == 2
    assert "rule.yaml: cannot be written: File too large" in done.stderr
    assert (list(tmp_path.iterdir()), rule.read_text()) == ([rule], before)
    done = run(tmp_path, cache, "rules", "lint", "--fix", "rule.yaml", size=1 << 26)
    assert rule.read_text() == before.replace(" yes", ' "yes"')


def test_what_a_command_of_watch_is_told_leaves_nothing(tmp_path: Path, cache: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    done = run(tmp_path, cache, "watch", str(CASE), "--timeout", "20s", "--once-failed", "true",
               environment={"TMPDIR": str(scratch)})
    assert "--once-failed: the command cannot be run" in done.stderr
    assert "Traceback" not in done.stderr
    assert list(scratch.iterdir()) == []
