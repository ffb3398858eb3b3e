"""Reports kept in SQLite, if asked for: links that cannot be guessed, an expiry, recurrence.

Reports are kept, not logs; the logs only if the operator asks for that, too. One connection a
thread; SQLite's write-ahead log lets readers and one writer work side by side.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from assistant.errors import UsageError
from assistant.logtext.template import shape
from assistant.render.phrases import blamed
from assistant.report.types import Report
from web.answer import Answer, dump, load
from web.problems import ProblemError
from web.request_log import LOGGER
from web.settings import Settings

Row = tuple[Any, ...]
_DAY = 24 * 3600
#: Days over which the same failure is counted.
RECENT_DAYS = 30
#: Reports of one list.
LISTED = 100
#: Bytes of randomness in a link.
_TOKEN = 18

_TABLES = """
create table if not exists report (
    token text primary key,
    created real not null,
    expires real not null,
    verdict text not null,
    title_en text not null,
    title_zh text not null,
    failure text,
    job text not null,
    nodes text not null,
    answer blob not null
);
create index if not exists report_by_failure on report (failure, created);
create index if not exists report_by_expiry on report (expires);
create table if not exists input (
    token text primary key references report (token) on delete cascade,
    content blob not null
);
"""


@dataclass(frozen=True, slots=True)
class Kept:
    """A kept report; times are epoch seconds. `has_input`: whether its logs are kept, too."""

    token: str
    created: float
    expires: float
    verdict: str
    titles: dict[str, str]
    has_input: bool = False


@dataclass(frozen=True, slots=True)
class Recurrence:
    """How often a failure was seen in the last RECENT_DAYS, this time included.

    Attributes: nodes: name to number of times, of nodes that had it more than once.
    """

    times: int
    nodes: tuple[tuple[str, int], ...]


class Store:
    """The kept reports of one SQLite file. Safe to use from several threads.

    Raises (on creation): UsageError if the file cannot be used. Every method raises ProblemError
    `store-failed` if it cannot be used now; nothing has changed then.
    """

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.time) -> None:
        self._path = settings.store
        self._days = settings.store_days
        self._clock = clock
        self._local = threading.local()
        try:
            descriptor = os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600)
            os.close(descriptor)
            with self._transaction() as connection:
                connection.executescript(_TABLES)
            self.purge()
        except (OSError, ProblemError) as error:
            why = error.values["detail"] if isinstance(error, ProblemError) else error.strerror
            raise UsageError(f"--store {self._path}: it cannot be used: {why}") from error

    def keep(self, answer: Answer, titles: dict[str, str], content: bytes | None = None) -> str:
        """Keep an answer (and its logs); gives the token of its link."""
        report = answer.report("en")
        now = self._clock()
        token = secrets.token_urlsafe(_TOKEN)
        self.purge()
        with self._transaction() as connection:
            connection.execute(
                "insert into report values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (token, now, now + self._days * _DAY, report.verdict, titles["en"], titles["zh"],
                 failure_of(report), _job_of(report), "\n".join(_nodes_of(report)),
                 dump(answer)))
            if content is not None:
                connection.execute("insert into input values (?, ?)", (token, content))
        return token

    def find(self, token: str) -> tuple[Kept, Answer] | None:
        """A kept report that has not expired."""
        row = self._one("select token, created, expires, verdict, title_en, title_zh, answer, "
                        "exists (select 1 from input where input.token = report.token) "
                        "from report where token = ? and expires > ?", token, self._clock())
        if row is None:
            return None
        return _kept(row, bool(row[7])), load(row[6])

    def content(self, token: str) -> bytes | None:
        """The logs of a kept report, if they were kept."""
        row = self._one("select content from input join report using (token) "
                        "where token = ? and expires > ?", token, self._clock())
        return None if row is None else bytes(row[0])

    def recent(self) -> list[Kept]:
        """The latest reports, the newest first."""
        with self._transaction() as connection:
            rows = connection.execute(
                "select token, created, expires, verdict, title_en, title_zh from report "
                "where expires > ? order by created desc limit ?",
                (self._clock(), LISTED)).fetchall()
        return [_kept(row) for row in rows]

    def delete(self, token: str) -> bool:
        """Forget a report; False if there was none."""
        with self._transaction() as connection:
            return connection.execute("delete from report where token = ?",
                                      (token,)).rowcount > 0

    def purge(self) -> None:
        """Forget what has expired."""
        with self._transaction() as connection:
            connection.execute("delete from report where expires <= ?", (self._clock(),))

    def recurrence(self, report: Report) -> Recurrence | None:
        """How often this failure was seen of late; the same job counts once however often it
        was checked. None for a report without a cause."""
        failure = failure_of(report)
        if failure is None:
            return None
        with self._transaction() as connection:
            rows = connection.execute(
                "select job, nodes from report where failure = ? and created > ?",
                (failure, self._clock() - RECENT_DAYS * _DAY)).fetchall()
        jobs = dict(rows) | {_job_of(report): "\n".join(_nodes_of(report))}
        nodes = Counter(name for names in jobs.values() for name in names.split("\n") if name)
        return Recurrence(len(jobs), tuple((name, count) for name, count in nodes.most_common(3)
                                           if count > 1))

    def close(self) -> None:
        """Close this thread's connection."""
        connection = getattr(self._local, "connection", None)
        if connection is not None:
            connection.close()
            del self._local.connection

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """All of it, or nothing where the disk is full, the file damaged or another has it.
        Raises ProblemError `store-failed`."""
        try:
            with self._open() as connection:
                yield connection
        except sqlite3.Error as error:
            LOGGER.error("store: %s", error)
            raise ProblemError("store-failed", detail=str(error)) from error

    def _open(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(self._path, timeout=10)
            connection.execute("pragma journal_mode = wal")
            connection.execute("pragma foreign_keys = on")
            connection.execute("pragma secure_delete = on")
            self._local.connection = connection
        return connection

    def _one(self, statement: str, *values: object) -> Row | None:
        with self._transaction() as connection:
            row: Row | None = connection.execute(statement, values).fetchone()
        return row


def _kept(row: Row, has_input: bool = False) -> Kept:
    token, created, expires, verdict, english, chinese = row[:6]
    return Kept(token, created, expires, verdict, {"en": english, "zh": chinese}, has_input)


def failure_of(report: Report) -> str | None:
    """What makes two failures the same: the first cause's rule, codes and shape of its proof."""
    causes = blamed(report)
    if not causes:
        return None
    first = causes[0]
    proof = shape(first.evidence[0].text) if first.evidence else ""
    return _digest(first.rule, *sorted(first.codes), proof)


def _job_of(report: Report) -> str:
    """What makes two checks those of one job: when it ran, and what was read of it."""
    return _digest(str(report.job.first_time), str(report.job.last_time),
                   str(report.job.ranks_seen), str(report.inputs.bytes))


def _nodes_of(report: Report) -> tuple[str, ...]:
    causes = blamed(report)
    return causes[0].nodes if causes else ()


def _digest(*parts: str) -> str:
    return hashlib.blake2b("\0".join(parts).encode("utf-8", "surrogatepass"),
                           digest_size=12).hexdigest()
