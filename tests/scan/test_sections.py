"""A text that shows several logs yields the evidence of each."""

from __future__ import annotations

import gzip
import io
import os
import random
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.evidence.types import Evidence, FileEvidence
from assistant.rules.ruleset import RuleSet
from assistant.rules.types import Landmark
from assistant.scan import scan_all, sections
from assistant.scan.compile import build_engine
from assistant.scan.scanner import scan_stream
from assistant.sources import find
from assistant.sources import sections as splitting
from assistant.sources.lines import read_lines

RULES = RuleSet((), (Landmark("rank", (r"rank id: (?P<rank>\d+)",)),))
ENGINE = build_engine(RULES.patterns(), None, "re2")


def log(rank: int) -> list[bytes]:
    """Lines of a worker log with a step line and an event."""
    return [f"[INFO] 2026-06-09 10:20:{rank:02} [a.py:1] rank id: {rank}".encode(),
            *(b"line %d" % n for n in range(5)),
            b"Traceback (most recent call last):", b'  File "a.py", line 3, in f',
            b"ValueError: rank %d" % rank]


def alone(name: str, content: bytes) -> FileEvidence:
    return scan_stream(name, io.BytesIO(content), ENGINE, RULES.patterns())


def piped(text: bytes) -> Evidence:
    return scan_all(find(["-"], stdin=io.BytesIO(text)), RULES, engine="re2")


def bare(file: FileEvidence) -> FileEvidence:
    """Without what says how it was read."""
    return replace(file, notes=())


@pytest.mark.parametrize(("opened", "piece"), [(64, 1 << 22), (64, 100), (2, 100)])
def test_logs_that_take_turns(monkeypatch: pytest.MonkeyPatch, opened: int, piece: int) -> None:
    """As `tail -f` shows them; also where there are more logs than scans are kept open."""
    monkeypatch.setattr(sections, "_OPEN", opened)
    monkeypatch.setattr(splitting, "_PIECE", piece)
    logs = {f"worker_{rank}.log": log(rank) for rank in range(7)}
    order = [(name, cut) for name in logs for cut in (0, 1)]
    random.Random(1).shuffle(order)
    taken: dict[str, int] = {}
    text = []
    for name, _ in order:
        part = logs[name][:6] if name not in taken else logs[name][6:]
        taken[name] = 1
        text.append(b"==> out/" + name.encode() + b" <==\n" + b"\n".join(part) + b"\n")
    found = piped(b"\n".join(text)).files
    assert [bare(file) for file in found] == [
        alone(name, b"\n".join(lines) + b"\n") for name, lines in logs.items()]
    assert {file.notes for file in found} == {("shown-in: standard-input",)}


def test_a_text_without_heads_is_what_it_was() -> None:
    content = b"\n".join(log(3) * 50)
    assert piped(content).files == (alone("standard-input", content),)
    assert piped(b"").files == (alone("standard-input", b""),)


def test_what_stands_above_keeps_its_name() -> None:
    files = piped(b"$ tail *\n==> worker_1.log <==\nx\n").files
    assert [(file.name, file.lines) for file in files] == [("standard-input", 1),
                                                           ("worker_1.log", 1)]


def shown(*ranks: int) -> bytes:
    return b"\n".join(b"==> n/worker_%d.log <==\n%s\n" % (rank, b"\n".join(log(rank)))
                      for rank in ranks)


def test_as_a_file_among_others(tmp_path: Path) -> None:
    (tmp_path / "paste.txt").write_bytes(shown(0, 1))
    (tmp_path / "paste.txt.gz").write_bytes(b"not read: what it was packed from lies beside it")
    (tmp_path / "other.log.gz").write_bytes(gzip.compress(shown(2, 3)))
    (tmp_path / "worker_4.log").write_bytes(shown(5, 6))
    with tarfile.open(tmp_path / "a.tar", "w") as archive:
        archive.add(tmp_path / "paste.txt", "b/paste.txt")
    names = ["a.tar!/b/paste.txt!/worker_0.log", "a.tar!/b/paste.txt!/worker_1.log",
             "other.log.gz!/worker_2.log", "other.log.gz!/worker_3.log",
             "paste.txt!/worker_0.log", "paste.txt!/worker_1.log", "worker_4.log"]
    for jobs in (1, 2):
        evidence = scan_all(find([str(tmp_path)]), RULES, jobs=jobs, parallel_bytes=0,
                            engine="re2")
        assert [file.name for file in evidence.files] == names
    alone_in_it = scan_all(find([str(tmp_path / "paste.txt")]), RULES, engine="re2")
    assert [file.name for file in alone_in_it.files] == ["worker_0.log", "worker_1.log"]
    lines = read_lines(find([str(tmp_path / "paste.txt")]), {"worker_1.log": {1, 9, 10}})
    assert lines == {"worker_1.log": {1: log(1)[0].decode(), 9: "ValueError: rank 1"}}


def test_a_failure_is_told_of_every_log() -> None:
    packed = gzip.compress(os.urandom(40_000).hex().encode())
    text = gzip.compress(shown(0, 1))
    files = piped((text + packed)[:len(text) + 20_000]).files
    assert [file.name for file in files] == ["worker_0.log", "worker_1.log"]
    assert all(any(note.startswith("read-error") for note in file.notes) for file in files)


def test_of_a_thousand_logs_less_is_kept() -> None:
    text = b"\n".join(b"==> worker_%d.log <==\n%s" % (rank, b"rank id: 1\n" * 60)
                      for rank in range(1001))
    files = piped(text).files
    assert len(files) == 1001
    assert {len(file.hits["landmark/rank"].hits) for file in files} == {12}
