"""From PATH arguments to logs, one after the other."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import BinaryIO

from assistant.errors import UsageError
from assistant.evidence.types import Skipped
from assistant.sources.arguments import STDIN, is_url, nothing_found, resolve
from assistant.sources.compression import expand, read_head, rewound
from assistant.sources.files import open_file, open_regular, reason
from assistant.sources.kinds import COMPRESSED, HEAD_SIZE, MISNAMED, is_foreign, is_tar, is_zip
from assistant.sources.names import Names, printable
from assistant.sources.names import labels as labels_of
from assistant.sources.sections import Shown, is_of_a_process, shows_several
from assistant.sources.types import LogSource
from assistant.sources.walk import NAMED_ARCHIVE, Found, Walker

#: What standard input is called in reports.
STDIN_NAME = "standard-input"


def find(paths: Sequence[str], *, stdin: BinaryIO | None = None,
         labels: Mapping[str, str] | None = None) -> Iterator[LogSource | Skipped]:
    """The logs that PATH arguments lead to, by name, and what was not read.

    Args:
        paths: files, folders, archives, patterns, URLs, or `-` for standard input.
        stdin: what `-` means; default: the process's own.
        labels: what names begin with, by path, for paths that are not the whole input; by
            default as much of each path as tells it from the others, nothing for a lone folder.

    Raises:
        UsageError: from the call itself if a path does not exist or if there is nothing
            to read; from the iterator, at its end, if archives turn out to hold no log.
    """
    arguments = resolve(paths)
    walker = Walker()
    folders, files, urls, alone = _labelled(arguments, labels)
    for path, label in folders.items():
        walker.add_folder(path, label)
    for path, label in files.items():
        walker.add_file(path, label)
    walker.follow_links()
    skipped = list(_not_read(walker))
    remote = list(_remote(urls, alone)) if urls else []
    if not walker.found and not remote and STDIN not in arguments:
        raise nothing_found(arguments, [f"{item.file}: {item.why}" for item in skipped])
    return _draw(arguments, walker.found, [*skipped, *remote], alone and not folders, stdin)


def opened(found: Sequence[Found], bare: bool = False) -> Iterator[LogSource | Skipped]:
    """The logs in some files: themselves, or of an archive its members, which go by their own
    paths if they are `bare`."""
    return _sources((), found, bare, None, Names())


def places(paths: Sequence[str], labels: Mapping[str, str] | None = None
           ) -> tuple[tuple[str, str], ...]:
    """How the names that `find` gives begin, each with what stands there in the full paths.

    Raises:
        UsageError: a path does not exist.
    """
    folders, files, _, _ = _labelled(resolve(paths), labels)
    return (*((printable(f"{label}/" if label else ""), os.path.join(os.path.abspath(path), ""))
              for path, label in folders.items()),
            *((printable(label), os.path.abspath(path)) for path, label in files.items()))


def _labelled(arguments: Sequence[str], given: Mapping[str, str] | None
              ) -> tuple[dict[str, str], dict[str, str], dict[str, str], bool]:
    """Folders, files and URLs, each with what names begin with; whether there is but one
    argument."""
    paths = [path for path in arguments if path != STDIN]
    shown = given if given is not None else dict(zip(paths, labels_of(paths), strict=True))
    alone = given is None and len(arguments) == 1
    urls = {path: shown[path] for path in paths if is_url(path)}
    folders = {path: "" if alone else shown[path] for path in paths
               if path not in urls and os.path.isdir(path)}
    files = {path: shown[path] for path in paths if path not in folders and path not in urls}
    return folders, files, urls, alone


def _remote(urls: Mapping[str, str], alone: bool) -> Iterator[LogSource | Skipped]:
    from assistant.sources.remote import find_remote

    for url, label in urls.items():
        yield from find_remote(url, label, alone)


def _draw(arguments: Sequence[str], found: Sequence[Found],
          before: Sequence[LogSource | Skipped], bare: bool,
          stdin: BinaryIO | None) -> Iterator[LogSource | Skipped]:
    """Everything in order; `bare`: members of an archive go by their own paths."""
    seen = 0
    passed: list[str] = []
    for item in chain(before, _sources(arguments, found, bare, stdin, Names())):
        if isinstance(item, LogSource):
            seen += 1
        else:
            passed.append(f"{item.file}: {item.why}")
        yield item
    if not seen:
        raise nothing_found(arguments, passed)


def _sources(arguments: Sequence[str], found: Sequence[Found], bare: bool,
             stdin: BinaryIO | None, names: Names) -> Iterator[LogSource | Skipped]:
    for file in sorted(found, key=lambda file: (file.place, file.path)):
        if file.archive is None:
            compressed = file.place.lower().endswith(COMPRESSED) and not file.plain
            name = names.unique(printable(file.place))
            yield LogSource(name, None if compressed else file.size, file.mtime, file.path,
                            partial(open_file, file.path), notes=MISNAMED if file.plain else (),
                            shown=_shown(file, "" if bare else f"{name}!/"))
        else:
            yield from _archive(file, "" if bare else f"{printable(file.place)}!/", names)
    if STDIN in arguments:
        stream = stdin or getattr(sys.stdin, "buffer", None)  # None where it was closed
        if stream is None:
            raise UsageError("-: standard input is closed; give a file, or pipe a log into it")
        yield from _standard_input(stream, bare, names)


def _shown(file: Found, prefix: str) -> Shown | None:
    """Whether a file shows several logs, and what their names then begin with."""
    if is_of_a_process(file.place):
        return None
    try:
        with open_file(file.path) as stream:
            several = shows_several(read_head(stream, HEAD_SIZE))
    except OSError:  # whoever reads it will tell
        return None
    return Shown(prefix, False) if several else None


def _archive(file: Found, prefix: str, names: Names) -> Iterator[LogSource | Skipped]:
    from assistant.sources.archives import Members  # archives are the exception

    members = Members(printable(file.place), prefix, names)
    try:
        stream = open_file(file.path) if file.archive == "tar" else _buffered(file.path)
    except OSError as error:
        yield Skipped(printable(file.place), reason(error))
        return
    with stream:
        yield from members.zip(stream) if file.archive == "zip" else members.tar(stream)


def _buffered(path: str) -> BinaryIO:
    """A file for zipfile, which reads in many small pieces. Raises OSError."""
    return io.BufferedReader(open_regular(path))


def _standard_input(stream: BinaryIO, bare: bool, names: Names) -> Iterator[LogSource | Skipped]:
    """Standard input: a log, a compressed one, or an archive."""
    from assistant.sources.archives import Members

    members = Members(STDIN_NAME, "" if bare else f"{STDIN_NAME}!/", names)
    try:
        head = read_head(stream, 8)
        if is_zip(head):
            if not stream.seekable():
                yield Skipped(STDIN_NAME, "a zip archive cannot be read from a pipe: "
                                          "give its path, or pipe a .tar.gz")
                return
            stream.seek(0)
            yield from members.zip(stream)
            return
        if is_foreign(head):
            yield Skipped(STDIN_NAME, NAMED_ARCHIVE)
            return
        expanded = expand(rewound(head, stream))
        start = read_head(expanded, HEAD_SIZE)
    except OSError as error:
        yield Skipped(STDIN_NAME, reason(error))
        return
    content = rewound(start, expanded)
    if is_tar(start):
        yield from members.tar(content)
    else:
        name = names.unique(STDIN_NAME)
        yield LogSource(name, None, None, None, lambda: content,
                        shown=Shown("" if bare else f"{name}!/", True))


def _not_read(walker: Walker) -> Iterator[Skipped]:
    for label, passed in walker.passed.items():
        for place, why in passed.named:
            yield Skipped(printable(place), why)
        summary = passed.summary()
        if summary is not None:
            yield Skipped(printable(label) or ".", summary)
