"""A file in parts: the evidence is that of a scan of the whole, wherever it is cut."""

from __future__ import annotations

import gzip
import io
import os
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.evidence import merge
from assistant.evidence.keep import FULL, LIGHT, Keep
from assistant.evidence.types import Evidence, FileEvidence
from assistant.patterns import Engine
from assistant.rules.ruleset import RuleSet
from assistant.rules.types import Landmark, PatternSpec
from assistant.scan import build_engine, collect, scan_all
from assistant.scan.one import scan_source
from assistant.scan.parts import Part, Split, cut, scan_part
from assistant.sources import LogSource, find, open_file

SPECS = (PatternSpec("landmark/step", r"step:\[ *\d+/ *\d+\]"),
         PatternSpec("a/rank", r"rank (?P<rank>\d+)"), PatternSpec("a/any", "e"),
         PatternSpec("a/inside", "e", inside=("traceback",)))
STAMP = b"2026-11-30 08:%02d:%02d,357 - mindformers/log[a.py:337] - "
CHUNKS = (
    STAMP + b"INFO - plain\n",
    STAMP + b"INFO - rank %(value)d is here\n",
    STAMP + b"ERROR - failed with error EI000%(value)d\nplain error: text\n",
    b"no stamp at all\n\r\nhalf\rhalf\n",
    STAMP + b"INFO - { step:[%(step)5d/  900], loss: %(value)d.5, grad_norm: NaN }\n",
    STAMP + b"INFO - { step:[%(step)5d/  900], loss: %(value)d.5, grad_norm: NaN }\n",
    b'{"step": %(step)d, "micro_step": 0, "local_loss": 7.%(value)d}\n',
    b"device_local_norm: 0.%(value)d\n",
    b"{'loss': 1.5, 'grad_norm': 0.3, 'learning_rate': 1e-05}\n",
    STAMP + b"INFO - now\nTraceback (most recent call last):\n  File \"a.py\", line 3, in main\n"
    b"    run()\nValueError: it is %(value)d\n",
    STAMP + b"INFO - Current config: {\n  \"steps\": %(value)d\n}\n",
    b"[ERROR] GE(7%(value)d,7f,python):2026-11-30-08:00:01.123.456 [a.cc:1] F] E3001: bad\n",
)


@cache
def engine() -> Engine:
    return build_engine(SPECS)


