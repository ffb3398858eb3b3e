"""The corpus of healthy logs, and what rules blame on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.authoring import healthy
from assistant.authoring.bench import Bench, suite
from assistant.errors import UsageError
from assistant.rules.packs import Layer

RULES = """
rules:
  - id: storage.noisy
    title: {en: Noisy, zh: 误报}
    category: storage
    severity: warning
    article: a
    signals: {line: {log: 'fine'}}
    when: line
  - id: storage.note
    title: {en: Note, zh: 提示}
    category: storage
    severity: info
    article: a
    signals: {line: {log: 'fine'}}
    when: line
"""


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    folder = tmp_path_factory.mktemp("pack")
    (folder / "rules.yaml").write_text(RULES, encoding="utf-8")
    return suite(layers=[Layer("test", folder)], cache_dir=folder / "cache").bench


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_jobs_by_expectation(tmp_path: Path) -> None:
    put(tmp_path / "good" / "expect.yaml", "verdict: healthy\n")
    put(tmp_path / "deep" / "maybe" / "expect.yaml",
        "input: logs\nverdict: [inconclusive, healthy]\n")
    put(tmp_path / "bad" / "expect.yaml", "verdict: failed\n")
    assert [(job.name, job.path) for job in healthy.jobs(tmp_path)] == [
        ("deep/maybe", tmp_path / "deep" / "maybe" / "logs"), ("good", tmp_path / "good")]


def test_without_expectations_each_entry_is_a_job(tmp_path: Path) -> None:
    put(tmp_path / "a.log", "x")
    put(tmp_path / "job" / "worker_0.log", "x")
    put(tmp_path / ".hidden", "x")
    assert [job.name for job in healthy.jobs(tmp_path)] == ["a.log", "job"]


def test_unusable(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no healthy logs"):
        healthy.jobs(tmp_path)
    with pytest.raises(UsageError, match="no such folder"):
        healthy.jobs(tmp_path / "nowhere")
    put(tmp_path / "expect.yaml", "verdict: [")
    with pytest.raises(UsageError, match="cannot be read"):
        healthy.jobs(tmp_path)


def test_noise(bench: Bench, tmp_path: Path) -> None:
    put(tmp_path / "quiet" / "worker_0.log", "well\n")
    put(tmp_path / "loud" / "worker_0.log", "well\nfine\n")
    found, = healthy.noise(bench, tmp_path)
    assert (found.rule, found.job, found.lines) == (
        "storage.noisy", "loud", ("worker_0.log:2: fine",))


def test_the_corpus_of_this_project() -> None:
    folder = healthy.default_corpus()
    assert folder is not None
    names = [job.name for job in healthy.jobs(folder)]
    assert len(names) >= 15
    assert {"lab/ok-pp2", "healthy/graph-mode"} <= set(names)
