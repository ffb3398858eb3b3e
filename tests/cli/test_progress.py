from __future__ import annotations

import io

import pytest

from assistant.cli.progress import Progress
from assistant.report.words import Words


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr("assistant.cli.progress.time.monotonic", lambda: now[0])
    monkeypatch.setenv("TERM", "xterm")
    return now


def test_it_appears_after_a_second_and_goes_away(clock: list[float]) -> None:
    screen = Screen()
    bar = Progress(screen, Words("en"))
    clock[0] += 0.9
    bar(5, 10)
    assert screen.getvalue() == ""
    clock[0] += 0.2
    bar(500, 1000)
    assert screen.getvalue() == "\r[############............]  50%  500 B / 1.0 KB\x1b[K"
    bar(600, 1000)  # too soon after the last drawing
    assert "600" not in screen.getvalue()
    bar.close()
    assert screen.getvalue().endswith("\r\x1b[K")


def test_quick_work_shows_nothing(clock: list[float]) -> None:
    screen = Screen()
    bar = Progress(screen, Words("en"))
    bar(10, 10)
    bar.close()
    assert screen.getvalue() == ""


def test_not_on_a_pipe(clock: list[float]) -> None:
    stream = io.StringIO()
    bar = Progress(stream, Words("en"))
    clock[0] += 5
    bar(1, 2)
    bar.close()
    assert stream.getvalue() == ""
    Progress(None, Words("en"))(1, 2)


@pytest.mark.parametrize(("done", "total", "text"), [
    (2000, 0, "2.0 KB"), (3000, 1000, "100%"), (0, 10, "0%")])
def test_odd_totals(clock: list[float], done: int, total: int, text: str) -> None:
    screen = Screen()
    bar = Progress(screen, Words("en"))
    clock[0] += 2
    bar(done, total)
    assert text in screen.getvalue()