def write(path: Path, kinds: list[tuple[int, int]]) -> LogSource:
    content = b""
    for step, (kind, value) in enumerate(kinds):
        text = CHUNKS[kind]
        if text.startswith(STAMP):
            content += STAMP % (step // 60, step % 60)
            text = text.removeprefix(STAMP)
        content += text % {b"value": value, b"step": step // 3}
    path.write_bytes(content)
    return LogSource("a.log", len(content), 5.0, str(path), partial(open_file, str(path)))


def in_parts(source: LogSource, waiting: list[Part], keep: Keep) -> tuple[FileEvidence, int]:
    """The evidence by way of these parts, and how many were scanned again."""
    split, again = Split(waiting, keep), 0
    while waiting:
        part = waiting.pop()
        found = scan_part(part, engine(), SPECS, keep)
        assert found is not None
        more = split.take(part, found)
        waiting, again = [*waiting, *more], again + len(more)
    whole = split.joined()
    assert whole is not None
    return whole, again


@settings(deadline=None, max_examples=300)
@given(st.lists(st.tuples(st.integers(0, len(CHUNKS) - 1), st.integers(0, 9)), min_size=2,
                max_size=150), st.integers(60, 4000), st.sampled_from((FULL, LIGHT)))
def test_parts_give_the_whole(tmp_path_factory: pytest.TempPathFactory,
                              kinds: list[tuple[int, int]], size: int, keep: Keep) -> None:
    source = write(tmp_path_factory.getbasetemp() / "a.log", kinds)
    found = cut(source, size)
    if found:
        whole = scan_source(source, engine(), SPECS, keep=keep)
        assert repr(in_parts(source, found, keep)[0]) == repr(whole)


@settings(deadline=None, max_examples=200)
@given(st.lists(st.tuples(st.integers(0, len(CHUNKS) - 1), st.integers(0, 9)), min_size=2,
                max_size=60), st.data())
def test_cut_at_any_record(tmp_path_factory: pytest.TempPathFactory,
                           kinds: list[tuple[int, int]], data: st.DataObject) -> None:
    """Wherever a line has a time, be it in the middle of something."""
    source = write(tmp_path_factory.getbasetemp() / "a.log", kinds)
    assert source.path is not None
    content = Path(source.path).read_bytes()
    starts = [0]
    for line in content.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    able = [at for at in starts[1:-1] if content[at:at + 4] in (b"2026", b"[ERR")]
    if not able:
        return
    chosen = sorted(data.draw(st.sets(st.sampled_from(able), min_size=1, max_size=5)))
    ends = [*chosen, len(content)]
    found = [Part(source, start, end, end == len(content))
             for start, end in zip([0, *chosen], ends, strict=True)]
    whole = scan_source(source, engine(), SPECS)
    assert repr(in_parts(source, found, FULL)[0]) == repr(whole)


@pytest.mark.parametrize(("kind", "different", "crowded"),
                         [(9, 3, False), (9, 7, True), (2, 3, False), (2, 7, True)])
def test_more_than_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: int,
                           different: int, crowded: bool) -> None:
    """Tracebacks and error lines that come again and again, more of them than are counted."""
    for module in (collect, merge):
        for name, most in (("FIRST_EVENTS", 2), ("LAST_EVENTS", 1), ("ERROR_TEMPLATES", 4)):
            monkeypatch.setattr(module, name, most)
    monkeypatch.setattr(collect, "_COUNTED_EVENTS", 4)
    monkeypatch.setattr(collect.template, "shape", lambda text: text[26:])
    source = write(tmp_path / "a.log", [
        chunk for value in range(60) for chunk in ((kind, value % different), (0, 0), (0, 0))])
    found, again = in_parts(source, cut(source, 2000), FULL)
    assert again == crowded
    assert repr(found) == repr(scan_source(source, engine(), SPECS))
    assert found.event_count + found.error_count >= 60


def test_a_cut_through_a_traceback_is_mended(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    stamp = STAMP % (0, 1)
    # A record of another thread in the middle of a traceback.
    content = (stamp + b"INFO - x\nTraceback (most recent call last):\n  File \"a.py\", line 3\n")
    at = len(content)
    content += stamp + b"INFO - other\n    run()\nValueError: bad\n" + stamp + b"INFO - y\n"
    path.write_bytes(content)
    source = LogSource("a.log", len(content), None, str(path), partial(open_file, str(path)))
    found, again = in_parts(
        source, [Part(source, 0, at, False), Part(source, at, len(content), True)], FULL)
    assert again == 1
    assert repr(found) == repr(scan_source(source, engine(), SPECS))


def test_behind_a_step_line_if_possible(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    lines = []
    for step in range(200):
        lines += [STAMP % (0, 1) + b"INFO - plain\n", b'{"step": %d, "local_loss": 7.0}\n' % step,
                  STAMP % (0, 2) + b"INFO - { step:[%5d/  900], loss: 1.5 }\n" % step]
    path.write_bytes(b"".join(lines))
    source = LogSource("a", path.stat().st_size, None, str(path), partial(open_file, str(path)))
    found = cut(source, 5000)
    assert len(found) == source.size // 5000  # type: ignore[operator]
    content = path.read_bytes()
    for part in found[1:]:
        assert content[part.start:].split(b"\n")[0].endswith(b"plain")


@pytest.mark.parametrize("make", [
    lambda text: gzip.compress(text), lambda text: text.decode().encode("utf-16"),
    lambda text: b"no stamp\n" * 2000])
def test_what_cannot_be_cut_is_read_whole(tmp_path: Path,
                                          make: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(make(b"".join(STAMP % (i // 60 % 60, i % 60) + b"INFO - %x\n" % hash(str(i))
                                   for i in range(3000))))
    source = LogSource("a", path.stat().st_size, None, str(path), partial(open_file, str(path)))
    assert cut(source, 1000) == []


# ---- with processes ----

RULES = RuleSet((), (Landmark("rank", (r"rank (?P<rank>\d+)",)),))


def scan(folder: Path, **options: object) -> Evidence:
    return scan_all(find([str(folder)]), RULES, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("jobs", [2, 3, 7])
def test_the_same_whatever_the_number_of_jobs(tmp_path: Path, jobs: int) -> None:
    for name in ("worker_0.log", "worker_1.log"):
        write(tmp_path / name, [(number * number % len(CHUNKS), number % 10)
                                for number in range(900)])
    seen: list[tuple[int, int]] = []
    found = scan(tmp_path, jobs=jobs, parallel_bytes=0, part_bytes=1500,
                 progress=lambda done, total: seen.append((done, total)))
    assert repr(found) == repr(scan(tmp_path, jobs=1))
    assert seen == sorted(seen)
    assert seen[-1][0] == seen[-1][1] == sum(f.size for f in found.files)


def test_a_file_that_shrinks_meanwhile_is_read_whole(tmp_path: Path) -> None:
    source = write(tmp_path / "worker_0.log", [(1, value % 9) for value in range(400)])
    found = cut(source, 2000)
    os.truncate(tmp_path / "worker_0.log", 5000)
    assert scan_part(found[0], engine(), SPECS, FULL) is not None
    assert scan_part(found[-1], engine(), SPECS, FULL) is None


def test_a_file_that_grows_meanwhile_is_read_on(tmp_path: Path) -> None:
    source = write(tmp_path / "worker_0.log", [(1, value % 9) for value in range(400)])
    found = cut(source, 2000)
    with (tmp_path / "worker_0.log").open("ab") as file:
        file.write(STAMP % (59, 59) + b"INFO - rank 777 is here\n")
    whole, _ = in_parts(source, found, FULL)
    assert whole.notes == ("grew",)
    assert whole.hits["a/rank"].count == 401


class Deadly(io.FileIO):
    """A file that ends each process but this one when it is read."""

    def __init__(self, path: str, pid: int) -> None:
        super().__init__(path)
        self._pid = pid

    def read(self, size: int | None = -1) -> bytes:  # type: ignore[override]
        if os.getpid() != self._pid:
            os._exit(3)
        return super().read(size)


def test_a_process_that_dies_of_a_part_takes_its_file_with_it(tmp_path: Path) -> None:
    good = write(tmp_path / "worker_0.log", [(1, value % 9) for value in range(400)])
    path = str(tmp_path / "worker_0.log")
    sources = [replace(good, name=f"worker_{number}.log") for number in range(3)]
    sources[1] = replace(sources[1], opener=partial(Deadly, path, os.getpid()))
    assert len(cut(sources[1], 3000)) > 2
    found = scan_all(sources, RULES, jobs=2, parallel_bytes=0, part_bytes=3000)
    assert [item.file for item in found.skipped] == ["worker_1.log"]
    assert repr(found.files) == repr(scan_all([sources[0], sources[2]], RULES, jobs=1).files)
