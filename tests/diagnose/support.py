"""Hand-made jobs and rules: ranks with what stands in their logs, rules as their YAML says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assistant.diagnose.match import Match
from assistant.diagnose.types import Citation, Diagnosis
from assistant.diagnose.view import View
from assistant.evidence.series import ABSENT, EMPTY_SERIES, NUMBER, Column, Series
from assistant.evidence.types import (
    ErrorLine,
    Event,
    Evidence,
    FileEvidence,
    Frame,
    Hit,
    Line,
    PatternHits,
)
from assistant.job.types import Clock, Job, LogFile, Node, Process
from assistant.rules.build import build_rule
from assistant.rules.ruleset import RuleSet
from assistant.rules.types import Position, Rule

#: Time of most first lines.
T0 = 1_000_000.0


def rule(rule_id: str = "hccl.one", **values: Any) -> Rule:
    """A rule by its YAML keys; what is not given is plain."""
    category = rule_id.split(".")[0]
    plain = {"title": {"en": rule_id, "zh": rule_id}, "category": category, "severity": "error",
             "article": "plain", "signals": {"x": {"log": "x"}}, "when": "x"}
    return build_rule({"id": rule_id, **plain, **values}, Position("test.yaml", 1, 1), "test")


def rules(*some: Rule, **values: Any) -> RuleSet:
    """A rule set."""
    return RuleSet(tuple(some), (), **values)


def hit(line: int, text: str = "x", time: float | None = None, *, event: int | None = None,
        rank: int | None = None, pid: int | None = None, **captures: object) -> Hit:
    """A line that a pattern matched."""
    named = tuple(sorted((name, str(value)) for name, value in captures.items()))
    return Hit(line, text, time, named, "ERROR", "HCCL", pid, event, rank)


def event(line: int, title: str = "ValueError", message: str = "bad value", *,
          kind: str = "traceback", time: float | None = None, codes: Sequence[str] = (),
          sections: Sequence[tuple[str, str]] = (), user: bool = True, repeats: int = 1,
          file: str = "/home/user/train.py", pid: int | None = None) -> Event:
    """An event of three lines; its last one holds title and message."""
    frame = Frame(file, 7, "step", line + 1)
    return Event(kind, line, line + 2, time, title, message, line + 2, 1, frame,
                 frame if user else None, tuple(sections), tuple(codes), pid=pid,
                 quotes=((line + 2, f"{title}: {message}"), (line + 1, f'File "{file}"')),
                 repeats=repeats)


def error(line: int, text: str = "it failed", time: float | None = None, *, count: int = 1,
          codes: Sequence[str] = (), matched: Sequence[tuple[str, int]] = ()) -> ErrorLine:
    """Error lines of one shape, of which one was kept."""
    return ErrorLine(text, count, (Hit(line, text, time, level="ERROR", component="MD"),),
                     tuple(codes), tuple(matched))


def series(first_line: int = 10, first_step: int = 1, **columns: Sequence[float | None]) -> Series:
    """Step lines, one a second and a line; None: the metric is absent there."""
    count = len(next(iter(columns.values())))
    lines = tuple(range(first_line, first_line + count))
    return Series(
        tuple(range(first_step, first_step + count)), lines,
        tuple(T0 + i for i in range(count)),
        {name: Column(tuple(0.0 if v is None else float(v) for v in values),
                      bytes(ABSENT if v is None else NUMBER for v in values))
         for name, values in columns.items()},
        {line: f"step line {line}" for line in lines}, None, count)


@dataclass
class Log:
    """One file and, for a worker's, its process."""

    name: str
    file: LogFile
    process: Process | None = None


