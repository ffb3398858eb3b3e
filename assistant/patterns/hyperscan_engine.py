"""The quick engine: Hyperscan finds the candidate lines of all expressions in one pass.

Traits of Hyperscan that are minded here: it reports every end of a match, in no order that
is promised; a database serves one thread at a time unless each has its own scratch space;
it refuses expressions that match nothing, `^` or `$` in the middle, and what is too large.
"""

from __future__ import annotations

import hashlib
import importlib
import struct
import threading
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from assistant.patterns import cache
from assistant.patterns.engine import Engine

#: Changes whenever a database compiled before is no longer what would be compiled now.
TRANSLATION = 1


class HyperscanEngine(Engine):
    """Hyperscan for all expressions that it takes, RE2 line by line for the rest."""

    name = "hyperscan"

    def __init__(self, expressions: Sequence[str], cache_dir: Path | None = None) -> None:
        """Raises ImportError without the package, hyperscan.error if nothing compiles."""
        super().__init__(expressions)
        self._hyperscan = importlib.import_module("hyperscan")
        self._database, self._by_line = self._ready(cache_dir)
        self._local = threading.local()
        if self._by_line:
            first = self.expressions[self._by_line[0]]
            self.notice = (f"{len(self._by_line)} expression(s) cannot be sought with the "
                           f"others and slow the scan down, e.g. {first!r}")

    def candidates(self, block: bytes) -> list[tuple[int, int]]:
        found = self._confirmer.line_starts(block, self._by_line)
        if self._database is None or not block:
            return found
        # Equal length, so offsets hold; `^` and `$` then hold at segments as well.
        segments = block.replace(b"\r", b"\n") if b"\r" in block else block
        size, before, after, add = len(block), block.rfind, block.find, found.append
        # The line that each expression was last found on, and the line last looked at.
        starts, ends = [0] * len(self.expressions), [0] * len(self.expressions)
        start = end = 0

        def on_match(index: int, _from: int, to: int, _flags: int, _context: object) -> None:
            nonlocal start, end
            if starts[index] < to <= ends[index]:
                return
            if not start < to <= end:
                start, end = before(b"\n", 0, to) + 1, after(b"\n", to)
                if end < 0:
                    end = size
            starts[index], ends[index] = start, end
            add((start, index))

        self._database.scan(segments, match_event_handler=on_match, scratch=self._scratch())
        found.sort()
        return [pair for pair, _ in groupby(found)]  # three times as quick as a set

    def _scratch(self) -> Any:
        scratch = getattr(self._local, "scratch", None)
        if scratch is None:
            scratch = self._local.scratch = self._hyperscan.Scratch(self._database)
        return scratch

    def _ready(self, cache_dir: Path | None) -> tuple[Any, tuple[int, ...]]:
        """The database (None if it would be empty) and what must go line by line."""
        if not self.expressions:
            return None, ()
        if cache_dir is None:
            return self._compile()
        key = self._key()
        kept = cache.load(cache_dir, key)
        if kept is not None:
            try:
                return self._unpack(kept)
            except (self._hyperscan.error, struct.error):
                pass  # e.g. a home shared with another kind of processor
        database, by_line = self._compile()
        cache.store(cache_dir, key, self._pack(database, by_line))
        return database, by_line

    def _compile(self) -> tuple[Any, tuple[int, ...]]:
        from assistant.patterns.translate import find_expression  # not needed with a cache

        for index in range(len(self.expressions)):
            self._confirmer.compiled(index)  # what RE2 refuses must not come up at a hit
        texts = {index: text for index, expression in enumerate(self.expressions)
                 if (text := find_expression(expression)) is not None}
        try:
            database = self._build(texts)
        except self._hyperscan.error:
            texts = {index: text for index, text in texts.items() if self._takes(index, text)}
            database = self._build(texts)
        by_line = tuple(index for index in range(len(self.expressions)) if index not in texts)
        return database, by_line

    def _build(self, texts: dict[int, str]) -> Any:
        return build_database(self._hyperscan, texts) if texts else None

    def _takes(self, index: int, text: str) -> bool:
        try:
            self._build({index: text})
        except self._hyperscan.error:
            return False
        return True

    def _key(self) -> str:
        """Everything that the database depends on, the processor's features among it."""
        probe = build_database(self._hyperscan, {0: "a"}).info()
        parts = [probe, str(self._hyperscan.__version__).encode(), str(TRANSLATION).encode(),
                 *(text.encode(errors="surrogatepass") for text in self.expressions)]
        digest = hashlib.blake2b(digest_size=20)
        for part in parts:
            digest.update(struct.pack("<Q", len(part)) + part)
        return digest.hexdigest()

    def _pack(self, database: Any, by_line: tuple[int, ...]) -> bytes:
        numbers = struct.pack(f"<{len(by_line) + 1}I", len(by_line), *by_line)
        return numbers + (b"" if database is None else self._hyperscan.dumpb(database))

    def _unpack(self, data: bytes) -> tuple[Any, tuple[int, ...]]:
        (count,) = struct.unpack_from("<I", data)
        by_line = struct.unpack_from(f"<{count}I", data, 4)
        content = data[4 * (count + 1):]
        if not content:
            return None, by_line
        return self._hyperscan.loadb(content, self._hyperscan.HS_MODE_BLOCK), by_line


def build_database(hyperscan: Any, texts: dict[int, str]) -> Any:
    """A database in block mode that reports these ids. Raises hyperscan.error."""
    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    database.compile(expressions=[text.encode() for text in texts.values()], ids=list(texts),
                     elements=len(texts), flags=[hyperscan.HS_FLAG_MULTILINE] * len(texts))
    return database
