from __future__ import annotations

import gzip
import os
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from assistant.patterns import Engine
from assistant.pipeline import Knowledge, check
from assistant.watch.events import Event, Found, Moving, Stalled, Status, Tick, Withdrawn
from assistant.watch.folder import FileChange, Folder
from assistant.watch.watcher import Plan, Watch
from tests.watch.conftest import LAB, Script, the_end

Make = Callable[[Path, Script, Plan], Watch]
FAILED = LAB / "exc-rank2" / "msrun_log"
STEPS = LAB / "ok-dp4" / "msrun_log"


def replay(source: Path, target: Path, parts: int) -> list[Callable[[], object]]:
    """Actions that write the logs of a folder bit by bit, cut anywhere."""
    def write(part: int) -> None:
        for path in sorted(source.glob("*.log")):
            content = path.read_bytes()
            start, end = (len(content) * (part + i) // parts for i in (0, 1))
            with (target / path.name).open("ab") as file:
                file.write(content[start:end])

    return [lambda part=part: write(part) for part in range(parts)]  # type: ignore[misc]


def of_kind(events: Sequence[Event], kind: type) -> list[Event]:
    return [event for event in events if isinstance(event, kind)]


@pytest.mark.parametrize("case", ["exc-rank2", "ok-dp4", "kill-rank3", "nanloss"])
@pytest.mark.parametrize("parts", [1, 9])
def test_the_end_is_what_check_says(case: str, parts: int, tmp_path: Path,
                                    watch_of: Make) -> None:
    source = LAB / case / "msrun_log"
    script = Script(replay(source, tmp_path, parts))
    events = list(watch_of(tmp_path, script, Plan(timeout=120.0)))
    end, direct = the_end(events), check([str(tmp_path)], jobs=1)
    assert end.report.verdict == direct.verdict
    assert end.report.findings == direct.findings
    assert end.report.ranks == direct.ranks
    told = {event.finding.rule for event in events if isinstance(event, Found)}
    blamed = {f.rule for f in direct.findings if f.role == "cause" and f.severity != "info"}
    assert blamed <= told
    assert len(of_kind(events, Found)) == len(told)  # each of them once


def test_it_ends_by_itself_when_the_job_has(tmp_path: Path, watch_of: Make) -> None:
    events = list(watch_of(tmp_path, Script(replay(FAILED, tmp_path, 4)), Plan()))
    end = the_end(events)
    assert (end.why, end.report.verdict, end.stalled) == ("ended", "failed", False)


def test_a_folder_that_is_not_there_yet(tmp_path: Path, watch_of: Make) -> None:
    late = tmp_path / "output" / "msrun_log"
    actions = [lambda: None, lambda: late.mkdir(parents=True), lambda: None,
               *replay(STEPS, late, 2)]
    events = list(watch_of(late, Script(actions), Plan()))
    first = next(event for event in events if isinstance(event, Status))
    assert (first.files, first.verdict) == (0, "inconclusive")
    assert the_end(events).report.verdict == "healthy"
    assert FileChange("new", "worker_0.log") in events


def test_a_healthy_run_says_nothing_but_how_it_stands(tmp_path: Path, watch_of: Make) -> None:
    events = list(watch_of(tmp_path, Script(replay(STEPS, tmp_path, 30)), Plan()))
    assert of_kind(events, Found) == of_kind(events, Withdrawn) == []
    steps = [event.step for event in events if isinstance(event, Status) if event.step]
    assert steps == sorted(steps) and steps[-1] == 10
    last = [event for event in events if isinstance(event, Status)][-1]
    assert last.states == {"finished": 4} and last.total_steps == 10
    assert last.loss is not None and last.step_ms is not None


def test_a_hang_is_told_while_it_lasts(tmp_path: Path, watch_of: Make) -> None:
    """No line says that anything is wrong: only the clock goes on."""
    shutil.copytree(STEPS, tmp_path, dirs_exist_ok=True)
    for path in tmp_path.glob("*.log"):
        lines = path.read_bytes().split(b"\n")
        end = min(i for i, line in enumerate(lines)
                  if b"step:[    7/" in line or b"unregistered" in line)
        path.write_bytes(b"\n".join(lines[:end]) + b"\n")
    script = Script([])
    events = list(watch_of(tmp_path, script, Plan(timeout=200.0)))
    [stall] = of_kind(events, Stalled)
    assert isinstance(stall, Stalled) and 120 < stall.seconds < 130 and stall.step == 6
    assert the_end(events).stalled and the_end(events).why == "timeout"
    events = list(watch_of(tmp_path, Script([]), Plan(until="failed", stall=30.0)))
    assert the_end(events).why == "until" and len(of_kind(events, Stalled)) == 1


def test_a_job_that_moves_again(tmp_path: Path, watch_of: Make) -> None:
    idle: list[Callable[[], object]] = [lambda: None] * 80
    parts = replay(STEPS, tmp_path, 10)
    events = list(watch_of(tmp_path, Script([*parts[:8], *idle, *parts[8:]]), Plan()))
    kinds = [type(event) for event in events if isinstance(event, (Stalled, Moving))]
    assert kinds == [Stalled, Moving]
    assert not the_end(events).stalled and the_end(events).report.verdict == "healthy"


def test_a_traceback_that_is_half_written_is_not_told_of(tmp_path: Path,
                                                         watch_of: Make) -> None:
    """Its title would be another one when it is whole."""
    shutil.copytree(FAILED, tmp_path, dirs_exist_ok=True)
    log = tmp_path / "worker_2.log"
    content = log.read_bytes()
    cut = content.index(b"RuntimeError: Data loader") + 17
    log.write_bytes(content[:cut])
    script = Script([lambda: None, lambda: log.write_bytes(content)])
    titles = [event.finding.title for event in watch_of(tmp_path, script, Plan())
              if isinstance(event, Found) and event.finding.rule == "user-code.python-exception"]
    assert titles == ["RuntimeError: Data loader returned an empty batch at sample 137 (rank 2)"]


def test_what_the_logs_do_not_bear_out_any_more_is_withdrawn(tmp_path: Path,
                                                             watch_of: Make) -> None:
    shutil.copytree(STEPS, tmp_path, dirs_exist_ok=True)
    log = tmp_path / "worker_1.log"
    content = log.read_bytes()
    error = (FAILED / "worker_2.log").read_bytes()
    nothing: list[Callable[[], object]] = [lambda: None] * 4
    script = Script([*nothing, lambda: log.write_bytes(content), *nothing])
    log.write_bytes(error)
    events = list(watch_of(tmp_path, script, Plan()))
    assert FileChange("restarted", "worker_1.log") in events
    told = [event.finding.rule for event in events if isinstance(event, Found)]
    withdrawn = [event.rule for event in events if isinstance(event, Withdrawn)]
    assert "user-code.python-exception" in told
    assert sorted(withdrawn) == sorted(told)
    assert the_end(events).report.verdict == "healthy"


def rotate(folder: Path, pack: bool) -> None:
    log, old = folder / "worker_0.log", folder / "worker_0.log.1"
    if pack:
        (folder / "worker_0.log.1.gz").write_bytes(gzip.compress(old.read_bytes()))
        old.unlink()
    else:
        os.rename(log, old)
        log.write_bytes(b"")


def test_rotation_loses_and_doubles_nothing(tmp_path: Path, watch_of: Make) -> None:
    parts = replay(FAILED, tmp_path, 4)
    script = Script([*parts[:2], lambda: rotate(tmp_path, False), parts[2],
                     lambda: rotate(tmp_path, True), parts[3]])
    events = list(watch_of(tmp_path, script, Plan()))
    changes = [(event.kind, event.name) for event in events if isinstance(event, FileChange)]
    assert ("renamed", "worker_0.log -> worker_0.log.1") in changes
    assert ("gone", "worker_0.log.1") in changes and ("new", "worker_0.log.1.gz") in changes
    assert sum(path.stat().st_size for path in FAILED.glob("*.log")) == (
        the_end(events).report.inputs.bytes)
    assert the_end(events).report.verdict == "failed"
    told = [event.finding.rule for event in events if isinstance(event, Found)
            if event.finding.category != "logging"]  # that it lies in two files is one, too
    assert len(told) == len(set(told)) > 0


def test_a_log_that_is_copied_and_truncated(tmp_path: Path, watch_of: Make) -> None:
    """As logrotate does it with `copytruncate`: the process goes on writing into its file."""
    log, copied = tmp_path / "worker_0.log", tmp_path / "worker_0.log.1"

    def turn() -> None:
        copied.write_bytes(log.read_bytes())
        os.truncate(log, 0)

    parts = replay(STEPS, tmp_path, 4)
    events = list(watch_of(tmp_path, Script([*parts[:2], turn, *parts[2:]]), Plan()))
    assert FileChange("restarted", "worker_0.log") in events
    assert the_end(events).report.verdict == "healthy"
    assert of_kind(events, Found) == []
    assert sum(path.stat().st_size for path in STEPS.glob("*.log")) == (
        the_end(events).report.inputs.bytes)


def test_a_node_whose_folder_comes_later(tmp_path: Path, watch_of: Make) -> None:
    two = LAB / "two-exc-rank3"
    sources = [next((two / node).rglob("worker_*.log")).parent for node in ("node-a", "node-b")]
    targets = [tmp_path / node / "msrun_log" for node in ("node-a", "node-b")]
    targets[0].mkdir(parents=True)
    script = Script([*replay(sources[0], targets[0], 2),
                     lambda: targets[1].mkdir(parents=True), *replay(sources[1], targets[1], 2)])
    events = list(watch_of(tmp_path, script, Plan(timeout=120.0)))
    direct = check([str(tmp_path)], jobs=1)
    assert the_end(events).report.findings == direct.findings
    assert the_end(events).report.ranks == direct.ranks


def test_a_file_that_is_gone_is_not_forgotten(tmp_path: Path, watch_of: Make) -> None:
    shutil.copytree(FAILED, tmp_path, dirs_exist_ok=True)
    script = Script([lambda: None, lambda: (tmp_path / "worker_2.log").unlink()])
    events = list(watch_of(tmp_path, script, Plan()))
    assert FileChange("gone", "worker_2.log") in events
    assert the_end(events).report.findings[0].ranks == (2,)


def test_an_archive_is_not_followed(tmp_path: Path, watch_of: Make) -> None:
    shutil.copytree(STEPS, tmp_path, dirs_exist_ok=True)
    shutil.make_archive(str(tmp_path / "more"), "zip", STEPS)
    events = list(watch_of(tmp_path, Script([]), Plan()))
    [skipped] = the_end(events).report.inputs.skipped
    assert (skipped.file, "not followed" in skipped.why) == ("more.zip", True)


def test_until_the_first_finding(tmp_path: Path, watch_of: Make) -> None:
    parts = replay(FAILED, tmp_path, 60)
    events = list(watch_of(tmp_path, Script(parts), Plan(until="finding")))
    assert the_end(events).why == "until" and isinstance(of_kind(events, Found)[0], Found)


def test_a_watch_that_is_stopped_gives_the_last_report(tmp_path: Path, watch_of: Make) -> None:
    shutil.copytree(STEPS, tmp_path, dirs_exist_ok=True)
    watch = watch_of(tmp_path, Script([lambda: watch.stop()]), Plan())
    events = list(watch)
    assert (the_end(events).why, the_end(events).report.verdict) == ("interrupted", "healthy")


def test_between_two_looks_a_screen_hears_of_the_time(tmp_path: Path, knowledge: Knowledge,
                                                      engine: Engine) -> None:
    shutil.copytree(STEPS, tmp_path, dirs_exist_ok=True)
    script = Script([])
    folder = Folder([str(tmp_path)], engine, knowledge.rules.patterns(), script.clock)
    events = list(Watch(knowledge, folder, Plan(interval=4.0, settle=6.0), script.clock,
                        script.sleep, tick=1.0))
    kinds = "".join(type(event).__name__[0] for event in events
                    if isinstance(event, (Status, Tick)))
    assert kinds == "STTTSTTTS"
    quiet = [event.status.quiet_for for event in events if isinstance(event, Tick)]
    assert quiet == [1.0, 2.0, 3.0, 5.0, 6.0, 7.0]


def test_memory_does_not_grow_with_the_logs(tmp_path: Path, watch_of: Make) -> None:
    import tracemalloc

    line = b"2026-11-30 08:04:40,331 - mindformers[a.py:1] - INFO - nothing of note %d\n"
    log = tmp_path / "worker_0.log"

    def grow() -> None:
        with log.open("ab") as file:
            file.write(b"".join(line % i for i in range(20_000)))

    script = Script([*[grow] * 3, tracemalloc.start, *[grow] * 12])
    list(watch_of(tmp_path, script, Plan(timeout=32.0)))
    now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert log.stat().st_size > 15 << 20
    assert now < 8 << 20 and peak < 24 << 20


def test_the_words_for_every_event_are_there() -> None:
    from assistant.report.words import WORDS
    from assistant.watch import show

    source = Path(str(show.__file__)).read_text(encoding="utf-8")
    keys = set(re.findall(r"[\"'](watch\.[\w.-]+)[\"']", source))
    assert keys and keys <= set(WORDS)
    assert {f"watch.over.{why}" for why in ("ended", "until", "timeout", "interrupted")} | {
        f"watch.{each}.{kind}" for each in ("file", "files")
        for kind in ("new", "restarted", "renamed", "gone")} <= set(WORDS)
