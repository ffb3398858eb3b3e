"""The names of machines that an input tells of, wherever in it that is."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.evidence.types import Evidence, FileEvidence
from assistant.redact.hosts import host_spans

#: Files whose lines are looked through, beginning with the shortest: what starts and leads a job
#: names its machines, and says less than its workers do.
_FILES = 256
#: Names that are kept, and lines of one pattern in one file that are looked through.
_NAMES, _HITS = 4096, 64
#: Settings that hold the name of a machine.
_SETTINGS = ("host", "addr", "node_name", "server")


def known_hosts(evidence: Evidence) -> tuple[str, ...]:
    """Names of machines in the names of all files and in what was kept of their lines, without
    doubles, bounded, in order: a report quotes some lines only, and another may tell what a
    word in them is."""
    names = dict.fromkeys(name for file in evidence.files for name in _in(file.name))
    seen: set[str] = set()
    for file in sorted(evidence.files, key=lambda file: (file.size, file.name))[:_FILES]:
        for text in _lines(file):
            if text not in seen:
                seen.add(text)
                names.update(dict.fromkeys(_in(text)))
    return tuple(names)[:_NAMES]


def _in(text: str) -> Iterator[str]:
    return (text[start:end] for start, end in host_spans(text))


def _lines(file: FileEvidence) -> Iterator[str]:
    yield from (line.text for line in (*file.head, *file.tail))
    for hits in file.hits.values():
        yield from (hit.text for hit in (hits.distinct or hits.hits)[:_HITS])
    for error in file.errors:
        yield from (hit.text for hit in error.hits)
    for event in file.events:
        yield from (text for _, text in event.quotes)
    yield from (f"{name.rsplit('.', 1)[-1]}={value}" for name, value in file.config.items()
                if any(word in name for word in _SETTINGS))
