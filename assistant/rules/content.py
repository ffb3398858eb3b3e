"""What the files of one pack hold, as plain values: read, or taken from the cache."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from assistant.rules import cache as kept
from assistant.rules.packs import PACK_FILE, SITE_FILE, Layer

#: Largest file of rules that is read.
MAX_BYTES = 32 << 20


def pack_content(layer: Layer, cache_dir: Path | None = None) -> Mapping[str, Any]:
    """What the files of one layer hold, as JSON values (see layer.parse).

    Args: cache_dir: where parsed files are kept; None: in the user's cache folder.
    """
    return PackContent(layer, cache_dir or default_cache()).content


def default_cache() -> Path | None:
    """Where parsed files are kept, None where nothing can be."""
    from assistant.patterns import default_cache_dir

    base = default_cache_dir()
    return base / "rules" if base is not None else None


class PackContent:
    """The files of one layer.

    Attributes:
        layer: the pack. content: what its files hold, as JSON values (see layer.parse); what is
            wrong with it stands there, too, and nothing is raised.
    """

    def __init__(self, layer: Layer, cache_dir: Path | None,
                 progress: Callable[[int, int], None] | None = None) -> None:
        self.layer = layer
        self._cache_dir = cache_dir
        self._progress = progress
        self._parts: list[tuple[str, bytes]] = []
        self._key = ""
        self._rows: list[Any] | None = None
        self.content: Mapping[str, Any] = self._read()

    @property
    def refused(self) -> bool:
        """Whether its pack.yaml cannot be used, or wants another kbtriage."""
        return self.layer.file(PACK_FILE) is not None and not self.content["pack"]

    def rows(self) -> Mapping[str, tuple[Any, Any]]:
        """The rows of its catalogues: (values, position) by id. They lie apart in the cache,
        since most starts need none of them."""
        rows = self._rows or kept.load(self._cache_dir, _rows_of(self._key))
        if rows is None:
            rows = self._parse()["rows"]
        return {values["id"]: (values, place) for values, place in rows}

    def _read(self) -> Mapping[str, Any]:
        layer = self.layer
        if layer.trouble:
            position = [str(layer.root), 1, 1]
            return {"rules": [], "codes": {}, "landmarks": [], "families": [], "site": {},
                    "pack": {}, "problems": [[position, "bad-pack", "error",
                                  f"the pack {layer.name} cannot be used: {layer.trouble}",
                                  "mend or uninstall the package that brings it"
                                  if layer.place == "package" else "check its permissions"]]}
        files = [file for file in (layer.file(PACK_FILE), layer.file(SITE_FILE))
                 if file is not None]
        failed: list[Any] = []
        for path in (*files, *layer.files()):
            data = _bytes(path)
            if data is None:
                failed.append([[layer.shown(path), 1, 1], "too-large", "error",
                               f"the file holds more than {MAX_BYTES >> 20} MB",
                               "split it into several files"])
            elif isinstance(data, bytes):
                self._parts.append((layer.shown(path), data))
            else:
                failed.append([[layer.shown(path), 1, 1], "unreadable", "error",
                               f"the file cannot be read: {data.strerror or data}",
                               "check its permissions"])
        failed += [[[layer.shown(path), 1, 1], *_ODD[why](path)] for path, why in layer.odd()]
        self._key = kept.key(self._parts)
        content: dict[str, Any] = kept.load(self._cache_dir, self._key) or self._parse()
        return {**content, "problems": [*failed, *content["problems"]]}

    def _parse(self) -> dict[str, Any]:
        """The slow way, after which all is kept."""
        from assistant.rules.layer import parse  # brings the YAML and schema readers

        content = parse(self.layer.name, self._parts, self._progress)
        self._rows = content.pop("rows")
        kept.save(self._cache_dir, self._key, content)
        if self._rows:
            kept.save(self._cache_dir, _rows_of(self._key), self._rows)
        return {**content, "rows": self._rows}


def reserved_name(path: Path) -> tuple[str, str, str, str]:
    """Code, level, message and cure for a file of rules that has a reserved name."""
    return ("reserved-name", "error",
            f"a file called {path.name} is read at the top of a pack only, and passed over here",
            "give a file of rules another name; if it is meant for the pack, move it there, "
            "beside `rules/`")


def _unreadable(path: Path) -> tuple[str, str, str, str]:
    return ("unreadable", "error", "the folder cannot be read", "check its permissions")


_ODD = {"reserved": reserved_name, "unreadable": _unreadable}


def _rows_of(key: str) -> str:
    """The key under which the rows of a pack's catalogues are kept."""
    return f"{key}-rows"


def _bytes(path: Path) -> bytes | OSError | None:
    """The content of a file, why it cannot be read, or None for one that is too large."""
    try:
        with open(path, "rb", buffering=0) as stream:  # half the time of a buffered read
            return None if os.fstat(stream.fileno()).st_size > MAX_BYTES else stream.readall()
    except OSError as error:
        return error
