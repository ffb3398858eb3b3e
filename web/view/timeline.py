"""When what happened on which rank, on one clock: spans of ranks, and moments on them.

Plain data that JSON can carry; times are seconds as in evidence, node clocks made equal:

    {"start": t, "end": t,
     "rows": [{"ranks": [2], "state": "failed", "from": t, "to": t, "blamed": true}],
     "moments": [{"time": t, "row": 0 or null, "kind": "phase", "what": "joined", "ranks": [..],
                  "file": "...", "line": 5}]}

`kind` is `phase` (`what`: one of rules.types.PHASES), `cause` or `consequence` (`what`: the
rule), `exit` (`what`: the exit code) or `timed-out`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assistant.diagnose.types import Diagnosis
from assistant.job import marks
from assistant.job.types import Job, LogFile, Process

#: Up to so many ranks each has a row of its own; beyond, ranks that ended alike share one.
MAX_ROWS = 16
_PHASES = ("started", "registered", "joined", "initialised", "building", "training")
#: Moments of one kind that are named.
_MOMENTS = 40


def timeline(diagnosis: Diagnosis) -> dict[str, Any] | None:
    """The time line, None where fewer than two moments of the job are known."""
    job = diagnosis.job
    rows, row_of = _rows(job, _blamed(diagnosis))
    moments = [*_phases(job, row_of), *_findings(diagnosis, row_of), *_ends(job, row_of)]
    times = [m["time"] for m in moments]
    times += [row[key] for row in rows for key in ("from", "to") if row[key] is not None]
    if len(set(times)) < 2:
        return None
    moments.sort(key=lambda m: (m["time"], m["kind"]))
    return {"start": min(times), "end": max(times), "rows": rows, "moments": moments}


def _blamed(diagnosis: Diagnosis) -> set[int]:
    return {rank for finding in diagnosis.findings
            if finding.role == "cause" and finding.rule.severity != "info"
            for rank in finding.ranks}


def _rows(job: Job, blamed: set[int]) -> tuple[list[dict[str, Any]], dict[int, int]]:
    """The rows, and rank to its row."""
    ranks = [process for process in job.ranks() if process.first_time is not None]
    single = len(ranks) <= MAX_ROWS
    groups: dict[Any, list[Process]] = {}
    for process in ranks:
        alone = single or (process.rank in blamed and len(blamed) <= MAX_ROWS // 2)
        key = process.rank if alone else (process.state, process.stage)
        groups.setdefault(key, []).append(process)
    if len(groups) > 2 * MAX_ROWS:
        groups = {}
        for process in ranks:
            groups.setdefault(process.state, []).append(process)
    rows: list[dict[str, Any]] = []
    row_of: dict[int, int] = {}
    for members in groups.values():
        numbers = [p.rank for p in members if p.rank is not None]
        row_of |= dict.fromkeys(numbers, len(rows))
        rows.append({
            "ranks": numbers, "state": members[0].state,
            "from": min(_on(job, p.node, p.first_time) for p in members
                        if p.first_time is not None),
            "to": max((_on(job, p.node, p.last_time) for p in members
                       if p.last_time is not None), default=None),
            "blamed": len(blamed) < len(ranks) and any(n in blamed for n in numbers)})
    return rows, row_of


def _on(job: Job, node: str | None, time: float) -> float:
    """A time of a node's clock on the reference clock."""
    clock = job.clocks.get(node or "")
    return time - clock.offset if clock is not None else time


def _moment(time: float, row: int | None, kind: str, what: str, ranks: Sequence[int],
            file: str, line: int) -> dict[str, Any]:
    return {"time": time, "row": row, "kind": kind, "what": what, "ranks": list(ranks),
            "file": file, "line": line}


def _phases(job: Job, row_of: Mapping[int, int]) -> Iterable[dict[str, Any]]:
    """When each phase was first reached by any rank, and how many reached it."""
    for phase in _PHASES:
        reached: list[tuple[float, int, LogFile, int]] = []
        for file in job.files:
            if file.role != "worker" or file.rank is None or file.stale:
                continue
            hits = [hit for name, its in marks.PHASE_OF.items() if its == phase
                    and (hit := marks.first(file.evidence, name, file.run_start)) is not None
                    and hit.time is not None]
            if hits:
                first = min(hits, key=lambda hit: hit.line)
                reached.append((_on(job, file.node, first.time or 0.0), file.rank, file,
                                first.line))
        if reached:
            time, rank, file, line = min(reached, key=lambda item: item[:2])
            yield _moment(time, row_of.get(rank), "phase", phase,
                          sorted({item[1] for item in reached}), file.name, line)


def _findings(diagnosis: Diagnosis, row_of: Mapping[int, int]) -> Iterable[dict[str, Any]]:
    for finding in diagnosis.findings[:_MOMENTS]:
        if finding.role == "note" or finding.time is None or not finding.evidence:
            continue
        quote = finding.evidence[0]
        row = row_of.get(finding.ranks[0]) if len(finding.ranks) == 1 else None
        yield _moment(finding.time, row, finding.role, finding.rule.id, finding.ranks,
                      quote.file, quote.line)


def _ends(job: Job, row_of: Mapping[int, int]) -> Iterable[dict[str, Any]]:
    """What msrun's console and the scheduler say of the ends of processes."""
    named = 0
    for process in job.ranks():
        if named >= _MOMENTS or process.rank is None:
            return
        row, ranks = row_of.get(process.rank), (process.rank,)
        if process.exit is not None and process.exit.time is not None:
            named += 1
            code = "" if process.exit.code is None else str(process.exit.code)
            yield _moment(process.exit.time, row, "exit", code, ranks, process.exit.file,
                          process.exit.line)
        if process.timed_out:
            named += 1
            yield _moment(process.timed_out, row, "timed-out", "", ranks, "", 0)
