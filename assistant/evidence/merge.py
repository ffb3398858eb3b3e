"""Evidence of several parts or inputs -> one.

Both merges are associative and commutative: parts may come in any order and grouping.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from operator import attrgetter

from assistant.errors import UsageError
from assistant.evidence import bounds, rows
from assistant.evidence.keep import FULL, Keep
from assistant.evidence.types import (
    DISTINCT_HITS,
    ERROR_TEMPLATES,
    FIRST_EVENTS,
    LAST_EVENTS,
    ErrorLine,
    Event,
    Evidence,
    FileEvidence,
    Hit,
    PatternHits,
)

#: How many lines of FileEvidence.head and .tail are kept.
HEAD_LINES, TAIL_LINES = 5, 10
#: How many hits of one shape of error line are kept from its start.
ERROR_HITS = 3

_by_line = attrgetter("line")


def merge(evidences: Iterable[Evidence]) -> Evidence:
    """The evidence of all these inputs together.

    Raises:
        UsageError: two of them hold a file of the same name; `relabel` keeps them apart.
    """
    whole = list(evidences)
    files = sorted((file for evidence in whole for file in evidence.files), key=_by_name)
    for one, other in pairwise(files):
        if one.name == other.name:
            raise UsageError(
                f"{one.name}: two of the inputs hold a file of this name, and nothing tells "
                "them apart. Give each input a name of its own (its node's, for instance).")
    skipped = {item for evidence in whole for item in evidence.skipped}
    return Evidence(tuple(files),
                    tuple(sorted(skipped, key=lambda item: (item.file, item.why))),
                    tuple(sorted({path for evidence in whole for path in evidence.inputs})),
                    tuple(sorted({place for evidence in whole for place in evidence.places})))


def relabel(evidence: Evidence, label: str) -> Evidence:
    """The same evidence with `label/` before the name of every file."""
    return replace(
        evidence,
        files=tuple(replace(file, name=f"{label}/{file.name}") for file in evidence.files),
        skipped=tuple(replace(item, file=f"{label}/{item.file}") for item in evidence.skipped),
        places=tuple((f"{label}/{name}", folder) for name, folder in evidence.places))


def merge_files(parts: Iterable[FileEvidence], keep: Keep = FULL) -> FileEvidence:
    """The evidence of one file that was scanned in parts, each with this `keep`.

    Parts hold different lines, numbered as in the whole file. If the file was cut where no
    event was open and before a line with a time, the result is that of a scan of the whole,
    as far as parts can tell: `pids` counts more prefixes, since those at the ends of each part
    were looked at, and repeats of events that not all parts kept are counted too low.

    Raises:
        ValueError: there is no part, or they are of different files.
    """
    found = list(parts)
    if len({part.name for part in found}) != 1:
        raise ValueError("merge_files needs parts of one file")
    first = min(found, key=lambda part: part.time_lines[0] if part.time_lines else 1 << 62)
    last = max(found, key=lambda part: part.time_lines[1] if part.time_lines else 0)
    configured = max(found, key=attrgetter("config_line"))
    series = rows.SeriesBuilder(keep)
    for part in found:
        series.add_series(part.series)
    return FileEvidence(
        name=found[0].name,
        size=sum(part.size for part in found),
        lines=sum(part.lines for part in found),
        mtime=max((part.mtime for part in found if part.mtime is not None), default=None),
        first_time=first.first_time,
        last_time=last.last_time,
        head=tuple(bounds.first((x for part in found for x in part.head), _by_line, HEAD_LINES)),
        tail=tuple(bounds.last((x for part in found for x in part.tail), _by_line, TAIL_LINES)),
        # Only the last part can end within a line.
        terminated=all(part.terminated for part in found),
        pids=most_frequent(Counter(dict(part.pids)) for part in found),
        hits={key: _merge_hits([part.hits[key] for part in found if key in part.hits], keep)
              for key in sorted({key for part in found for key in part.hits})},
        events=_merge_events(found),
        event_count=sum(part.event_count for part in found),
        errors=_merge_errors([error for part in found for error in part.errors]),
        error_count=sum(part.error_count for part in found),
        config=configured.config,
        series=series.build(),
        notes=tuple(sorted({note for part in found for note in part.notes})),
        config_line=configured.config_line,
        time_lines=(first.time_lines[0], last.time_lines[1])
        if first.time_lines and last.time_lines else None)


def thinned(file: FileEvidence, keep: Keep) -> FileEvidence:
    """Of the evidence of one file so much as a scan with this `keep` would give."""
    series = file.series
    if len(series.steps) > keep.first_rows + keep.last_rows:
        series = rows.thinned(series, keep)
    hits = {key: found if len(found.hits) <= keep.first_hits else replace(
        found, hits=_kept_hits(found.hits, keep)) for key, found in file.hits.items()}
    return replace(file, series=series, hits=hits)


def most_frequent(counts: Iterable[Counter[int]]) -> tuple[tuple[int, int], ...]:
    """(number, how often) over all counts, most frequent first, then by number."""
    total = sum(counts, Counter[int]())
    return tuple(sorted(total.items(), key=lambda item: (-item[1], item[0])))


def event_identity(event: Event) -> Hashable:
    """What makes events count as repeats of one."""
    frame = event.innermost
    place = (frame.file, frame.line, frame.function) if frame else None
    return event.kind, event.title, event.message, place


def _by_name(file: FileEvidence) -> str:
    return file.name


def _merge_hits(found: Sequence[PatternHits], keep: Keep) -> PatternHits:
    hits = [hit for part in found for hit in part.hits]
    distinct = [hit for part in found for hit in part.distinct]
    return PatternHits(
        sum(part.count for part in found),
        _kept_hits(hits, keep),
        tuple(bounds.first_of_each(distinct, _by_line, attrgetter("captures"), DISTINCT_HITS)))


def _kept_hits(hits: Sequence[Hit], keep: Keep) -> tuple[Hit, ...]:
    return bounds.union((bounds.first(hits, _by_line, keep.first_hits),
                         bounds.last(hits, _by_line, keep.last_hits)), _by_line)


def _merge_events(parts: Sequence[FileEvidence]) -> tuple[Event, ...]:
    events = [event for part in parts for event in part.events]
    repeats: Counter[Hashable] = Counter()
    for part in parts:
        repeats.update({event_identity(event): event.repeats for event in part.events})
    kept = bounds.union(
        (bounds.first_of_each(events, _by_line, event_identity, FIRST_EVENTS),
         bounds.last_of_each(events, _by_line, event_identity, LAST_EVENTS)), _by_line)
    return tuple(replace(event, repeats=repeats[event_identity(event)]) for event in kept)


def _merge_errors(found: Sequence[ErrorLine]) -> tuple[ErrorLine, ...]:
    groups: dict[str, list[ErrorLine]] = {}
    for error in found:
        groups.setdefault(error.template, []).append(error)
    merged = [_merge_error(group) for group in groups.values()]
    return tuple(bounds.first(merged, lambda error: error.hits[0].line, ERROR_TEMPLATES))


def _merge_error(group: Sequence[ErrorLine]) -> ErrorLine:
    hits: list[Hit] = [hit for error in group for hit in error.hits]
    matched: Counter[str] = Counter()
    for error in group:
        matched.update(dict(error.matched))
    return ErrorLine(
        group[0].template, sum(error.count for error in group),
        bounds.union((bounds.first(hits, _by_line, ERROR_HITS),
                      bounds.last(hits, _by_line, 1)), _by_line),
        tuple(sorted({code for error in group for code in error.codes})),
        tuple(sorted(matched.items())))
