from __future__ import annotations

import io
import json
import re

import pytest

from assistant.report.words import Words
from assistant.watch.events import Ended, Event, Found, Moving, Stalled, Status, Tick, Withdrawn
from assistant.watch.folder import FileChange
from assistant.watch.show import JsonLines, Lines, Screen, duration, status_line
from tests.render import samples

REPORT = samples.exception_on_rank2()
STATUS = Status("healthy", 5, 1000, 120, 1000, 2.31, 3200.0, 45.6, {"running": 8}, 1.0, 2.0)
EVENTS: list[Event] = [
    FileChange("new", "worker_0.log"), STATUS, Found(REPORT.findings[0]),
    Withdrawn("a.b", "it was so"), Stalled(130.0, 2.0, 6), Stalled(900.0, None, None),
    Moving(150.0), Ended("ended", REPORT, False)]


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_status_in_a_line() -> None:
    assert status_line(STATUS, Words("en")) == (
        "HEALTHY  step 120/1000, loss 2.31, 3.2 s/step, 45.6 TFLOP/s, 8 running")
    still = Status("healthy", 5, 9, 6, None, None, None, None, {}, 130.0, 130.0)
    assert status_line(still, Words("en")) == "HEALTHY  step 6, no new step for 2 min"
    quiet = Status("inconclusive", 5, 9, None, None, None, None, None, {}, 30.0, None)
    assert "nothing written for 30 s" in status_line(quiet, Words("en"))
    assert status_line(Status("inconclusive", 0, 0, *[None] * 5), Words("en")) == ""


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_lines(lang: str) -> None:
    out = io.StringIO()
    show = Lines(out, Words(lang), Clock())
    for event in EVENTS:
        show.tell(event)
    lines = out.getvalue().splitlines()
    title = next(line for line in lines if REPORT.findings[0].title in line)
    assert Words(lang)("watch.finding") in title
    quote = REPORT.findings[0].evidence[0]
    assert any(f"{quote.file}:{quote.line}" in line for line in lines)
    assert any("it was so" in line for line in lines)


def test_how_it_stands_is_said_now_and_then() -> None:
    out, clock = io.StringIO(), Clock()
    show = Lines(out, Words("en"), clock)
    for second in range(60):
        clock.now = float(second)
        show.tell(STATUS)
    assert len(out.getvalue().splitlines()) == 2
    show.tell(Status("healthy", 5, 9, 121, 1000, None, None, None, {"running": 7, "failed": 1}))
    assert len(out.getvalue().splitlines()) == 3  # at once where a rank's state changes


def test_json_lines() -> None:
    out = io.StringIO()
    show = JsonLines(out)
    for event in EVENTS:
        show.tell(event)
    told = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [line["event"] for line in told] == [
        "file", "status", "finding", "withdrawn", "stalled", "stalled", "moving", "ended"]
    assert told[1]["step"] == 120 and told[1]["states"] == {"running": 8}
    assert told[2]["finding"]["rule"] == REPORT.findings[0].rule
    assert told[-1]["report"]["schema"] == "kbtriage.report/1"
    assert told[-1]["verdict"] == "failed"


def test_the_screen_fits_and_is_left_as_it_was() -> None:
    out = io.StringIO()
    show = Screen(out, Words("en"), ["logs"], lambda: (60, 20), lambda: REPORT, Clock())
    for event in EVENTS:
        show.tell(event)
    show.tell(STATUS)
    drawn = out.getvalue().split("\x1b[H")[-1]
    assert drawn.count("\r\n") <= 19
    assert "a new step after 2 min" in drawn and "step 120/1000" in drawn
    show.close()
    assert out.getvalue().endswith("\x1b[?25h\x1b[?1049l")


def test_many_changes_of_files_are_told_together() -> None:
    new = [FileChange("new", f"worker_{rank}.log") for rank in range(1000)]
    gone = [FileChange("gone", "a.log"), FileChange("gone", "b.log")]
    out = io.StringIO()
    lines = Lines(out, Words("en"), Clock())
    for event in [*new, *gone, STATUS]:
        lines.tell(event)
    told = [line[10:] for line in out.getvalue().splitlines()]
    assert told[:3] == ["1,000 new files: worker_0.log, worker_1.log, worker_2.log, ...",
                        "gone: a.log", "gone: b.log"]
    screen = io.StringIO()
    show = Screen(screen, Words("zh"), ["logs"], lambda: (80, 24), lambda: REPORT, Clock())
    for event in [*new, *new[:1], STATUS]:
        show.tell(event)
    assert "1,001 个新文件：worker_0.log" in screen.getvalue()
    assert screen.getvalue().count("worker_0.log") < 10


def test_a_screen_goes_on_between_two_looks_and_follows_the_size() -> None:
    out, clock, size = io.StringIO(), Clock(), [80, 40]
    show = Screen(out, Words("en"), ["logs"], lambda: (size[0], size[1]), lambda: REPORT, clock)
    show.tell(STATUS)
    before = len(out.getvalue())
    show.tell(Tick(STATUS))
    assert len(out.getvalue()) == before  # nothing has changed
    clock.now, size[:] = 5.0, [50, 14]
    show.tell(Tick(STATUS))
    drawn = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", out.getvalue()[before:]).split("\r\n")
    assert drawn[0] == "watching logs, 5 s; Ctrl-C ends"
    assert all(len(line) <= 50 for line in drawn) and len(drawn) <= 14
    assert re.fullmatch(r"\.\.\. \d+ more lines", drawn[-2])


@pytest.mark.parametrize("show", ["lines", "json", "screen"])
def test_a_stream_that_takes_only_ascii(show: str) -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, "ascii", errors="backslashreplace")
    made = {"lines": lambda: Lines(out, Words("zh"), Clock()), "json": lambda: JsonLines(out),
            "screen": lambda: Screen(out, Words("zh"), ["日志"], lambda: (80, 24), lambda: REPORT,
                                     Clock())}[show]()
    for event in [FileChange("new", "日志\U0001f600.log"), *EVENTS, Tick(STATUS)]:
        made.tell(event)
    out.flush()
    told = raw.getvalue()
    assert told.isascii()
    if show == "json":
        assert json.loads(told.splitlines()[0])["name"] == "日志\U0001f600.log"
    assert show != "screen" or b"\\u" not in told


def test_a_hostile_name_moves_no_cursor() -> None:
    out = io.StringIO()
    show = Lines(out, Words("en"), Clock())
    show.tell(FileChange("new", "a\x1b[2J\x07.log"))
    assert "\x1b" not in out.getvalue() and "\x07" not in out.getvalue()


def test_durations() -> None:
    assert [duration(s) for s in (0.4, 119, 125, 7199, 11100)] == [
        "0 s", "119 s", "2 min", "119 min", "3 h 05 min"]
