"""The job as signals look at it: which lines count, and whom a line is about.

Stale files, earlier runs in a file, and lines that only echo another file are left out
here once, so that no signal has to think of them. What hundreds of rules ask of thousands
of files is laid out once, by pattern, by kind of event and by content.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from assistant.diagnose.beside import Beside
from assistant.diagnose.match import Subject, numbers, subject_of
from assistant.diagnose.types import Citation
from assistant.evidence.types import ErrorLine, Event, Hit, PatternHits
from assistant.job.types import Job, LogFile, Process


@dataclass(frozen=True, slots=True)
class Alike:
    """Events that say the same, wherever they stand, so that a rule judges them once."""

    sample: Event
    places: Sequence[tuple[LogFile, Event]]


class View:
    """Read access to a job for signals; holds nothing that changes but lazily built indexes."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self._kept_lines: dict[str, dict[int, Hit]] = {}

    @cached_property
    def files(self) -> tuple[LogFile, ...]:
        """Files that belong to the job (not stale)."""
        return tuple(f for f in self.job.files if not f.stale)

    @cached_property
    def file_by_name(self) -> Mapping[str, LogFile]:
        """Name to file, of those that belong to the job."""
        return {file.name: file for file in self.files}

    @cached_property
    def process_of(self) -> Mapping[str, Process]:
        """File name to the process that wrote it."""
        return {name: process for process in self.job.processes for name in process.files}

    @cached_property
    def by_subject(self) -> Mapping[int | str, Process]:
        """Rank, or key of a fragment, to process."""
        return {subject_of(process): process for process in self.job.processes}

    @cached_property
    def by_pid(self) -> Mapping[tuple[str | None, int], int]:
        """(node, pid) and (None, pid) to rank; an ambiguous (None, pid) is left out."""
        table: dict[tuple[str | None, int], int] = {}
        doubles: set[int] = set()
        for process in self.job.processes:
            if process.rank is None or process.pid is None:
                continue
            table[process.node, process.pid] = process.rank
            if (None, process.pid) in table:
                doubles.add(process.pid)
            table[None, process.pid] = process.rank
        for pid in doubles:
            del table[None, pid]
        return table

    @cached_property
    def population(self) -> tuple[Process, ...]:
        """Processes whose log was read and holds something."""
        return tuple(p for p in self.job.processes if p.state not in ("absent", "empty"))

    @cached_property
    def subjects(self) -> frozenset[int | str]:
        """The subjects of the population."""
        return frozenset(subject_of(p) for p in self.population)

    @cached_property
    def node_names(self) -> Mapping[str, str]:
        """Key of a node to what it is called."""
        return {node.key: node.name for node in self.job.nodes}

    @cached_property
    def series(self) -> Sequence[tuple[Process, LogFile]]:
        """Processes that printed steps, each with the file that holds most of them."""
        found = []
        for process in self.population:
            files = [f for f in self.files_of(process) if f.evidence.series.steps]
            if files:
                found.append((process, max(files, key=lambda f: f.evidence.series.rows)))
        return found

    def files_of(self, process: Process) -> Iterator[LogFile]:
        """The files of a process that belong to the job, its worker log first."""
        for name in process.files:
            if name in self.file_by_name:
                yield self.file_by_name[name]

    def role_counts(self, file: LogFile, roles: tuple[str, ...]) -> bool:
        """Whether lines of this file count for a signal with these roles (empty: any).

        A file whose kind nobody can tell may be of any kind; a console whose worker logs
        were not given holds their lines.
        """
        if file.echo:  # of an echo only what msrun itself says there is its own
            return file.role == "console" and "console" in roles
        return (not roles or file.role in roles or file.role == "other"
                or (file.role == "console" and ("worker" in roles or "scheduler" in roles)))

    def holds(self, key: str) -> bool:
        """Whether any file holds a line of a pattern key."""
        return key in self._hits

    def hits(self, key: str, roles: tuple[str, ...],
             ) -> Iterator[tuple[LogFile, tuple[Hit, ...], int]]:
        """(file, kept hits by line, true count) of a pattern key, last run only."""
        for file, found in self._hits.get(key, ()):
            if self.role_counts(file, roles):
                kept = {hit.line: hit for hit in (*found.hits, *found.distinct)}
                last_run = tuple(kept[n] for n in sorted(kept) if n >= file.run_start)
                if last_run:
                    yield file, last_run, found.count - (len(kept) - len(last_run))

    @cached_property
    def _hits(self) -> Mapping[str, list[tuple[LogFile, PatternHits]]]:
        table: dict[str, list[tuple[LogFile, PatternHits]]] = {}
        for file in self.files:
            for key, found in file.evidence.hits.items():
                table.setdefault(key, []).append((file, found))
        return table

    def hit_at(self, name: str, line: int) -> Hit | None:
        """The hit of any pattern on a line of a file, None where none was kept."""
        if name not in self._kept_lines:
            file = self.file_by_name.get(name)
            self._kept_lines[name] = {} if file is None else {
                hit.line: hit for found in file.evidence.hits.values()
                for hit in (*found.hits, *found.distinct)}
        return self._kept_lines[name].get(line)

    def beside(self, quoted: Citation) -> tuple[Citation, ...]:
        """Errors that the same process printed directly above and below a line."""
        return self._beside.of(quoted)

    @cached_property
    def _beside(self) -> Beside:
        return Beside(self.file_by_name)

    def events(self, kind: str) -> Sequence[Alike]:
        """Events of one kind, last run only, those of one content together."""
        return self._events.get(kind, ())

    def event(self, key: tuple[str, int] | None) -> Event | None:
        """The event that begins at (file, line), None where it was not kept."""
        return self._event_at.get(key) if key is not None else None

    @cached_property
    def _events(self) -> Mapping[str, Sequence[Alike]]:
        groups: dict[Hashable, list[tuple[LogFile, Event]]] = {}
        for file in self.files:
            for event in file.evidence.events:
                if event.line >= file.run_start:
                    groups.setdefault(_content(event), []).append((file, event))
        kinds: dict[str, list[Alike]] = {}
        for places in groups.values():
            sample = places[0][1]
            kinds.setdefault(sample.kind, []).append(Alike(sample, places))
        return kinds

    @cached_property
    def _event_at(self) -> Mapping[tuple[str, int], Event]:
        return {(file.name, event.line): event
                for file in self.files for event in file.evidence.events}

    def errors(self, roles: tuple[str, ...]) -> Iterator[tuple[LogFile, ErrorLine, Hit]]:
        """Shapes of error-looking lines in files with these roles, each with its first line
        in the last run."""
        for file, error, hit in self._errors:
            if self.role_counts(file, roles):
                yield file, error, hit

    @cached_property
    def _errors(self) -> Sequence[tuple[LogFile, ErrorLine, Hit]]:
        return [(file, error, hit) for file in self.files for error in file.evidence.errors
                if (hit := next((h for h in error.hits if h.line >= file.run_start), None))
                is not None]

    @cached_property
    def codes(self) -> frozenset[str]:
        """All error codes in events and error lines."""
        return frozenset(
            [code for kind in self._events.values() for alike in kind
             for code in alike.sample.codes]
            + [code for _, error, _ in self._errors for code in error.codes])

    def subject(self, file: LogFile, rank: int | None = None, pid: int | None = None,
                event: int | None = None) -> Subject:
        """Whom a line of this file is about: the rank it states, else the file's; `event`: the
        first line of the event that it belongs to."""
        if rank is not None:
            return rank
        if file.rank is not None:
            return file.rank
        if file.role == "scheduler":
            return None
        if pid is not None:
            known = self.by_pid.get((file.node, pid), self.by_pid.get((None, pid)))
            if known is not None:
                return known
        raiser = self._raisers.get((file.name, event)) if event is not None else None
        if raiser is not None:
            return raiser
        process = self.process_of.get(file.name)
        return process.key if process is not None else None

    @cached_property
    def _raisers(self) -> Mapping[tuple[str, int], int]:
        """(console, first line) of an exception that nobody signed to the rank that raised it.

        A console without the logs beside it repeats what all ranks print. Who raised is plain
        where it holds one exception alone before msrun tells that one rank ended with code 1.
        """
        table: dict[tuple[str, int], int] = {}
        for file in self.files:
            ended = [(p.rank, p.exit) for p in self.job.processes
                     if p.exit is not None and p.exit.file == file.name]
            if file.role != "console" or file.echo or len(ended) != 1:
                continue
            rank, end = ended[0]
            raised = [event for event in file.evidence.events if event.kind == "traceback"
                      and file.run_start <= event.line < end.line]
            if rank is not None and end.code == 1 and len(raised) == 1 and (
                    file.evidence.event_count == len(file.evidence.events)):
                table[file.name, raised[0].line] = rank
        return table

    def rank_of_device(self, node: str, device: int) -> int | None:
        """Rank that runs on a device of a node, None if unknown."""
        return self._devices.get((node, device))

    @cached_property
    def _devices(self) -> Mapping[tuple[str | None, int], int]:
        """By device where the logs state it, else the local rank is the device."""
        ranks = [p for p in self.job.processes if p.rank is not None]
        table: dict[tuple[str | None, int], int] = {}
        for process in ranks:
            if process.rank is not None and process.local_rank is not None:
                table.setdefault((process.node, process.local_rank), process.rank)
        for process in ranks:
            if process.rank is not None and process.device is not None:
                table[process.node, process.device] = process.rank
        return table

    def node_at(self, host: str) -> str | None:
        """Key of the node with a host name or an address, None if unknown."""
        return self._hosts.get(host)

    @cached_property
    def _hosts(self) -> Mapping[str, str]:
        """By address and by name; what two nodes share tells neither of them."""
        table: dict[str, str] = {}
        doubles: set[str] = set()
        for node in self.job.nodes:
            for name in {node.ip, node.name} - {None, ""}:
                if name is not None and table.setdefault(name, node.key) != node.key:
                    doubles.add(name)
        return {name: key for name, key in table.items() if name not in doubles}

    @cached_property
    def groups(self) -> Mapping[str, tuple[int, ...]]:
        """Communication group to its ranks by position, where its creation is printed in full."""
        table: dict[str, tuple[int, ...]] = {}
        for _, hits, _ in self.hits("landmark/group-created", ()):
            for hit in hits:
                values = dict(hit.captures)
                if values.get("end") is not None:
                    table[values.get("group", "")] = numbers(values.get("ranks", ""))
        return table

    @cached_property
    def config(self) -> Mapping[str, str]:
        """The configuration as the first file printed it, nested keys joined by points."""
        return next((file.evidence.config for file in self.files
                     if file.evidence.config and file.evidence.config_line >= file.run_start),
                    {})

    def node_of(self, subject: Subject, fallback: str) -> str:
        """Node on which a subject lives; the fallback where it has none."""
        process = self.by_subject.get(subject) if subject is not None else None
        return fallback if process is None or process.node is None else process.node


def _content(event: Event) -> Hashable:
    """All that a signal can see of an event, but where and when it stands."""
    frame = event.innermost
    place = (frame.file, frame.line, frame.function) if frame is not None else None
    chain = tuple((kind, message) for kind, message, _ in event.chain)
    return (event.kind, event.title, event.message, event.sections, chain, event.codes, place,
            frame is not None and event.user_frame == frame)
