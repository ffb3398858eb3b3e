"""What is told of a watched job, as plain lines, as a screen, or as JSON lines."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Protocol, TextIO

from assistant.guide.printable import printable
from assistant.render import terminal
from assistant.render.as_json import dumps
from assistant.render.cells import cut, cut_start, width
from assistant.render.style import VERDICTS, Style
from assistant.report.json_form import to_dict
from assistant.report.types import Report
from assistant.report.words import Words
from assistant.watch.events import Ended, Event, Found, Moving, Stalled, Status, Tick, Withdrawn
from assistant.watch.folder import FileChange

#: Seconds between two lines on how the job stands, if nothing but its step has changed.
_PAUSE = 30.0
#: Lines of messages that stay on the screen.
_MESSAGES = 5
#: Changes of files of one kind that are told one by one; of more, how many, and so many names.
_SINGLY, _NAMED = 3, 3
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
        # Escapes of JSON where the stream cannot take every character.
        self._escaped = (out.encoding or "utf-8").lower().replace("-", "") != "utf8"

    def tell(self, event: Event) -> None:
        if isinstance(event, Tick):
            return
        now = datetime.datetime.now().isoformat(timespec="seconds")
        fields = (asdict(event) if not isinstance(event, Ended) else
                  {"why": event.why, "stalled": event.stalled, "verdict": event.report.verdict,
                   "report": to_dict(event.report)})
        line = {"event": _kind(event), "time": now, **fields}
        self._out.write(dumps(line, None, ascii_only=self._escaped) + "\n")
        self._out.flush()

    def close(self) -> None:
        """Nothing is to be put right."""


class Lines:
    """A line for each thing that is told; how the job stands, now and then."""

    def __init__(self, out: TextIO, words: Words, clock: Callable[[], float]) -> None:
        self._out = out
        self._words = words
        self._clock = clock
        self._changes = _Changes(words)
        self._last: tuple[float, str] | None = None

    def tell(self, event: Event) -> None:
        for line in self._changes.before(event):
            self._line(line)
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
        elif not isinstance(event, FileChange):
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
        self._changes = _Changes(words)
        self._messages: list[str] = []
        self._rendered: tuple[Report, int, list[str]] | None = None
        self._drawn = ""

    def tell(self, event: Event) -> None:
        self._say(self._changes.before(event))
        if isinstance(event, (Status, Tick)):
            self._draw(event if isinstance(event, Status) else event.status)
        elif not isinstance(event, (Ended, FileChange)):
            # Where the proof stands is in the report above.
            self._say(message(event, self._words)[:1])

    def close(self) -> None:
        """Give the terminal back as it was."""
        if self._drawn:
            self._out.write(_LEAVE)
            self._out.flush()
            self._drawn = ""

    def _say(self, lines: Sequence[str]) -> None:
        now = datetime.datetime.now().strftime("%H:%M:%S")
        self._messages += [f"{now}  {line}" for line in lines]
        del self._messages[:-_MESSAGES]

    def _draw(self, status: Status) -> None:
        columns, rows = self._size()
        words, report = self._words, self._report()
        elapsed = duration(self._clock() - self._started)
        room = columns - width(words("watch.head", paths="", elapsed=elapsed))
        head = words("watch.head", paths=cut_start(self._paths, room), elapsed=elapsed)
        lines = [self._style("dim", cut(head, columns)),
                 self._style(VERDICTS[status.verdict], cut(
                     status_line(status, words) or words("watch.waiting", paths=self._paths),
                     columns)), ""]
        foot = [cut(line, columns) for line in self._messages]
        if report is not None and status.files:
            left = max(0, rows - len(lines) - len(foot) - 2)
            text = self._text(report, columns)
            if len(text) > left > 0:
                rest = len(text) - left + 1
                text = [*text[:left - 1], self._style("dim", words("watch.more", n=rest))]
            lines += text[:left]
        lines += ["", *foot] if foot else []
        drawn = "".join(f"{self._shown(line)}{_CLEAR}\r\n" for line in lines[:max(1, rows - 1)])
        if drawn != self._drawn:
            self._out.write(("" if self._drawn else _ENTER) + _HOME + drawn + _REST)
            self._out.flush()
            self._drawn = drawn

    def _shown(self, line: str) -> str:
        """The line with `?` for what the terminal's encoding lacks: an escape would be wider."""
        encoding = self._out.encoding or "utf-8"
        return line.encode(encoding, "replace").decode(encoding)

    def _text(self, report: Report, columns: int) -> list[str]:
        """The report in lines; made again only if something is new."""
        if self._rendered is None or self._rendered[:2] != (report, columns):
            text = terminal.render(report, columns, self._colour)
            self._rendered = report, columns, text.rstrip("\n").split("\n")
        return self._rendered[2]


class _Changes:
    """Changes of files that come in a row, gathered: a job of thousands of ranks begins with
    thousands of new files."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._waiting: list[FileChange] = []

    def before(self, event: Event) -> list[str]:
        """The lines that are to be told before an event; none while changes go on."""
        if isinstance(event, FileChange):
            self._waiting.append(event)
            return []
        lines = []
        for kind in dict.fromkeys(change.kind for change in self._waiting):
            names = [change.name for change in self._waiting if change.kind == kind]
            if len(names) <= _SINGLY:
                lines += [line for name in names
                          for line in message(FileChange(kind, name), self._words)]
            else:
                named = self._words.comma.join([*map(printable, names[:_NAMED]), "..."])
                lines.append(self._words(f"watch.files.{kind}", n=len(names), names=named))
        self._waiting.clear()
        return lines


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
