"""What is told of a watched job, as plain lines, as a screen, or as JSON lines."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Protocol, TextIO

from assistant.guide.printable import printable
from assistant.render import terminal
from assistant.render.cells import cut
from assistant.render.style import VERDICTS, Style
from assistant.report.json_form import to_dict
from assistant.report.types import Report
from assistant.report.words import Words
from assistant.watch.events import Ended, Event, Found, Moving, Stalled, Status, Withdrawn
from assistant.watch.folder import FileChange

#: Seconds between two lines on how the job stands, if nothing but its step has changed.
_PAUSE = 30.0
#: Messages that stay on the screen, and lines that are not the report's.
_MESSAGES = 5
_HOME, _REST, _CLEAR = "\x1b[H", "\x1b[J", "\x1b[K"
_ENTER, _LEAVE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"


class Show(Protocol):
    """Takes all that is to be told."""

    def tell(self, event: Event) -> None: ...

    def close(self) -> None: ...


class JsonLines:
    """One JSON object a line: `event` names its kind, the rest are its fields."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def tell(self, event: Event) -> None:
        now = datetime.datetime.now().isoformat(timespec="seconds")
        fields = (asdict(event) if not isinstance(event, Ended) else
                  {"why": event.why, "stalled": event.stalled, "verdict": event.report.verdict,
                   "report": to_dict(event.report)})
        line = {"event": _kind(event), "time": now, **fields}
        self._out.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._out.flush()

    def close(self) -> None:
        """Nothing is to be put right."""


class Lines:
    """A line for each thing that is told; how the job stands, now and then."""

    def __init__(self, out: TextIO, words: Words, clock: Callable[[], float]) -> None:
        self._out = out
        self._words = words
        self._clock = clock
        self._last: tuple[float, str] | None = None

    def tell(self, event: Event) -> None:
        if isinstance(event, Ended):
            self._line(self._words(f"watch.over.{event.why}"))
        elif isinstance(event, Status):
            line = status_line(event, self._words)
            now = self._clock()
            said = f"{event.verdict} {sorted(event.states.items())}"
            if line and (self._last is None or self._last[1] != said
                         or now - self._last[0] >= _PAUSE):
                self._last = now, said
                self._line(line)
        else:
            for line in message(event, self._words):
                self._line(line)

    def close(self) -> None:
        """Nothing is to be put right."""

    def _line(self, text: str) -> None:
        now = datetime.datetime.now().strftime("%H:%M:%S")
        self._out.write(f"{now}  {text}\n")
        self._out.flush()


class Screen:
    """One screen that is drawn anew: how the job stands, the report so far, what was told."""

    def __init__(self, out: TextIO, words: Words, paths: Sequence[str],
                 size: Callable[[], tuple[int, int]], report: Callable[[], Report | None],
                 clock: Callable[[], float], colour: bool = True) -> None:
        self._out = out
        self._words = words
        self._paths = ", ".join(map(printable, paths))
        self._size = size
        self._report = report
        self._clock = clock
        self._started = clock()
        self._style = Style(colour)
        self._colour = colour
        self._messages: list[str] = []
        self._open = False

    def tell(self, event: Event) -> None:
        if isinstance(event, Status):
            self._draw(event)
        elif not isinstance(event, Ended):
            now = datetime.datetime.now().strftime("%H:%M:%S")
            self._messages += [f"{now}  {line}" for line in message(event, self._words)]
            del self._messages[:-_MESSAGES]

    def close(self) -> None:
        """Give the terminal back as it was."""
        if self._open:
            self._out.write(_LEAVE)
            self._out.flush()
            self._open = False

    def _draw(self, status: Status) -> None:
        columns, rows = self._size()
        words, report = self._words, self._report()
        head = words("watch.head", paths=self._paths,
                     elapsed=duration(self._clock() - self._started))
        lines = [self._style("dim", cut(head, columns)),
                 self._style(VERDICTS[status.verdict], cut(
                     status_line(status, words) or words("watch.waiting", paths=self._paths),
                     columns)), ""]
        foot = [cut(line, columns) for line in self._messages]
        if report is not None and status.files:
            text = terminal.render(report, columns, self._colour)
            lines += text.rstrip("\n").split("\n")[:max(0, rows - len(lines) - len(foot) - 2)]
        lines += ["", *foot] if foot else []
        shown = "".join(f"{line}{_CLEAR}\r\n" for line in lines[:max(1, rows - 1)])
        self._out.write(("" if self._open else _ENTER) + _HOME + shown + _REST)
        self._out.flush()
        self._open = True


def status_line(status: Status, words: Words) -> str:
    """How the job stands, in one line; empty where there is no log."""
    if not status.files:
        return ""
    parts = []
    if status.step is not None:
        total = f"/{status.total_steps}" if status.total_steps else ""
        parts.append(words("watch.step", step=status.step, total=total))
    if status.loss is not None:
        parts.append(f"loss {status.loss:.6g}")
    if status.step_ms is not None:
        parts.append(words("watch.step-time", seconds=f"{status.step_ms / 1000:.3g}"))
    if status.throughput is not None:
        parts.append(f"{status.throughput:.4g} TFLOP/s")
    parts += [f"{count:,} {words(f'state.{state}')}" for state, count in status.states.items()]
    if status.still_for is not None and status.still_for >= 10:
        parts.append(words("watch.still", time=duration(status.still_for)))
    elif status.quiet_for >= 10:
        parts.append(words("watch.quiet", time=duration(status.quiet_for)))
    return f"{words(f'verdict.{status.verdict}')}  {words.comma.join(parts)}".rstrip()


def message(event: Event, words: Words) -> list[str]:
    """An event other than Status and Ended in lines."""
    if isinstance(event, Found):
        finding = event.finding
        lines = [f"{words('watch.finding')}  [{words(f'role.{finding.role}')}] "
                 f"{printable(finding.title)}"]
        lines += [f"    {printable(quote.file)}:{quote.line}  {printable(quote.text)}"
                  for quote in finding.evidence[:1]]
        if finding.article_title:
            lines.append(f"    {words('more.article', article=finding.article)}")
        return lines
    if isinstance(event, Withdrawn):
        return [f"{words('watch.withdrawn')}  {printable(event.title)}"]
    if isinstance(event, Stalled):
        says = (words("watch.stalled-start", time=duration(event.seconds)) if event.step is None
                else words("watch.stalled-says", time=duration(event.seconds),
                           usual="?" if event.usual is None else f"{event.usual:.3g}"))
        return [f"{words('watch.stalled')}  {says}"]
    if isinstance(event, Moving):
        return [f"{words('watch.moving')}  "
                f"{words('watch.moving-says', time=duration(event.seconds))}"]
    if isinstance(event, FileChange):
        return [words(f"watch.file.{event.kind}", name=printable(event.name))]
    return []


def duration(seconds: float) -> str:
    """`45 s`, `12 min`, `3 h 05 min`."""
    whole = int(seconds)
    if whole < 120:
        return f"{whole} s"
    if whole < 7200:
        return f"{whole // 60} min"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"


def _kind(event: Event) -> str:
    names = {Status: "status", Found: "finding", Withdrawn: "withdrawn", Stalled: "stalled",
             Moving: "moving", FileChange: "file", Ended: "ended"}
    return names[type(event)]