def log(name: str, role: str = "other", node: str = "a", *, rank: int | None = None,
        hits: Mapping[str, Sequence[Hit]] | None = None, events: Sequence[Event] = (),
        errors: Sequence[ErrorLine] = (), steps: Series = EMPTY_SERIES,
        counts: Mapping[str, int] | None = None, evidence: Mapping[str, Any] | None = None,
        **of_file: Any) -> Log:
    """A file by itself. `counts`: true numbers of lines by pattern key, where more than kept."""
    table = {key: PatternHits((counts or {}).get(key, len(found)), tuple(found))
             for key, found in (hits or {}).items()}
    yielded = FileEvidence(
        name, size=1000, lines=100, first_time=T0, last_time=T0 + 100, hits=table,
        head=(Line(1, "first line"),), tail=(Line(100, "last line"),),
        events=tuple(events), event_count=len(events), errors=tuple(errors),
        error_count=sum(e.count for e in errors), series=steps)
    return Log(name, LogFile(replace(yielded, **(evidence or {})), role, node, rank, **of_file))


def worker(rank: int, node: str = "a", *, state: str = "running",
           process: Mapping[str, Any] | None = None, **contents: Any) -> Log:
    """The log of a rank, and its process (`process`: its further fields)."""
    made = log(f"{node}/worker_{rank}.log", "worker", node, rank=rank, **contents)
    steps = made.file.evidence.series
    known: dict[str, Any] = {
        "files": (made.name,), "pid": 100 + rank, "phase": "training", "whole": True,
        "local_rank": rank, "last_line": (100, "last line"), "last_time": T0 + 100, "series": steps,
        "last_step": max(steps.steps, default=None),
        "errors": bool(made.file.evidence.events or made.file.evidence.errors)}
    made.process = Process(f"rank {rank}", rank, node, state=state,
                           **{**known, **(process or {})})
    return made


def absent(rank: int, node: str = "a") -> Process:
    """A rank without a file."""
    return Process(f"rank {rank}", rank, node, state="absent")


def job(*parts: Log | Process, facts: Mapping[str, str | int | float] | None = None,
        clocks: Mapping[str, Clock] | None = None) -> Job:
    """The job of these logs; all nodes share one clock unless told otherwise."""
    logs = [part for part in parts if isinstance(part, Log)]
    files = tuple(sorted((item.file for item in logs), key=lambda f: f.name))
    processes = [part for part in parts if isinstance(part, Process)]
    processes += [item.process for item in logs if item.process is not None]
    processes.sort(key=lambda p: (p.rank is None, p.rank or 0, p.key))
    keys = sorted({f.node for f in files} | {p.node for p in processes if p.node is not None})
    nodes = tuple(Node(key, f"node {key}", i, None, tuple(
        p.rank for p in processes if p.node == key and p.rank is not None))
        for i, key in enumerate(keys))
    return Job(Evidence(tuple(f.evidence for f in files)), files, tuple(processes), nodes,
               facts or {}, clocks if clocks is not None else {key: Clock(0.0, 0.0)
                                                               for key in keys})


def view(*parts: Log | Process, **values: Any) -> View:
    """A view of the job of these logs."""
    return View(job(*parts, **values))


def match(file: str, line: int, time: float | None = None, node: str = "a",
          subject: int | str | None = None) -> Match:
    """A match as timelines see it."""
    return Match(subject, node, Citation(file, line, time, "text"), time=time)


def lines_of(evidence: FileEvidence) -> dict[int, set[str]]:
    """Line number to the texts that the evidence holds of it."""
    found: dict[int, set[str]] = {}

    def add(pairs: Iterable[tuple[int, str]]) -> None:
        for line, text in pairs:
            found.setdefault(line, set()).add(text)

    for kept in evidence.hits.values():
        add((h.line, h.text) for h in (*kept.hits, *kept.distinct))
    for item in evidence.events:
        add(item.quotes)
    for shape in evidence.errors:
        add((h.line, h.text) for h in shape.hits)
    add(evidence.series.texts.items())
    add((one.line, one.text) for one in (*evidence.head, *evidence.tail))
    return found


def roles(diagnosis: Diagnosis) -> dict[str, str]:
    """Rule to role."""
    return {f.rule.id: f.role for f in diagnosis.findings}


def causes(diagnosis: Diagnosis) -> list[tuple[str, tuple[int, ...]]]:
    """(rule, ranks) of the causes, in order."""
    return [(f.rule.id, f.ranks) for f in diagnosis.findings if f.role == "cause"]


